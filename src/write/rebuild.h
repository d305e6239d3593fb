/* SPDX-License-Identifier: MIT */
/* Documents with every byte made from values: the proof that nothing is copied without being read. */
#ifndef MST_WRITE_REBUILD_H
#define MST_WRITE_REBUILD_H

#include <mapstone/document.h>

/* Encodes every field from its value, copying nothing: equal to the document's bytes if the library
 * understands the file completely. */
mst_status mst_encode(const mst_document *document, mst_sink sink, mst_diagnostic *diagnostic);
/* The same as a new, independent document: for documents of several files. */
mst_status mst_rebuild(const mst_document *document, mst_document **result, mst_diagnostic *diagnostic);

#endif
