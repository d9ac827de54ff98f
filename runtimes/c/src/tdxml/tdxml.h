/* Tables: documents, rows and data schemas. Not part of the API. */
#ifndef CREO_SRC_TDXML_H
#define CREO_SRC_TDXML_H

#include <creo/tdxml.h>

#include "../base/internal.h"
#include "../xml/xml_read.h"
#include "../xml/xml_writer.h"

#define CREO_TDXML_SPACE "urn:creo:tdxml"

/* The content of a document: a standalone value, by its field, or a method's parameters or result, by their record. */
typedef struct creo_tdxml_root {
    /* TDX-3: the full name of a type, the name of a method. */
    const char *name;
    const creo_text_field *field;
    const creo_text_record *record;
} creo_tdxml_root;

/* The root of a standalone value or an exception, whose field is made at `field`. */
CREO_PRIVATE creo_tdxml_root creo_tdxml_root_of(const creo_text_field *field);
CREO_PRIVATE creo_tdxml_root creo_tdxml_root_of_record(const creo_text_record *record, creo_text_field *field);

/* Writes a document; `of`: with the name of its content. */
CREO_PRIVATE bool creo_tdxml_write_document(creo_xml_out *out, const creo_tdxml_root *root, const void *value, creo_tdxml_options options, bool of);

/* Writes the rows of a standalone value, or of a message. */
CREO_PRIVATE bool creo_tdxml_write_rows(creo_xml_out *out, const creo_tdxml_root *root, const void *value, creo_tdxml_scheme scheme);

/* Writes the data schema, each definition with its line end (TDX-41). Allocates in the arena. */
CREO_PRIVATE bool creo_tdxml_write_schema(creo_writer *writer, const creo_tdxml_root *root, creo_arena *arena);

/* Compares a data schema with that of the root (TDX-43). */
CREO_PRIVATE bool creo_tdxml_check_schema(creo_xml *xml, const creo_tdxml_root *root, creo_string schema);

/* A document that was read up to its table. */
typedef struct creo_tdxml_document {
    /* The attribute, and the position of its value; a NULL pointer if absent. */
    creo_string of;
    const uint8_t *of_at;
    /* A NULL pointer if absent. */
    creo_string schema;
    creo_tdxml_scheme scheme;
    creo_string table;
    /* The position of the table. */
    const uint8_t *at;
} creo_tdxml_document;

/* Whether the start tag just read is that of a document. */
CREO_PRIVATE bool creo_tdxml_is_document(creo_xml *xml);

/* Allows the prefix TDXML without declaration (TDX-1), at the reader's position before a document's start tag. */
CREO_PRIVATE bool creo_tdxml_declare(creo_xml *xml);

/* Reads a document whose start tag was read, with its end tag. */
CREO_PRIVATE bool creo_tdxml_read_document(creo_xml *xml, const creo_element *element, creo_tdxml_document *document);

/* Reads a document that is a whole text. */
CREO_MODULE bool creo_tdxml_read_whole(creo_xml *xml, creo_tdxml_document *document);

/* `malformed` unless the document's `of`, if present, is this name. */
CREO_PRIVATE bool creo_tdxml_check_of(creo_xml *xml, const creo_tdxml_document *document, const char *name);

/* The value of a document: compares its schema and reads its rows. The paths of errors begin with the reader's root. */
CREO_PRIVATE bool creo_tdxml_read_value(creo_xml *xml, const creo_tdxml_document *document, const creo_tdxml_root *root, void *value);

/*
 * Rows.
 */

/* The content after an index. */
typedef enum creo_row_content { CREO_ROW_PRESENCE = 0, CREO_ROW_NOTHING, CREO_ROW_COLUMNS } creo_row_content;

/* An element of an index. */
typedef struct creo_index_step {
    uint32_t number;
    /* UINT32_MAX for none. */
    uint32_t occurrence;
} creo_index_step;

#define CREO_NO_OCCURRENCE UINT32_MAX

/* The position of a row, for reading sorted rows. */
typedef struct creo_row_place {
    uint32_t offset;
    uint32_t number;
} creo_row_place;

typedef struct creo_rows {
    creo_xml *xml;
    const uint8_t *start;
    const uint8_t *end;
    /* The start of the search for the next row, and its number. */
    const uint8_t *next;
    uint32_t next_number;
    /* The order, if the rows were sorted. */
    const creo_row_place *order;
    size_t order_count;
    size_t order_at;
    /* The next row, unless there is none. */
    bool done;
    const uint8_t *row;
    const uint8_t *index_end;
    const uint8_t *row_end;
    uint32_t number;
    creo_row_content content;
    uint32_t depth;
    bool is_attribute;
    uint32_t attribute;
    /* The number of steps in common with the previous row; all until it was compared. */
    uint32_t same;
    creo_index_step *steps;
    uint32_t step_room;
    /* The index of the previous row, up to its last element. */
    const uint8_t *prefix;
    size_t prefix_size;
    /* The position of the table; its bytes have separate positions only if it is a part of the input. */
    const uint8_t *at;
    bool in_place;
} creo_rows;

/* Begins with the table of a document and reads the first row. */
CREO_PRIVATE bool creo_rows_begin(creo_rows *rows, creo_xml *xml, const creo_tdxml_document *document);

/* The position of an error at a byte of the table. */
static inline const uint8_t *creo_rows_where(const creo_rows *rows, const uint8_t *at)
{
    return rows->in_place ? at : rows->at;
}

/* Goes to the next row. */
CREO_PRIVATE bool creo_rows_next(creo_rows *rows);

/* Compares two rows by their well-formed indices (TDX-13). An element without an occurrence comes before those with one. */
CREO_PRIVATE int creo_rows_compare(const uint8_t *a, const uint8_t *a_end, const uint8_t *b, const uint8_t *b_end);

/* Whether the rows, as far as they are readable, are in order. */
CREO_PRIVATE bool creo_rows_in_order(creo_xml *xml, const creo_tdxml_document *document);

/* Begins with the rows in schema order; a duplicate index is an error that names both. */
CREO_PRIVATE bool creo_rows_begin_sorted(creo_rows *rows, creo_xml *xml, const creo_tdxml_document *document);

/* Whether the next row is at or beneath the root. */
CREO_PRIVATE bool creo_rows_check_root(creo_rows *rows);

/* `malformed` at the next row, or at the end of the table. Returns false. */
CREO_PRIVATE CREO_COLD bool creo_rows_fail(creo_rows *rows, const char *format, ...) CREO_PRINTF(2, 3);

/* Names the row in an error of one of its columns (TDX-15). Returns false. */
CREO_PRIVATE CREO_COLD bool creo_rows_name(const creo_rows *rows);

/* The next column of the row, from after the bar at `*at`; moves to the next bar, or to the row's end. `nothing`: it is `~`. */
CREO_PRIVATE bool creo_rows_column(creo_rows *rows, const uint8_t **at, creo_string *text, bool *nothing);

#endif
