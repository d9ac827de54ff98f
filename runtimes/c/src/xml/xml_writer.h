/* The XML writer. Not part of the API. */
#ifndef CREO_SRC_XML_WRITER_H
#define CREO_SRC_XML_WRITER_H

#include "../base/internal.h"
#include "../text/text_write.h"
#include "xml_reader.h"

/* A prefix with its colon, if the message has prefixes. */
typedef struct creo_written_prefix {
    const creo_namespace *space;
    uint32_t size;
    char text[12];
} creo_written_prefix;

typedef struct creo_xml_out {
    creo_writer *writer;
    const creo_text_spaces *spaces;
    /* Writes the types of values in start tags (SOAP-31); NULL for none. */
    bool (*put_type)(struct creo_xml_out *out, const creo_text_field *field, const void *value);
    /* The last one used: most messages have one. */
    creo_written_prefix last;
    /* Byte strings of at least this size become MIME parts (SOAP-21); SIZE_MAX for none. They stay in the caller's memory. */
    size_t part_from;
    creo_bytes *parts;
    size_t part_count;
    size_t part_room;
    /* The namespaces of the current element's own prefixes, needed by names in it (XML-48); and how many it has declared. */
    creo_string *own;
    size_t own_count;
    size_t own_declared;
} creo_xml_out;

/* A writer of a message with these namespaces. */
CREO_PRIVATE void creo_xml_out_init(creo_xml_out *out, creo_writer *writer, const creo_text_spaces *spaces);

/* Bytes without conversion. */
static inline bool creo_xml_put(creo_xml_out *out, const char *text, size_t size)
{
    return creo_put(out->writer, text, size);
}

/* Escaped text, between tags and in attributes; `invalid-value` for characters that XML does not allow. */
CREO_PRIVATE bool creo_xml_put_content(creo_writer *writer, creo_string text);
CREO_PRIVATE bool creo_xml_put_quoted(creo_writer *writer, creo_string text);

/* ` xmlns:n1=".."` and so on, and xsi if the message needs it. */
CREO_PRIVATE bool creo_xml_put_spaces(creo_xml_out *out);

/* A name with its prefix; the same with a leading space. */
CREO_PRIVATE bool creo_xml_put_name(creo_xml_out *out, const creo_text_name *name);
CREO_PRIVATE bool creo_xml_put_attribute(creo_xml_out *out, const creo_text_name *name);

/* `<` and a name, and `</`, a name and `>`. */
CREO_PRIVATE bool creo_xml_put_open(creo_xml_out *out, const creo_text_name *name);
CREO_PRIVATE bool creo_xml_put_close(creo_xml_out *out, const creo_text_name *name);

/* The attributes of a map, each named `local` or `{uri}local` (XML-36). */
CREO_PRIVATE bool creo_xml_write_any_attributes(creo_xml_out *out, const creo_text_record *record, const creo_text_map *map, const void *value);

/* Splits `local` or `{uri}local`; false for any other name. */
CREO_PRIVATE bool creo_xml_split_name(creo_string key, creo_string *uri, creo_string *local);

/* The namespace with this URI if the message has a prefix for it, or NULL. */
CREO_PRIVATE const creo_namespace *creo_xml_announced(const creo_xml_out *out, creo_string uri);

/* Begins an element whose attributes or text may be qualified names. */
static inline void creo_xml_begin_names(creo_xml_out *out)
{
    out->own_count = 0;
    out->own_declared = 0;
}

/* A qualified name, or a list of them (XML-48). `put_declarations` then inserts the needed declarations at the byte `at` of the output. */
CREO_PRIVATE bool creo_xml_put_names(creo_xml_out *out, const creo_text_field *field, const void *value);
CREO_PRIVATE bool creo_xml_put_declarations(creo_xml_out *out, size_t at);

/* `>` and the value as content, after the needed declarations. */
CREO_PRIVATE bool creo_xml_put_named_content(creo_xml_out *out, const creo_text_field *field, const void *value);

/* Makes a byte string a MIME part; `number` is that of its content id. */
CREO_PRIVATE bool creo_xml_add_part(creo_xml_out *out, creo_bytes bytes, size_t *number);

/* `invalid-value` unless a text is one complete element, that of the field if it is not `any` (XML-36). */
CREO_PRIVATE bool creo_xml_check_raw(creo_writer *writer, const creo_text_field *field, creo_string text);

/* The element of a field, or its other form, from its struct. */
CREO_PRIVATE bool creo_xml_write_field(creo_xml_out *out, const creo_text_field *field, const void *base);

/* The fields of a record without attributes and headers: the content between its tags. */
CREO_PRIVATE bool creo_xml_write_content(creo_xml_out *out, const creo_text_record *record, const void *value);

/* The rest of a record's element, without the end tag: attributes, `>`, and content. */
CREO_PRIVATE bool creo_xml_write_record(creo_xml_out *out, const creo_text_record *record, const void *value);

/* The attributes and content of a field's value, after a tag whose name was written: `a="1">...`; without the end tag. */
CREO_PRIVATE bool creo_xml_write_inside(creo_xml_out *out, const creo_text_field *field, const void *value);

#endif
