/* The rows of a table: splitting, parsing and sorting (TDX-10 to TDX-15). */
#include "../text/text_chars.h"
#include "tdxml.h"

#include <stdarg.h>
#include <stdio.h>

/* TDX-15 */
#define SHOWN 100

static inline bool rows_is_blank(uint8_t c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* The row's text, truncated between characters after this many. */
static creo_string shown(const uint8_t *at, const uint8_t *end)
{
    const uint8_t *stop = at;
    for (int i = 0; i < SHOWN && stop < end; i++) {
        size_t size = creo_utf8_sequence(stop, (size_t)(end - stop));
        stop += size == 0 ? 1 : size;
    }
    return creo_span(at, stop);
}

bool creo_rows_name(const creo_rows *rows)
{
    creo_error *error = rows->xml->error;
    if (error == NULL || error->code != CREO_MALFORMED || rows->row == NULL)
        return false;
    char text[SHOWN * 8 + 1];
    creo_text_show(text, sizeof text, shown(rows->row, rows->row_end));
    /* The row's name is most important: other text is truncated for it. */
    char name[sizeof text + 32];
    (void)snprintf(name, sizeof name, "row %lu: %s; ", (unsigned long)rows->number, text);
    size_t size = strlen(name);
    size_t room = sizeof error->message - 1;
    size_t old = strlen(error->message);
    size_t kept = size + old > room ? room - size : old;
    memmove(error->message + size, error->message, kept);
    memcpy(error->message, name, size);
    error->message[size + kept] = 0;
    if (!rows->in_place)
        error->has_offset = false;
    return false;
}

bool creo_rows_fail(creo_rows *rows, const char *format, ...)
{
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const uint8_t *at = rows->done || rows->row == NULL ? rows->end : rows->row;
    (void)creo_xml_fail(rows->xml, creo_rows_where(rows, at), "%s", text);
    return rows->done ? false : creo_rows_name(rows);
}

static bool wrong_index(creo_rows *rows)
{
    return creo_rows_fail(rows, "an index looks like [0][1]2(3), with numbers below 2^31 and without leading zeros");
}

/* A number up to a delimiter; UINT32_MAX if there is none. */
static inline uint32_t read_number(const uint8_t **from, const uint8_t *end)
{
    const uint8_t *at = *from;
    if (at == end || (unsigned)*at - '0' > 9)
        return UINT32_MAX;
    const uint8_t *first = at;
    uint64_t number = 0;
    while (at < end && (unsigned)*at - '0' <= 9 && at - first < 10)
        number = number * 10 + (uint64_t)(*at++ - '0');
    if (number > INT32_MAX || (at < end && (unsigned)*at - '0' <= 9) || (*first == '0' && at - first > 1))
        return UINT32_MAX;
    *from = at;
    return (uint32_t)number;
}

static bool more_steps(creo_rows *rows)
{
    if (rows->depth >= rows->xml->limits.max_xml_depth) {
        rows->xml->at = creo_rows_where(rows, rows->row);
        return creo_xml_limit(rows->xml, "maxXmlDepth", rows->xml->limits.max_xml_depth);
    }
    if (rows->depth < rows->step_room)
        return true;
    uint32_t room = rows->step_room == 0 ? 32 : rows->step_room * 2;
    creo_index_step *steps = (creo_index_step *)creo_arena_take(rows->xml->arena, room, sizeof *steps);
    if (steps == NULL)
        return creo_xml_no_memory(rows->xml);
    if (rows->depth != 0)
        memcpy(steps, rows->steps, rows->depth * sizeof *steps);
    rows->steps = steps;
    rows->step_room = room;
    return true;
}

/*
 * Parses a row whose index differs from the previous one only in its last element, as most do; true if it does. The elements before are compared as
 * bytes.
 */
static inline bool read_sibling(creo_rows *rows)
{
    const uint8_t *at = rows->row;
    size_t size = rows->prefix_size;
    /* A bracket, a number of one or two digits, a bracket, and the rest. */
    if (size == 0 || (size_t)(rows->row_end - at) < size + 5 || memcmp(at, rows->prefix, size) != 0 || at[size] != '[')
        return false;
    at += size + 1;
    uint32_t number = (uint32_t)at[0] - '0';
    if (number > 9)
        return false;
    if (at[1] != ']') {
        if (number == 0 || (uint32_t)at[1] - '0' > 9 || at[2] != ']')
            return false;
        number = number * 10 + ((uint32_t)at[1] - '0');
        at++;
    }
    at += 2;
    if (*at != '|')
        return false;
    creo_index_step *last = &rows->steps[rows->depth - 1];
    bool same = last->number == number && last->occurrence == CREO_NO_OCCURRENCE;
    *last = (creo_index_step){number, CREO_NO_OCCURRENCE};
    rows->same = rows->depth - (same ? 0 : 1);
    rows->is_attribute = false;
    rows->index_end = at;
    rows->content = CREO_ROW_COLUMNS;
    rows->prefix = rows->row;
    return true;
}

/* Parses the row from `row` to `row_end`. */
static bool read_row(creo_rows *rows)
{
    if (read_sibling(rows))
        return true;
    const uint8_t *at = rows->row;
    const uint8_t *end = rows->row_end;
    uint32_t before = rows->depth;
    bool same = true;
    rows->depth = 0;
    rows->same = 0;
    rows->is_attribute = false;
    rows->prefix = at;
    rows->prefix_size = 0;
    while (at < end && *at == '[') {
        rows->prefix_size = (size_t)(at - rows->prefix);
        at++;
        creo_index_step step = {read_number(&at, end), CREO_NO_OCCURRENCE};
        if (step.number == UINT32_MAX || at == end || *at != ']')
            return wrong_index(rows);
        at++;
        if (at < end && (unsigned)*at - '0' <= 9) {
            step.occurrence = read_number(&at, end);
            if (step.occurrence == UINT32_MAX)
                return wrong_index(rows);
        }
        if (!more_steps(rows))
            return false;
        creo_index_step *old = &rows->steps[rows->depth];
        same = same && rows->depth < before && old->number == step.number && old->occurrence == step.occurrence;
        rows->same += same ? 1 : 0;
        *old = step;
        rows->depth++;
    }
    if (rows->depth != 0 && at < end && *at == '(') {
        at++;
        rows->attribute = read_number(&at, end);
        if (rows->attribute == UINT32_MAX || at == end || *at != ')')
            return wrong_index(rows);
        at++;
        rows->is_attribute = true;
    }
    rows->index_end = at;
    if (rows->depth == 0)
        return wrong_index(rows);
    if (at == end)
        rows->content = CREO_ROW_PRESENCE;
    else if (*at == '|')
        rows->content = CREO_ROW_COLUMNS;
    else if (*at == '~' && at + 1 == end)
        rows->content = CREO_ROW_NOTHING;
    else
        return creo_rows_fail(rows, "behind an index stands nothing, or ~, or a bar and a value");
    return true;
}

/* The next line feed, or NULL. Most rows are short: it is then found without a call. */
static inline const uint8_t *find_line_end(const uint8_t *at, const uint8_t *end)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    const uint8_t *stop = end - at > 64 ? at + 64 : end;
    for (; stop - at >= 8; at += 8) {
        uint64_t marks = creo_zero_bytes(creo_load8(at) ^ CREO_EACH_BYTE * '\n');
        if (marks != 0)
            return at + __builtin_ctzll(marks) / 8;
    }
#endif
    return (const uint8_t *)memchr(at, '\n', (size_t)(end - at));
}

/* The bounds of the row at `*next`, without white space before its index. False for a blank row. */
static bool cut_row(const uint8_t **next, const uint8_t *end, const uint8_t **row, const uint8_t **row_end)
{
    const uint8_t *at = *next;
    const uint8_t *stop = find_line_end(at, end);
    *next = stop == NULL ? end : stop + 1;
    if (stop == NULL)
        stop = end;
    else if (stop > at && stop[-1] == '\r')
        stop--;
    while (at < stop && rows_is_blank(*at))
        at++;
    *row = at;
    *row_end = stop;
    return at < stop;
}

bool creo_rows_next(creo_rows *rows)
{
    if (rows->order != NULL) {
        rows->done = rows->order_at == rows->order_count;
        if (rows->done)
            return true;
        const creo_row_place *place = &rows->order[rows->order_at++];
        const uint8_t *next = rows->start + place->offset;
        rows->number = place->number;
        (void)cut_row(&next, rows->end, &rows->row, &rows->row_end);
        return read_row(rows);
    }
    do {
        rows->done = rows->next == rows->end;
        if (rows->done)
            return true;
        rows->number = rows->next_number++;
    } while (!cut_row(&rows->next, rows->end, &rows->row, &rows->row_end));
    return read_row(rows);
}

static void rows_begin(creo_rows *rows, creo_xml *xml, const creo_tdxml_document *document)
{
    memset(rows, 0, sizeof *rows);
    rows->xml = xml;
    rows->start = (const uint8_t *)document->table.data;
    rows->end = rows->start + document->table.size;
    rows->at = document->at;
    rows->in_place = rows->start >= xml->start && rows->start <= xml->all;
    /* The line of the table's tag is not a row if it is otherwise blank. */
    const uint8_t *at = rows->start;
    while (at < rows->end && rows_is_blank(*at))
        at++;
    rows->next = at < rows->end && *at == '\n' ? at + 1 : rows->start;
    rows->next_number = 1;
}

bool creo_rows_begin(creo_rows *rows, creo_xml *xml, const creo_tdxml_document *document)
{
    rows_begin(rows, xml, document);
    return creo_rows_next(rows);
}

/* A number of an index without leading zeros, as its digits. */
static creo_string number_at(const uint8_t **at, const uint8_t *end)
{
    const uint8_t *first = *at;
    while (*at < end && (unsigned)**at - '0' <= 9)
        (*at)++;
    return creo_span(first, *at);
}

static int compare_numbers(creo_string a, creo_string b)
{
    if (a.size != b.size)
        return a.size < b.size ? -1 : 1;
    return a.size == 0 ? 0 : memcmp(a.data, b.data, a.size);
}

/* The rank by TDX-13 of the next part of an index: its end, an attribute, an element. */
static int rank(const uint8_t *at, const uint8_t *end)
{
    return at < end && *at == '[' ? 2 : at < end && *at == '(' ? 1 : 0;
}

int creo_rows_compare(const uint8_t *a, const uint8_t *a_end, const uint8_t *b, const uint8_t *b_end)
{
    for (;;) {
        int left = rank(a, a_end);
        int right = rank(b, b_end);
        if (left != right)
            return left < right ? -1 : 1;
        if (left == 0)
            return 0;
        a++;
        b++;
        int order = compare_numbers(number_at(&a, a_end), number_at(&b, b_end));
        if (order != 0)
            return order;
        a++;
        b++;
        if (left == 1)
            return 0;
        order = compare_numbers(number_at(&a, a_end), number_at(&b, b_end));
        if (order != 0)
            return order;
    }
}

bool creo_rows_in_order(creo_xml *xml, const creo_tdxml_document *document)
{
    creo_rows rows;
    creo_error *error = xml->error;
    const uint8_t *before = NULL;
    const uint8_t *before_end = NULL;
    bool ordered = true;
    xml->error = NULL;
    bool fine = creo_rows_begin(&rows, xml, document);
    while (ordered && fine && !rows.done) {
        ordered = before == NULL || creo_rows_compare(before, before_end, rows.row, rows.index_end) < 0;
        before = rows.row;
        before_end = rows.index_end;
        fine = creo_rows_next(&rows);
    }
    xml->error = error;
    return ordered;
}

static int compare_places(const creo_rows *rows, const creo_row_place *a, const creo_row_place *b)
{
    return creo_rows_compare(rows->start + a->offset, rows->end, rows->start + b->offset, rows->end);
}

/* Merges runs of doubling length, so no order of rows is slow. Returns the sorted positions. */
static creo_row_place *rows_sort(const creo_rows *rows, creo_row_place *from, creo_row_place *to, size_t count)
{
    for (size_t run = 1; run < count; run *= 2) {
        for (size_t start = 0; start < count; start += 2 * run) {
            size_t middle = count - start < run ? count : start + run;
            size_t end = count - start < 2 * run ? count : start + 2 * run;
            size_t left = start;
            size_t right = middle;
            for (size_t at = start; at < end; at++) {
                bool take_left = left < middle && (right == end || compare_places(rows, &from[left], &from[right]) <= 0);
                to[at] = from[take_left ? left++ : right++];
            }
        }
        creo_row_place *other = from;
        from = to;
        to = other;
    }
    return from;
}

static bool fail_repeated(creo_rows *rows, const creo_row_place *first, const creo_row_place *again)
{
    char texts[2][SHOWN * 4 + 1];
    const creo_row_place *places[2] = {first, again};
    for (int i = 0; i < 2; i++) {
        const uint8_t *next = rows->start + places[i]->offset;
        const uint8_t *row;
        const uint8_t *end;
        (void)cut_row(&next, rows->end, &row, &end);
        creo_text_show(texts[i], sizeof texts[i], shown(row, end));
    }
    const uint8_t *at = creo_rows_where(rows, rows->start + again->offset);
    (void)creo_xml_fail(rows->xml, at, "row %lu: %s; row %lu: %s; an index comes once", (unsigned long)first->number, texts[0], (unsigned long)again->number, texts[1]);
    if (!rows->in_place && rows->xml->error != NULL)
        rows->xml->error->has_offset = false;
    return false;
}

bool creo_rows_check_root(creo_rows *rows)
{
    return (rows->steps[0].number == 0 && rows->steps[0].occurrence == CREO_NO_OCCURRENCE) || creo_rows_fail(rows, "the index of the root is [0]");
}

bool creo_rows_begin_sorted(creo_rows *rows, creo_xml *xml, const creo_tdxml_document *document)
{
    size_t count = 0;
    if (document->table.size > UINT32_MAX - 1)
        return creo_fail(xml->error, CREO_TOO_LARGE, "a table whose rows are not in order has less than 4 GiB");
    if (!creo_rows_begin(rows, xml, document))
        return false;
    while (!rows->done) {
        count++;
        if (!creo_rows_check_root(rows) || !creo_rows_next(rows))
            return false;
    }
    creo_row_place *places = (creo_row_place *)creo_arena_take(xml->arena, count, 2 * sizeof *places);
    if (places == NULL)
        return creo_xml_no_memory(xml);
    rows_begin(rows, xml, document);
    for (size_t i = 0; i < count; i++) {
        if (!creo_rows_next(rows))
            return false;
        places[i] = (creo_row_place){(uint32_t)(rows->row - rows->start), rows->number};
    }
    creo_row_place *sorted = rows_sort(rows, places, places + count, count);
    for (size_t i = 1; i < count; i++)
        if (compare_places(rows, &sorted[i - 1], &sorted[i]) == 0)
            return fail_repeated(rows, &sorted[i - 1], &sorted[i]);
    rows_begin(rows, xml, document);
    rows->order = sorted;
    rows->order_count = count;
    return creo_rows_next(rows);
}

/* The first bar or backslash, or the end. */
static inline const uint8_t *rows_plain_end(const uint8_t *at, const uint8_t *end)
{
    for (int i = 0; i < 8 && end - at >= 8; i++, at += 8) {
        /* The two differ in one bit. */
        uint64_t marks = creo_zero_bytes((creo_load8(at) | CREO_EACH_BYTE * 0x20) ^ CREO_EACH_BYTE * '|');
        if (marks != 0) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
            return at + __builtin_ctzll(marks) / 8;
#else
            break;
#endif
        }
    }
    if (end - at >= 64) {
        /* Long columns, such as those of bytes: the system's search is faster for them. */
        const uint8_t *bar = (const uint8_t *)memchr(at, '|', (size_t)(end - at));
        end = bar == NULL ? end : bar;
        const uint8_t *escape = (const uint8_t *)memchr(at, '\\', (size_t)(end - at));
        return escape == NULL ? end : escape;
    }
    while (at < end && *at != '|' && *at != '\\')
        at++;
    return at;
}

/* The character of an escape; 0 for none. */
static uint8_t meaning(uint8_t letter)
{
    switch (letter) {
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 'a':
        return '&';
    case 'l':
        return '<';
    case 'g':
        return '>';
    case '|':
    case '\\':
    case '~':
        return letter;
    default:
        return 0;
    }
}

/* A column with escapes, the first of them at `stop`. */
static bool long_column(creo_rows *rows, const uint8_t **at, const uint8_t *first, const uint8_t *stop, creo_string *text)
{
    const uint8_t *end = rows->row_end;
    const uint8_t *behind = stop;
    while (behind < end && *behind == '\\')
        behind = rows_plain_end(end - behind < 2 ? end : behind + 2, end);
    uint8_t *start = creo_arena_bytes(rows->xml->arena, (size_t)(behind - first));
    if (start == NULL)
        return creo_xml_no_memory(rows->xml);
    uint8_t *to = start;
    const uint8_t *run = first;
    for (;;) {
        memcpy(to, run, (size_t)(stop - run));
        to += stop - run;
        if (stop == behind)
            break;
        uint8_t character = end - stop < 2 ? 0 : meaning(stop[1]);
        if (character == 0)
            return creo_rows_fail(rows, "an escape is one of \\n \\r \\| \\\\ \\a \\l \\g \\~");
        *to++ = character;
        run = stop + 2;
        stop = rows_plain_end(run, end);
    }
    *text = creo_span(start, to);
    *at = behind;
    return true;
}

bool creo_rows_column(creo_rows *rows, const uint8_t **at, creo_string *text, bool *nothing)
{
    const uint8_t *first = *at + 1;
    const uint8_t *stop = rows_plain_end(first, rows->row_end);
    *nothing = false;
    if (stop < rows->row_end && *stop == '\\') {
        if (!long_column(rows, at, first, stop, text))
            return false;
    } else {
        *text = creo_span(first, stop);
        *at = stop;
    }
    if (first < *at && *first == '~') {
        *nothing = *at - first == 1;
        return *nothing || creo_rows_fail(rows, "a value does not begin with ~");
    }
    return true;
}
