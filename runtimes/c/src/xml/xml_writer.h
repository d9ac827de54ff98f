/* The XML writer. Not part of the API. */
#ifndef CREO_SRC_XML_WRITER_H
#define CREO_SRC_XML_WRITER_H

#include "../base/internal.h"
#include "../text/text_write.h"
#include "xml_reader.h"

/* A prefix with its colon, as far as a message has ones. */
typedef struct creo_written_prefix {
    const creo_namespace *space;
    uint32_t size;
    char text[12];
} creo_written_prefix;

typedef struct creo_xml_out {
    creo_writer *writer;
    const creo_text_spaces *spaces;
    /* What start tags say of the types of values (SOAP-31); NULL: nothing. */
    bool (*put_type)(struct creo_xml_out *out, const creo_text_field *field, const void *value);
    /* The one that was used last: most messages have one. */
    creo_written_prefix last;
    /* Byte strings of this size and more become parts of a package (SOAP-21); SIZE_MAX: none does. They stay where the caller has them. */
    size_t part_from;
    creo_bytes *parts;
    size_t part_count;
    size_t part_room;
    /* The namespaces for which the current element declares prefixes of its own, because names in it need them (XML-48); and how many it has declared. */
    creo_string *own;
    size_t own_count;
    size_t own_declared;
} creo_xml_out;

/* A writer of a message with those namespaces. */
CREO_PRIVATE void creo_xml_out_init(creo_xml_out *out, creo_writer *writer, const creo_text_spaces *spaces);

/* Bytes as they are. */
static inline bool creo_xml_put(creo_xml_out *out, const char *text, size_t size)
{
    return creo_put(out->writer, text, size);
}

/* Text with what XML marks up escaped, between tags and in attributes; `invalid-value` for what XML does not allow. */
CREO_PRIVATE bool creo_xml_put_content(creo_writer *writer, creo_string text);
CREO_PRIVATE bool creo_xml_put_quoted(creo_writer *writer, creo_string text);

/* ` xmlns:n1=".."` and so on, and xsi if the message needs it. */
CREO_PRIVATE bool creo_xml_put_spaces(creo_xml_out *out);

/* A name with its prefix; the same after a space. */
CREO_PRIVATE bool creo_xml_put_name(creo_xml_out *out, const creo_text_name *name);
CREO_PRIVATE bool creo_xml_put_attribute(creo_xml_out *out, const creo_text_name *name);

/* `<` and a name, and `</`, a name and `>`. */
CREO_PRIVATE bool creo_xml_put_open(creo_xml_out *out, const creo_text_name *name);
CREO_PRIVATE bool creo_xml_put_close(creo_xml_out *out, const creo_text_name *name);

/* The attributes of a map, each by `local` or `{uri}local` (XML-36). */
CREO_PRIVATE bool creo_xml_write_any_attributes(creo_xml_out *out, const creo_text_record *record, const creo_text_map *map, const void *value);

/* Takes `local` or `{uri}local` apart; false if it is no such name. */
CREO_PRIVATE bool creo_xml_split_name(creo_string key, creo_string *uri, creo_string *local);

/* The namespace with that URI for which the message has a prefix, or NULL. */
CREO_PRIVATE const creo_namespace *creo_xml_announced(const creo_xml_out *out, creo_string uri);

/* An element begins whose attributes or text may be qualified names. */
static inline void creo_xml_begin_names(creo_xml_out *out)
{
    out->own_count = 0;
    out->own_declared = 0;
}

/* A qualified name, or a list of them (XML-48). `put_declarations` then writes the declarations that it needs, `at` bytes of what was written. */
CREO_PRIVATE bool creo_xml_put_names(creo_xml_out *out, const creo_text_field *field, const void *value);
CREO_PRIVATE bool creo_xml_put_declarations(creo_xml_out *out, size_t at);

/* `>`, and the value as content, after the declarations that it needs. */
CREO_PRIVATE bool creo_xml_put_named_content(creo_xml_out *out, const creo_text_field *field, const void *value);

/* Makes a byte string a part of the package; `number` is that of its content id. */
CREO_PRIVATE bool creo_xml_add_part(creo_xml_out *out, creo_bytes bytes, size_t *number);

/* Whether a text is one whole element, that of the field if it is not `any`: `invalid-value` if not (XML-36). */
CREO_PRIVATE bool creo_xml_check_raw(creo_writer *writer, const creo_text_field *field, creo_string text);

/* The element of a field, or what a field is otherwise, from the struct that holds it. */
CREO_PRIVATE bool creo_xml_write_field(creo_xml_out *out, const creo_text_field *field, const void *base);

/* The fields of a record, but for attributes and headers: what is between its tags. */
CREO_PRIVATE bool creo_xml_write_content(creo_xml_out *out, const creo_text_record *record, const void *value);

/* The rest of a record's element, without the end tag: attributes, `>`, and what it holds. */
CREO_PRIVATE bool creo_xml_write_record(creo_xml_out *out, const creo_text_record *record, const void *value);

/* The attributes of a field's value and its content, after a tag whose name was written: `a="1">...`; without the end tag. */
CREO_PRIVATE bool creo_xml_write_inside(creo_xml_out *out, const creo_text_field *field, const void *value);

#endif
