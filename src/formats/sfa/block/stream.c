/* SPDX-License-Identifier: MIT */
/* Render streams: bit-packed ops, the lowest bit of each byte first. */
#include "parts.h"

typedef struct bit_reader {
    const uint8_t *bytes;
    uint64_t end; /* in bits */
    uint64_t at;
} bit_reader;

/* Takes at most 8 bits; false at the end of the stream. */
static bool take(bit_reader *r, unsigned count, uint8_t *value) {
    if (!mst_fits(r->at, count, r->end))
        return false;
    uint64_t byte = r->at >> 3;
    unsigned shift = (unsigned)(r->at & 7);
    unsigned word = r->bytes[byte];
    if (shift + count > 8)
        word |= (unsigned)r->bytes[byte + 1] << 8;
    *value = (uint8_t)(word >> shift & ((1u << count) - 1));
    r->at += count;
    return true;
}

void mst_sfa_calls_none(mst_sfa_call calls[256]) {
    for (unsigned i = 0; i < 256; i++)
        calls[i] = (mst_sfa_call){.shader_bit = MST_SFA_NO_BIT,
                                  .matrix_bit = MST_SFA_NO_BIT,
                                  .stream = MST_SFA_NOT_CALLED,
                                  .shader = MST_SFA_NO_SHADER};
}

/* Tracks the drawing state of the next list, and records the first call of each list. */
static void note(mst_sfa_call *calls, mst_sfa_call *state, uint8_t op, uint8_t operand, uint64_t bit) {
    uint16_t address = bit < MST_SFA_NO_BIT ? (uint16_t)bit : MST_SFA_NO_BIT;
    switch (op) {
    case MST_SFA_OP_SHADER:
        state->shader = operand;
        state->shader_bit = address;
        break;
    case MST_SFA_OP_FORMAT: state->wide = operand; break;
    case MST_SFA_OP_LIST:
        if (calls[operand].stream == MST_SFA_NOT_CALLED)
            calls[operand] = *state;
        break;
    default: state->matrix_bit = address; break;
    }
}

/* The state at the start of a stream: no shader, narrow indices. */
static mst_sfa_call fresh(unsigned stream) {
    return (mst_sfa_call){.shader_bit = MST_SFA_NO_BIT,
                          .matrix_bit = MST_SFA_NO_BIT,
                          .stream = (uint8_t)stream,
                          .shader = MST_SFA_NO_SHADER};
}

static mst_status stream_fault(mst_diagnostic *diagnostic, mst_status status, const char *code,
                               unsigned stream, uint64_t op, uint64_t offset, const char *message) {
    mst_sfa_fault(diagnostic, status, code, offset, message);
    MST_SET(diagnostic->path, "streams[%u].ops[%llu]", stream, (unsigned long long)op);
    return status;
}

/* Reads the operands of an op, as in an image. Returns their size there; 0: the stream ends within the op. */
static unsigned take_operands(bit_reader *r, uint8_t op, uint8_t *operand, uint8_t image[16]) {
    switch (op) {
    case MST_SFA_OP_SHADER:
    case MST_SFA_OP_LIST:
        if (!take(r, op == MST_SFA_OP_SHADER ? 6 : 8, operand))
            return 0;
        image[0] = *operand;
        return 1;
    case MST_SFA_OP_FORMAT:
        if (!take(r, 3, operand))
            return 0;
        for (unsigned i = 0; i < 3; i++)
            image[i] = *operand >> i & 1;
        return 3;
    default:
        if (!take(r, 4, operand))
            return 0;
        image[0] = *operand;
        for (unsigned i = 1; i <= *operand; i++)
            if (!take(r, 8, &image[i]))
                return 0;
        return 1u + *operand;
    }
}

/* After the end op: the remaining bits in its byte, and the bytes after it. Returns their size in an
 * image. */
static size_t read_end(bit_reader *r, uint32_t size, mst_parsed_writer *w) {
    uint8_t unused = 0;
    const uint8_t *last = r->bytes + (r->at - 1) / 8;
    uint32_t end = (uint32_t)((r->at + 7) / 8);
    if (r->at % 8)
        take(r, 8 - (unsigned)(r->at % 8), &unused);
    if (w) {
        mst_parsed_from(w, unused, 1, last, 1);
        mst_parsed_counted(w, r->bytes + end, size - end);
    }
    return 5 + (size_t)(size - end);
}

mst_status mst_sfa_stream_read(const uint8_t *bytes, uint32_t size, uint32_t offset, unsigned stream,
                               unsigned list_count, mst_parsed_writer *w, size_t *length, mst_sfa_call *calls,
                               mst_diagnostic *diagnostic) {
    bit_reader r = {bytes + offset, (uint64_t)size * 8, 0};
    mst_sfa_call state = fresh(stream);
    uint32_t count = 0;
    size_t count_at = w ? w->to->size : 0;
    *length = 4;
    if (w)
        mst_parsed_number(w, 0, 4);
    for (;; count++) {
        uint64_t bit = r.at;
        uint8_t op[1 + 16] = {0}, operand = 0;
        bool has_op = take(&r, 4, op);
        if (has_op && op[0] == MST_SFA_OP_END)
            break;
        bool known = !has_op || op[0] < MST_SFA_OP_END;
        unsigned taken = has_op && known ? take_operands(&r, op[0], &operand, op + 1) : 0;
        bool no_list = taken && op[0] == MST_SFA_OP_LIST && operand >= list_count;
        if (!taken || no_list) {
            stream_fault(diagnostic, MST_DAMAGED, no_list ? "SFA-LIST" : "SFA-STREAM", stream, count,
                         offset + bit / 8,
                         no_list   ? "the block has no such list"
                         : !known  ? "the op is unknown"
                         : !has_op ? "the stream has no end op"
                                   : "the op runs past the end of the stream");
            if (no_list)
                MST_SET(diagnostic->expected, "below %u", list_count);
            else
                MST_SET(diagnostic->expected, known ? "an op end" : "0 to 5");
            MST_SET(diagnostic->found, known && !no_list ? "%u bytes" : "%u",
                    no_list ? operand
                    : known ? size
                            : op[0]);
            return MST_DAMAGED;
        }
        if (w) {
            mst_parsed_units(w, r.bytes + bit / 8, (uint16_t)(1 + taken),
                             (uint16_t)((r.at + 7) / 8 - bit / 8));
            mst_parsed_put(w, op, 1 + taken);
        }
        *length += 1 + taken;
        if (calls)
            note(calls, &state, op[0], operand, bit);
    }
    *length += read_end(&r, size, w);
    if (w && w->status == MST_OK)
        mst_store32(w->to->data + count_at, count, true);
    return MST_OK;
}

/* ---- of an image -------------------------------------------------------------------------------- */

mst_sfa_ops mst_sfa_stream_ops(const mst_sfa_block *block, unsigned stream) {
    mst_sfa_ops ops = {.index = UINT32_MAX};
    if (block->streams[stream].present) {
        ops.left = block->streams[stream].op_count;
        ops.next = block->streams[stream].ops;
    }
    return ops;
}

bool mst_sfa_next_op(mst_sfa_ops *ops) {
    if (!ops->left)
        return false;
    ops->left--;
    ops->index++;
    ops->bit = ops->bits;
    ops->op = *ops->next;
    const uint8_t *p = ops->operands = ops->next + 1;
    ops->operand = *p;
    switch (ops->op) {
    case MST_SFA_OP_SHADER:
        ops->bits += 10;
        ops->next = p + 1;
        break;
    case MST_SFA_OP_LIST:
        ops->bits += 12;
        ops->next = p + 1;
        break;
    case MST_SFA_OP_FORMAT:
        ops->operand = (uint8_t)((p[0] ? 1 : 0) | (p[1] ? 2 : 0) | (p[2] ? 4 : 0));
        ops->bits += 7;
        ops->next = p + 3;
        break;
    default:
        ops->bits += 8 + 8 * (uint32_t)p[0];
        ops->next = p + 1 + p[0];
        break;
    }
    return true;
}

void mst_sfa_block_calls(const mst_sfa_block *block, mst_sfa_call calls[256]) {
    mst_sfa_calls_none(calls);
    for (unsigned i = 0; i < MST_SFA_STREAMS; i++) {
        mst_sfa_call state = fresh(i);
        for (mst_sfa_ops it = mst_sfa_stream_ops(block, i); mst_sfa_next_op(&it);)
            note(calls, &state, it.op, it.operand, it.bit);
    }
}

mst_status mst_sfa_stream_measure(const mst_sfa_block *block, unsigned stream, uint32_t *size,
                                  mst_diagnostic *diagnostic) {
    const mst_sfa_stream *one = &block->streams[stream];
    mst_sfa_ops it = mst_sfa_stream_ops(block, stream);
    *size = 0;
    if (!one->present)
        return MST_OK;
    while (mst_sfa_next_op(&it)) {
        const uint8_t *p = it.operands;
        unsigned limit = 0, found = it.operand;
        const char *message = NULL, *code = "SFA-STREAM";
        if (it.op == MST_SFA_OP_SHADER && it.operand > 63) {
            message = "a stream can select only shaders below 64";
            limit = 64;
        } else if (it.op == MST_SFA_OP_LIST && it.operand >= block->list_count) {
            message = "the block has no such list";
            code = "SFA-LIST";
            limit = block->list_count;
        } else if (it.op == MST_SFA_OP_FORMAT && (p[0] > 1 || p[1] > 1 || p[2] > 1)) {
            message = "the flags of a format op must be 0 or 1";
            limit = 2;
            found = p[0] > 1 ? p[0] : p[1] > 1 ? p[1] : p[2];
        } else if ((it.op == MST_SFA_OP_MATRICES || it.op == MST_SFA_OP_MATRICES_0) && it.operand > 15) {
            message = "an op holds at most 15 matrices";
            limit = 16;
        }
        if (message) {
            stream_fault(diagnostic, MST_REFUSED, code, stream, it.index,
                         (uint64_t)(it.operands - 1 - block->image), message);
            MST_SET(diagnostic->expected, "below %u", limit);
            MST_SET(diagnostic->found, "%u", found);
            return MST_REFUSED;
        }
        if (it.bits > 8 * 0xFFFFu)
            break;
    }
    uint64_t bits = (uint64_t)it.bits + 4;
    uint64_t total = (bits + 7) / 8 + one->tail_size;
    const char *message = NULL;
    if (total > 0xFFFF)
        message = "a stream has at most 65535 bytes";
    else if (one->unused_bits >> ((8 - bits % 8) % 8))
        message = "unused_bits has more bits than the last byte has left";
    if (message) {
        mst_sfa_fault(diagnostic, MST_REFUSED, "SFA-STREAM", (uint64_t)(one->ops - 4 - block->image),
                      message);
        MST_SET(diagnostic->path, total > 0xFFFF ? "streams[%u]" : "streams[%u].unused_bits", stream);
        MST_SET(diagnostic->found, "%llu", (unsigned long long)(total > 0xFFFF ? total : one->unused_bits));
        return MST_REFUSED;
    }
    *size = (uint32_t)total;
    return MST_OK;
}

/* Appends bits; `value` must be below 2^12. */
static uint32_t put_bits(uint8_t *bytes, uint32_t at, unsigned count, unsigned value) {
    unsigned word = value << (at & 7);
    for (uint8_t *p = bytes + (at >> 3); word; word >>= 8)
        *p++ |= (uint8_t)word;
    return at + count;
}

void mst_sfa_stream_write(const mst_sfa_block *block, unsigned stream, uint8_t *bytes) {
    const mst_sfa_stream *one = &block->streams[stream];
    mst_sfa_ops it = mst_sfa_stream_ops(block, stream);
    uint32_t at = 0;
    while (mst_sfa_next_op(&it)) {
        at = put_bits(bytes, at, 4, it.op);
        switch (it.op) {
        case MST_SFA_OP_SHADER: at = put_bits(bytes, at, 6, it.operand); break;
        case MST_SFA_OP_LIST: at = put_bits(bytes, at, 8, it.operand); break;
        case MST_SFA_OP_FORMAT: at = put_bits(bytes, at, 3, it.operand); break;
        default:
            at = put_bits(bytes, at, 4, it.operand);
            for (unsigned i = 0; i < it.operand; i++)
                at = put_bits(bytes, at, 8, it.operands[1 + i]);
            break;
        }
    }
    at = put_bits(bytes, at, 4, MST_SFA_OP_END);
    if (at % 8)
        put_bits(bytes, at, 8 - at % 8, one->unused_bits);
    if (one->tail_size)
        memcpy(bytes + (at + 7) / 8, one->tail, one->tail_size);
}
