/* SPDX-License-Identifier: MIT */
/* Edits as users see them: all or none. Operations are applied to a copy, which becomes the document in the
 * end. */
#include "transaction.h"
#include "../core/diagnose.h"
#include "../core/unreachable.h"
#include "numbered.h"
#include "single_edit.h"

static mst_status no_memory(mst_diagnostic *diagnostic) {
    return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for the edit");
}

/* ---- all operations ----------------------------------------------------------------------------------- */

const mst_document *mst_edit_document(mst_transaction *transaction) {
    if (!transaction || transaction->failed)
        return NULL;
    transaction->failed = mst_transaction_settle(transaction, NULL) != MST_OK;
    return transaction->failed ? NULL : transaction->copy;
}

static void transaction_end(mst_transaction *transaction) {
    mst_allocator allocator = transaction->document->allocator;
    if (transaction->copy) {
        mst_insertions_end(&transaction->insertions);
        mst_labelled_end(&transaction->labelled);
        mst_removals_end(&transaction->removals);
        mst_batch_end(&transaction->batch);
        mst_keys_end(&transaction->keys);
        mst_renames_end(&transaction->names);
    }
    mst_close(transaction->copy);
    allocator.resize(allocator.user, transaction, sizeof *transaction, 0);
}

mst_status mst_edit_begin(mst_document *document, const mst_edit_options *options,
                          mst_transaction **transaction, mst_diagnostic *diagnostic) {
    if (transaction)
        *transaction = NULL;
    if (!document || !transaction)
        return mst_fail(diagnostic, MST_ARGUMENT, "a document and a place for the transaction are needed");
    mst_edit_options given = {.size = 0};
    mst_status status = mst_take_options(&given, sizeof given, options, diagnostic);
    if (status != MST_OK)
        return status;
    const mst_allocator *allocator = &document->allocator;
    mst_transaction *made = allocator->resize(allocator->user, NULL, 0, sizeof *made);
    if (!made)
        return no_memory(diagnostic);
    memset(made, 0, sizeof *made);
    made->document = document;
    made->options = given;
    status = mst_edit_copy(document, &made->copy, diagnostic);
    if (status == MST_OK) {
        made->copy->group = document->group;
        if (given.growth_limit)
            made->copy->growth_limit = given.growth_limit;
        mst_keys_begin(&made->keys, document);
        mst_renames_begin(&made->names, document);
        mst_batch_begin(&made->batch, made->copy, document);
        mst_removals_begin(&made->removals, made->copy, &made->batch, &made->options);
        mst_insertions_begin(&made->insertions, made->copy, &made->options);
        mst_labelled_begin(&made->labelled, made->copy);
        *transaction = made;
    } else {
        transaction_end(made);
    }
    return status;
}

void mst_edit_abort(mst_transaction *transaction) {
    struct mst_file_group *group = transaction ? transaction->document->group : NULL;
    if (group)
        group->finish(group, false, NULL);
    if (transaction)
        transaction_end(transaction);
}

mst_status mst_edit_commit(mst_transaction *transaction, mst_diagnostic *diagnostic) {
    if (!transaction)
        return mst_fail(diagnostic, MST_ARGUMENT, "a transaction is needed");
    mst_document *document = transaction->document, *copy = transaction->copy;
    mst_status status = MST_OK;
    if (transaction->failed)
        status = mst_fail(diagnostic, MST_REFUSED, "an operation of the transaction has failed");
    if (status == MST_OK)
        status = mst_transaction_settle(transaction, diagnostic);
    if (status == MST_OK)
        status = mst_transaction_follow(transaction, diagnostic);
    if (status == MST_NO_MEMORY)
        no_memory(diagnostic);
    if (status == MST_OK && MST_OPTION(copy->format->editing, settle))
        status = copy->format->editing->settle(document, copy, &transaction->options, diagnostic);
    if (status == MST_OK && copy->format->files.count)
        status = mst_serialize(copy, diagnostic);
    if (status == MST_OK)
        status = mst_edit_recognize(document, copy, diagnostic);
    if (status == MST_OK)
        status = mst_keys_judge(&transaction->keys, copy, &transaction->options, diagnostic);
    if (status == MST_OK && transaction->options.checks)
        status = mst_edit_recheck(document, NULL, copy, &transaction->options, diagnostic);
    if (status == MST_OK)
        status = mst_keys_say_taken(&transaction->keys, &transaction->options);
    if (document->group) {
        mst_status finished = document->group->finish(document->group, status == MST_OK, diagnostic);
        status = status == MST_OK ? finished : status;
    }
    if (status == MST_OK)
        mst_edit_adopt(document, copy);
    transaction_end(transaction);
    return status;
}

mst_status mst_update_grid(mst_document *document, mst_diagnostic *diagnostic) {
    if (!document)
        return mst_fail(diagnostic, MST_ARGUMENT, "a document is needed");
    if (!MST_OPTION(document->format->editing, refile))
        return mst_fail(diagnostic, MST_UNSUPPORTED, "%s has no grid", document->format->information.title);
    mst_transaction *transaction = NULL;
    mst_status status = mst_edit_begin(document, NULL, &transaction, diagnostic);
    if (status != MST_OK)
        return status;
    if (MST_UNREACHABLE(!transaction)) /* it has begun */
        return MST_NO_MEMORY;
    status = document->format->editing->refile(transaction->copy, diagnostic);
    transaction->failed = status != MST_OK;
    if (status == MST_OK)
        return mst_edit_commit(transaction, diagnostic);
    mst_edit_abort(transaction);
    return status;
}

mst_status mst_edit(mst_document *document, const mst_operation *operations, size_t count,
                    const mst_edit_options *options, mst_diagnostic *diagnostic) {
    if (!document || (!operations && count))
        return mst_fail(diagnostic, MST_ARGUMENT, "a document and operations are needed");
    for (size_t i = 0; i < count; i++)
        if (!mst_operation_is_complete(&operations[i]))
            return mst_fail(diagnostic, MST_ARGUMENT, "an operation lacks its path or value");
    if (diagnostic)
        *diagnostic->path = '\0'; /* a report that ends the edit does not fill the diagnosis */
    mst_transaction *transaction = NULL;
    mst_status status = count ? mst_edit_begin(document, options, &transaction, diagnostic) : MST_OK;
    if (status != MST_OK || !count)
        return status;
    for (size_t i = 0; i < count && status == MST_OK; i++)
        status = mst_edit_apply(transaction, &operations[i], diagnostic);
    if (status == MST_OK)
        status = mst_edit_commit(transaction, diagnostic);
    else
        mst_edit_abort(transaction);
    if (status != MST_OK && diagnostic && count == 1 && !*diagnostic->path && operations->path)
        MST_SET(diagnostic->path, "%s", operations->path); /* the files as a whole refuse it */
    return status;
}
