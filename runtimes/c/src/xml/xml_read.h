/* Values from XML, by their descriptors. Not part of the API. */
#ifndef CREO_SRC_XML_READ_H
#define CREO_SRC_XML_READ_H

#include "../base/internal.h"
#include "../text/items.h"
#include "xml_reader.h"

/* The max number of fields of a group that may be absent completely. */
#define CREO_MAX_FIELDS 4096

/* Each reads the content of an open element, whose start tag was read last, and its end tag. */
CREO_PRIVATE bool creo_xml_read_union(creo_xml *xml, const creo_text_union *type, void *value, const creo_element *element);
CREO_PRIVATE bool creo_xml_read_wrapped(creo_xml *xml, const creo_text_field *field, void *value, const creo_element *element);
CREO_PRIVATE bool creo_xml_read_map(creo_xml *xml, const creo_text_map *map, void *value, const creo_element *element);

/* Whether the start tag has no attributes without a namespace, or the type is extensible (XML-26). */
CREO_PRIVATE bool creo_xml_check_attributes(creo_xml *xml, bool extensible);

/* The attributes of the last start tag, into a record; notes which were present. */
CREO_PRIVATE bool creo_xml_read_attributes(creo_xml *xml, const creo_text_record *record, void *value, uint64_t *seen);

/* The text field of a record. */
CREO_PRIVATE bool creo_xml_read_content(creo_xml *xml, const creo_text_field *field, void *base, const creo_element *element);

/* The memory for a field's value: allocated if it is a pointer. Marks an optional as present, and charges for it (LIM-18). NULL after a failure. */
CREO_PRIVATE void *creo_xml_make_place(creo_xml *xml, const creo_text_field *field, void *base);

/* Reads the element at the reader's position as the text of a field of a struct (XML-36). */
CREO_PRIVATE bool creo_xml_read_raw(creo_xml *xml, const creo_text_field *field, void *base);

/* The memory for the next item, charged (LIM-18); NULL after a failure. */
CREO_PRIVATE void *creo_xml_next_item(creo_xml *xml, creo_gathered *list, size_t size, uint32_t charge);

/* Parses a text; surrounding white space is skipped (XML-10). `at` is its position. */
CREO_PRIVATE bool creo_xml_parse_text(creo_xml *xml, const creo_text_field *field, creo_string text, const uint8_t *at, void *value);

/* Reads the tag at the reader's position, if it has this name; otherwise the reader does not move, unless it failed. */
CREO_PRIVATE bool creo_xml_open_named(creo_xml *xml, const creo_text_name *name, creo_element *element, bool *failed);

/* `malformed`: the element whose start tag was read is undeclared or a duplicate; lists the expected ones. Returns false. */
CREO_PRIVATE bool creo_xml_unknown(creo_xml *xml, const creo_text_start *starts, uint32_t count, const uint8_t *at, bool again);

#endif
