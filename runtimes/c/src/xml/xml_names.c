/* Qualified names as texts, written with prefixes (XML-48). */
#include "../text/numbers.h"
#include "xml_writer.h"

/* The max number of declarations of an element that a reader accepts (LIM-21). */
#define MAX_PREFIXES 256

static size_t written(const creo_xml_out *out)
{
    return (size_t)(out->writer->at - out->writer->start);
}

/* Whether a declaration can contain the namespace: tried and reverted, so that an error is that of the name. */
static bool is_text(creo_xml_out *out, creo_string uri)
{
    size_t before = written(out);
    if (!creo_xml_put_quoted(out->writer, uri))
        return false;
    out->writer->at = out->writer->start + before;
    return true;
}

/* The number of the element's own prefix for a namespace; 0 after a failure. */
static size_t own_prefix(creo_xml_out *out, creo_string uri)
{
    for (size_t i = 0; i < out->own_count; i++)
        if (creo_string_equal(out->own[i], uri))
            return i + 1;
    if (out->own_count == MAX_PREFIXES) {
        (void)creo_fail_limit(out->writer->error, "maxXmlAttributes", MAX_PREFIXES);
        return 0;
    }
    if (!is_text(out, uri))
        return 0;
    if (out->own == NULL && out->writer->arena != NULL)
        out->own = (creo_string *)creo_arena_take(out->writer->arena, MAX_PREFIXES, sizeof *out->own);
    if (out->own == NULL) {
        (void)creo_fail(out->writer->error, CREO_TOO_LARGE, "the writer has no memory left for the value");
        return 0;
    }
    out->own[out->own_count++] = uri;
    return out->own_count;
}

static bool put_prefix(creo_xml_out *out, size_t number)
{
    char text[CREO_NUMBER_TEXT];
    size_t size = (size_t)(creo_put_number(text, number) - text);
    return creo_xml_put(out, "q", 1) && creo_xml_put(out, text, size);
}

static bool put_one(creo_xml_out *out, creo_string name)
{
    creo_string uri;
    creo_string local;
    if (!creo_xml_split_name(name, &uri, &local) || creo_string_is(uri, CREO_XMLNS_SPACE))
        return creo_fail_value(out->writer->error, "a qualified name is {uri}local, or local");
    const creo_namespace *space = uri.size == 0 ? NULL : creo_xml_announced(out, uri);
    if (uri.size == 0 || space != NULL) {
        creo_text_name known = {local.data, local.size, space};
        return creo_xml_put_name(out, &known);
    }
    size_t number = own_prefix(out, uri);
    return number != 0 && put_prefix(out, number) && creo_xml_put(out, ":", 1) && creo_xml_put(out, local.data, local.size);
}

bool creo_xml_put_names(creo_xml_out *out, const creo_text_field *field, const void *value)
{
    if (field->kind != CREO_TEXT_LIST) {
        creo_string name;
        memcpy(&name, value, sizeof name);
        return put_one(out, name);
    }
    const creo_text_field *item = (const creo_text_field *)field->type;
    creo_list items = creo_list_at(value);
    if (!creo_check_list(out->writer, &items))
        return false;
    for (size_t i = 0; i < items.count; i++) {
        creo_string name;
        memcpy(&name, items.items + i * item->size, sizeof name);
        if (i != 0 && !creo_xml_put(out, " ", 1))
            return false;
        if (!put_one(out, name))
            return creo_at_index(out->writer->error, i);
    }
    return true;
}

static void reverse(uint8_t *from, uint8_t *to)
{
    while (from < to) {
        uint8_t c = *from;
        *from++ = *--to;
        *to = c;
    }
}

bool creo_xml_put_declarations(creo_xml_out *out, size_t at)
{
    size_t middle = written(out);
    if (out->own_declared == out->own_count)
        return true;
    for (; out->own_declared < out->own_count; out->own_declared++)
        if (!creo_xml_put(out, " xmlns:", 7) || !put_prefix(out, out->own_declared + 1) || !creo_xml_put(out, "=\"", 2) ||
            !creo_xml_put_quoted(out->writer, out->own[out->own_declared]) || !creo_xml_put(out, "\"", 1))
            return false;
    /* The output from `at` goes after the declarations. */
    uint8_t *start = out->writer->start;
    size_t end = written(out);
    reverse(start + at, start + middle);
    reverse(start + middle, start + end);
    reverse(start + at, start + end);
    return true;
}

bool creo_xml_put_named_content(creo_xml_out *out, const creo_text_field *field, const void *value)
{
    size_t at = written(out);
    return creo_xml_put(out, ">", 1) && creo_xml_put_names(out, field, value) && creo_xml_put_declarations(out, at);
}
