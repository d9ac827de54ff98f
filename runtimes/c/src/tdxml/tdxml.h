/* Tables: documents, rows and data schemas. Not part of the API. */
#ifndef CREO_SRC_TDXML_H
#define CREO_SRC_TDXML_H

#include <creo/tdxml.h>

#include "../base/internal.h"
#include "../xml/xml_read.h"
#include "../xml/xml_writer.h"

#define CREO_TDXML_SPACE "urn:creo:tdxml"

/* What a document holds: a value alone, by its field, or the parameters or the result of a method, by their record. */
typedef struct creo_tdxml_root {
    /* TDX-3: the full name of a type, the name of a method. */
    const char *name;
    const creo_text_field *field;
    const creo_text_record *record;
} creo_tdxml_root;

/* The root of a value alone, and of an exception, whose field is made at `field`. */
CREO_PRIVATE creo_tdxml_root creo_tdxml_root_of(const creo_text_field *field);
CREO_PRIVATE creo_tdxml_root creo_tdxml_root_of_record(const creo_text_record *record, creo_text_field *field);

/* Writes a document; `of`: with the name of what it holds. */
CREO_PRIVATE bool creo_tdxml_write_document(creo_xml_out *out, const creo_tdxml_root *root, const void *value, creo_tdxml_options options, bool of);

/* Writes the rows of a value alone, or of a message. */
CREO_PRIVATE bool creo_tdxml_write_rows(creo_xml_out *out, const creo_tdxml_root *root, const void *value, creo_tdxml_scheme scheme);

/* TDX-12, but for `~` at the start. */
CREO_PRIVATE bool creo_tdxml_put_text(creo_writer *writer, creo_string text);

/* Writes the data schema, each definition with its line end (TDX-41). Takes memory from the arena. */
CREO_PRIVATE bool creo_tdxml_write_schema(creo_writer *writer, const creo_tdxml_root *root, creo_arena *arena);

/* Compares a data schema with that of the root (TDX-43). */
CREO_PRIVATE bool creo_tdxml_check_schema(creo_xml *xml, const creo_tdxml_root *root, creo_string schema);

/* A document whose tags were read as far as its table. */
typedef struct creo_tdxml_document {
    /* The attribute, and the position of its value; a NULL pointer if there is none. */
    creo_string of;
    const uint8_t *of_at;
    /* A NULL pointer if there is none. */
    creo_string schema;
    creo_tdxml_scheme scheme;
    creo_string table;
    /* The position of the table. */
    const uint8_t *at;
} creo_tdxml_document;

/* Whether the start tag that was read is that of a document. */
CREO_PRIVATE bool creo_tdxml_is_document(creo_xml *xml);

/* Lets the prefix TDXML be without declaration (TDX-1), at the reader's position before the start tag of a document. */
CREO_PRIVATE bool creo_tdxml_declare(creo_xml *xml);

/* Reads a document whose start tag was read, and its end tag. */
CREO_PRIVATE bool creo_tdxml_read_document(creo_xml *xml, const creo_element *element, creo_tdxml_document *document);

/* Reads a document that is all of a text. */
CREO_MODULE bool creo_tdxml_read_whole(creo_xml *xml, creo_tdxml_document *document);

/* Whether the document's `of`, if there is one, is that name; `malformed` if not. */
CREO_PRIVATE bool creo_tdxml_check_of(creo_xml *xml, const creo_tdxml_document *document, const char *name);

/* The value of a document: its schema is compared, its rows are read. The place of errors begins with the reader's root. */
CREO_PRIVATE bool creo_tdxml_read_value(creo_xml *xml, const creo_tdxml_document *document, const creo_tdxml_root *root, void *value);

/*
 * Rows.
 */

/* What comes after an index. */
typedef enum creo_row_content { CREO_ROW_PRESENCE = 0, CREO_ROW_NOTHING, CREO_ROW_COLUMNS } creo_row_content;

/* An element of an index. */
typedef struct creo_index_step {
    uint32_t number;
    /* UINT32_MAX: none is given. */
    uint32_t occurrence;
} creo_index_step;

#define CREO_NO_OCCURRENCE UINT32_MAX

/* A row's place, in the order in which rows are read when they are sorted. */
typedef struct creo_row_place {
    uint32_t offset;
    uint32_t number;
} creo_row_place;

typedef struct creo_rows {
    creo_xml *xml;
    const uint8_t *start;
    const uint8_t *end;
    /* Where the next row is looked for, and its number. */
    const uint8_t *next;
    uint32_t next_number;
    /* The order, if the rows were sorted. */
    const creo_row_place *order;
    size_t order_count;
    size_t order_at;
    /* The row that comes next, unless there is none. */
    bool done;
    const uint8_t *row;
    const uint8_t *index_end;
    const uint8_t *row_end;
    uint32_t number;
    creo_row_content content;
    uint32_t depth;
    bool is_attribute;
    uint32_t attribute;
    /* So many steps are those of the row before; all, as long as it was not compared. */
    uint32_t same;
    creo_index_step *steps;
    uint32_t step_room;
    /* The index of the row before, up to its last element. */
    const uint8_t *prefix;
    size_t prefix_size;
    /* The position of the table; its bytes have places of their own only if it is a part of the text that is read. */
    const uint8_t *at;
    bool in_place;
} creo_rows;

/* Begins with the table of a document; the first row is read. */
CREO_PRIVATE bool creo_rows_begin(creo_rows *rows, creo_xml *xml, const creo_tdxml_document *document);

/* Where an error is that was found at a byte of the table. */
static inline const uint8_t *creo_rows_where(const creo_rows *rows, const uint8_t *at)
{
    return rows->in_place ? at : rows->at;
}

/* Goes on to the next row. */
CREO_PRIVATE bool creo_rows_next(creo_rows *rows);

/* Two rows by their indices, which are well-formed (TDX-13). An element without an occurrence comes before those that have one. */
CREO_PRIVATE int creo_rows_compare(const uint8_t *a, const uint8_t *a_end, const uint8_t *b, const uint8_t *b_end);

/* Whether each row, as far as they can be read, comes after the one before it. */
CREO_PRIVATE bool creo_rows_in_order(creo_xml *xml, const creo_tdxml_document *document);

/* Begins with the rows in schema order; a repeated index is an error that names both. */
CREO_PRIVATE bool creo_rows_begin_sorted(creo_rows *rows, creo_xml *xml, const creo_tdxml_document *document);

/* Whether the row that comes next is at or beneath the root. */
CREO_PRIVATE bool creo_rows_check_root(creo_rows *rows);

/* `malformed` at the row that comes next, or at the end of the table. Returns false. */
CREO_PRIVATE CREO_COLD bool creo_rows_fail(creo_rows *rows, const char *format, ...) CREO_PRINTF(2, 3);

/* Names the row in an error that was set while its columns were read (TDX-15). Returns false. */
CREO_PRIVATE CREO_COLD bool creo_rows_name(const creo_rows *rows);

/* The next column of the row, from after the bar at `*at`; moves to the bar after it, or to the row's end. `nothing`: it is `~`. */
CREO_PRIVATE bool creo_rows_column(creo_rows *rows, const uint8_t **at, creo_string *text, bool *nothing);

#endif
