/* SPDX-License-Identifier: MIT */
/* A format's reference as an HTML page. The texts of the tables are in Markdown, of which they use little
 * (headings, paragraphs, lists, tables, code, strong words, links): this writes them as HTML, and makes the
 * types of fields links. */
#include "../core/output.h"
#include "reference.h"

typedef struct line {
    const char *text;
    size_t size;
} line;

typedef struct page {
    mst_output out;
    const char *text; /* the reference as Markdown */
    size_t size;
    size_t types; /* the column of the table that has types; 0: none */
    bool list, table;
} page;

/* ---- words ------------------------------------------------------------------------------------------- */

static void put_escaped(mst_output *out, const char *text, size_t size) {
    for (size_t i = 0; i < size; i++)
        switch (text[i]) {
        case '<': mst_output_text(out, "&lt;"); break;
        case '>': mst_output_text(out, "&gt;"); break;
        case '&': mst_output_text(out, "&amp;"); break;
        case '"': mst_output_text(out, "&quot;"); break;
        default: mst_output_bytes(out, text + i, 1);
        }
}

static bool begins(line text, const char *with) {
    return text.size >= strlen(with) && memcmp(text.text, with, strlen(with)) == 0;
}

/* The next position of `what` in the text; the text's size if there is none. */
static size_t find(line text, const char *what) {
    size_t length = strlen(what);
    for (size_t i = 0; i + length <= text.size; i++)
        if (memcmp(text.text + i, what, length) == 0)
            return i;
    return text.size;
}

static line part(line text, size_t from, size_t to) {
    return (line){text.text + from, to - from};
}

static void put_link(mst_output *out, line address, line words) {
    bool format = address.size > 3 && memcmp(address.text + address.size - 3, ".md", 3) == 0 &&
                  !memchr(address.text, ':', address.size);
    mst_output_text(out, "<a href=\"");
    put_escaped(out, address.text, address.size - (format ? 3 : 0));
    mst_output_text(out, format ? ".html\">" : "\">");
    put_escaped(out, words.text, words.size);
    mst_output_text(out, "</a>");
}

/* Code, strong words and addresses: writes the span that begins there, and returns its size; 0 if there is
 * none. */
static size_t put_span(mst_output *out, line rest) {
    size_t mark = begins(rest, "**") ? 2 : 1;
    line inside = part(rest, mark < rest.size ? mark : rest.size, rest.size);
    if (begins(rest, "`") || mark == 2) {
        size_t end = find(inside, mark == 2 ? "**" : "`");
        if (end == inside.size)
            return 0;
        mst_output_text(out, mark == 2 ? "<strong>" : "<code>");
        put_escaped(out, inside.text, end);
        mst_output_text(out, mark == 2 ? "</strong>" : "</code>");
        return end + 2 * mark;
    }
    if (begins(rest, "<http")) {
        size_t end = find(inside, ">");
        if (end == inside.size)
            return 0;
        put_link(out, part(inside, 0, end), part(inside, 0, end));
        return end + 2;
    }
    return 0;
}

static size_t put_named_link(mst_output *out, line rest) {
    size_t middle = begins(rest, "[") ? find(rest, "](") : rest.size;
    if (middle == rest.size)
        return 0;
    line after = part(rest, middle + 2, rest.size);
    size_t end = find(after, ")");
    line words = part(rest, 1, middle);
    if (end == after.size || memchr(words.text, '[', words.size))
        return 0;
    if (words.size > 2 && words.text[0] == '`' && words.text[words.size - 1] == '`')
        words = part(words, 1, words.size - 1);
    put_link(out, part(after, 0, end), words);
    return middle + 2 + end + 1;
}

static void put_words(mst_output *out, line text) {
    for (size_t i = 0; i < text.size;) {
        line rest = part(text, i, text.size);
        size_t size = put_span(out, rest);
        if (!size)
            size = put_named_link(out, rest);
        if (!size)
            put_escaped(out, rest.text, 1);
        i += size ? size : 1;
    }
}

/* ---- names ------------------------------------------------------------------------------------------- */

/* Whether the lines before `at` have that heading. */
static bool has_heading(const page *p, size_t at, line name) {
    line text = {p->text, at};
    for (size_t i; (i = find(text, "\n## ")) < text.size; text = part(text, i + 4, text.size)) {
        line after = part(text, i + 4, text.size);
        if (after.size > name.size && memcmp(after.text, name.text, name.size) == 0 &&
            after.text[name.size] == '\n')
            return true;
    }
    return false;
}

static bool is_of_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

static void put_anchor(mst_output *out, line name) {
    for (size_t i = 0; i < name.size; i++)
        mst_output_bytes(out, is_of_name(name.text[i]) ? name.text + i : "-", 1);
}

/* A type, in which the names of records are links to them. */
static void put_type(page *p, line text) {
    for (size_t i = 0, end; i < text.size; i = end) {
        for (end = i; end < text.size && is_of_name(text.text[end]);)
            end++;
        line word = part(text, i, end);
        bool linked = word.size && has_heading(p, p->size, word);
        if (linked) {
            mst_output_text(&p->out, "<a href=\"#");
            put_anchor(&p->out, word);
            mst_output_text(&p->out, "\">");
        }
        end += end == i;
        put_escaped(&p->out, text.text + i, end - i);
        mst_output_text(&p->out, linked ? "</a>" : "");
    }
}

/* ---- blocks ------------------------------------------------------------------------------------------ */

static void close_blocks(page *p) {
    mst_output_text(&p->out, p->list ? "</li>\n</ul>\n" : "");
    mst_output_text(&p->out, p->table ? "</tbody>\n</table>\n</div>\n" : "");
    p->list = p->table = false;
}

/* The first of several records of a name has the anchor. */
static void put_heading(page *p, line text, size_t at) {
    unsigned depth = (unsigned)find(text, " ");
    line name = part(text, depth + 1, text.size);
    close_blocks(p);
    mst_output_format(&p->out, "<h%u", depth);
    if (depth == 2 && !has_heading(p, at, name)) {
        mst_output_text(&p->out, " id=\"");
        put_anchor(&p->out, name);
        mst_output_text(&p->out, "\"");
    }
    mst_output_text(&p->out, ">");
    put_words(&p->out, name);
    mst_output_format(&p->out, "</h%u>\n", depth);
}

/* "| a | b |" */
static void put_row(page *p, line text) {
    bool first = !p->table;
    if (first) {
        close_blocks(p);
        p->types = begins(text, "| field | type |") ? 1 : begins(text, "| id | field | content |") ? 2 : 0;
        /* scrollable content must be reachable by keyboard */
        mst_output_text(&p->out, "<div class=\"table\" role=\"group\" aria-label=\"Table\" tabindex=\"0\">\n"
                                 "<table>\n<thead>\n");
    }
    mst_output_text(&p->out, "<tr>");
    line rest = part(text, 1, text.size);
    for (size_t column = 0, end; (end = find(rest, "|")) < rest.size;
         column++, rest = part(rest, end + 1, rest.size)) {
        line cell = part(rest, 0, end);
        while (cell.size && cell.text[0] == ' ')
            cell = part(cell, 1, cell.size);
        while (cell.size && cell.text[cell.size - 1] == ' ')
            cell.size--;
        mst_output_text(&p->out, first ? "<th>" : "<td>");
        if (p->types && !first && column == p->types)
            put_type(p, cell);
        else
            put_words(&p->out, cell);
        mst_output_text(&p->out, first ? "</th>" : "</td>");
    }
    mst_output_text(&p->out, first ? "</tr>\n</thead>\n<tbody>\n" : "</tr>\n");
    p->table = true;
}

static void put_item(page *p, line text) {
    if (!p->list) {
        close_blocks(p);
        mst_output_text(&p->out, "<ul>\n<li>");
    } else {
        mst_output_text(&p->out, "</li>\n<li>");
    }
    p->list = true;
    put_words(&p->out, part(text, 2, text.size));
}

static bool is_block(line text) {
    return begins(text, "# ") || begins(text, "## ") || begins(text, "### ") || begins(text, "|") ||
           begins(text, "- ") || !text.size;
}

static line line_at(const page *p, size_t at) {
    line rest = {p->text + at, p->size - at};
    rest.size = find(rest, "\n");
    return rest;
}

/* Writes the block that begins there, and returns the position of the next: paragraphs and items may have
 * several lines. */
static size_t put_block(page *p, size_t at) {
    line text = line_at(p, at);
    size_t end = at + text.size + 1;
    bool paragraph = !is_block(text);
    while ((paragraph || begins(text, "- ")) && end < p->size && !is_block(line_at(p, end))) {
        end += line_at(p, end).size + 1;
        text.size = end - 1 - at;
    }
    if (begins(text, "#") && !paragraph) {
        put_heading(p, text, at);
    } else if (begins(text, "|---")) {
        return end;
    } else if (begins(text, "|")) {
        put_row(p, text);
    } else if (begins(text, "- ")) {
        put_item(p, text);
    } else {
        close_blocks(p);
        mst_output_text(&p->out, paragraph ? "<p>" : "");
        put_words(&p->out, text);
        mst_output_text(&p->out, paragraph ? "</p>\n" : "");
    }
    return end;
}

static const char style[] =
    "<style>\n:root { color-scheme: light dark }\n"
    "body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 75rem; padding: 1rem }\n"
    "code { font: 0.9em ui-monospace, monospace }\n.table { overflow-x: auto }\n"
    "table { border-collapse: collapse; font-size: 0.9rem }\n"
    "th, td { border: 1px solid #8886; padding: 0.25rem 0.5rem; text-align: left; vertical-align: top }\n"
    "</style>\n";

mst_status mst_write_reference_html(const mst_format_information *information, mst_sink sink) {
    mst_buffer text = {0};
    if (!sink.write)
        return MST_ARGUMENT;
    mst_status status = mst_write_reference(information, mst_buffer_sink(&text));
    if (status == MST_OK) {
        page p = {.text = (const char *)text.data, .size = text.size};
        mst_output_begin(&p.out, sink);
        mst_output_text(&p.out,
                        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n<meta "
                        "name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>");
        put_escaped(&p.out, information->title, strlen(information->title));
        mst_output_text(&p.out, "</title>\n");
        mst_output_text(&p.out, style);
        mst_output_text(&p.out, "</head>\n<body>\n<main>\n");
        for (size_t at = 0; at < p.size;)
            at = put_block(&p, at);
        close_blocks(&p);
        mst_output_text(&p.out, "</main>\n</body>\n</html>\n");
        status = mst_output_end(&p.out);
    }
    mst_buffer_free(&text);
    return status;
}
