/* Cuts a table into rows, and rows into columns (TDX-10 to TDX-12). Gives up on rows of white space, white space before an index, and CR. */
#include "tdxml.h"

bool table_begin(Table *t, const char *text, size_t size) {
    t->end = text + size;
    /* Up to the first LF there is no row (TDX-15). */
    t->next = size > 0 && text[0] == '\n' ? text + 1 : text;
    t->index = t->text = (Room){NULL, 0};
    t->size = 0;
    return memchr(text, '\r', size) == NULL && table_push(t, '[', 0) && table_next(t);
}

void table_end(Table *t) {
    PyMem_Free(t->index.data);
    PyMem_Free(t->text.data);
}

bool table_next(Table *t) {
    const char *p = t->head = t->next;
    int64_t elements = 0;
    t->column = NULL;
    while (p != t->end && ((*p >= '0' && *p <= '9') || *p == '[' || *p == ']' || *p == '(' || *p == ')'))
        elements += *p++ == '[';
    t->head_size = (size_t)(p - t->head);
    if (p == t->end) {
        t->kind = p == t->head ? ROW_END : ROW_PRESENCE;
        t->next = t->row_end = p;
    } else if (*p == '\n') {
        t->kind = ROW_PRESENCE;
        t->row_end = p;
        t->next = p + 1;
    } else {
        t->row_end = memchr(p, '\n', (size_t)(t->end - p));
        t->next = t->row_end == NULL ? t->end : t->row_end + 1;
        if (t->row_end == NULL)
            t->row_end = t->end;
        t->kind = *p == '|' ? ROW_COLUMNS : ROW_NIL;
        if (*p == '|')
            t->column = p + 1;
        else if (*p != '~' || p + 1 != t->row_end)
            return false;
    }
    return (t->head_size > 0 || t->kind == ROW_END) && elements <= t->elements;
}

/* The text of a column with escapes. */
static bool unescape(Table *t, const char *from, const char *to, creo_string *text) {
    static const char marks[] = "nr|\\alg~", meant[] = "\n\r|\\&<>~";
    if (!room_grow(&t->text, (size_t)(to - from)))
        return false;
    char *out = t->text.data;
    while (from != to) {
        if (*from == '\\') {
            const char *found = ++from == to ? NULL : memchr(marks, *from, sizeof marks - 1);
            if (found == NULL)
                return false;
            *out++ = meant[found - marks];
            from++;
        } else {
            *out++ = *from++;
        }
    }
    *text = (creo_string){t->text.data, (size_t)(out - t->text.data)};
    return true;
}

bool table_column(Table *t, creo_string *text, bool *nothing) {
    const char *start = t->column, *p = start;
    bool escaped = false;
    while (p != t->row_end && *p != '|') {
        if (*p == '\\') {
            escaped = true;
            if (++p == t->row_end)
                return false;
        }
        p++;
    }
    t->column = p == t->row_end ? NULL : p + 1;
    *nothing = p != start && *start == '~';
    if (*nothing)
        return p - start == 1;
    *text = (creo_string){start, (size_t)(p - start)};
    return !escaped || unescape(t, start, p, text);
}
