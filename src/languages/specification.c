/* SPDX-License-Identifier: MIT */
#include "reference.h"

mst_status mst_write_specification(const mst_format_information *format, mst_specification kind,
                                   const char *record, mst_sink sink) {
    static mst_status (*const writers[])(const mst_format_information *,
                                         mst_sink) = {[MST_SPECIFICATION_MARKDOWN] = mst_write_reference,
                                                      [MST_SPECIFICATION_HTML] = mst_write_reference_html,
                                                      [MST_SPECIFICATION_JSON_SCHEMA] = mst_write_json_schema,
                                                      [MST_SPECIFICATION_KSY] = mst_write_ksy,
                                                      [MST_SPECIFICATION_HEXPAT] = mst_write_hexpat,
                                                      [MST_SPECIFICATION_MAGIC] = mst_write_magic};
    if ((size_t)kind >= MST_COUNT_OF(writers) || (record && kind != MST_SPECIFICATION_MARKDOWN))
        return MST_ARGUMENT;
    return record ? mst_write_record_reference(format, record, sink) : writers[kind](format, sink);
}
