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

/* Whether the text is `true` or `false` in any case of letters. */
CREO_PRIVATE bool creo_xml_any_case(creo_string text, bool *value);

/* Whether the field holds single values of a type that no blank text is a value of. */
CREO_PRIVATE bool creo_xml_is_never_blank(const creo_text_field *field);

/* Whether an open element is that of such a field, and blank. The reader does not move. */
CREO_PRIVATE bool creo_xml_is_blank(creo_xml *xml, const creo_text_field *field, const creo_element *element);

/* Whether an open element, whose start tag was read last, is as if it were not there (XML-51): that of a field of a record, or of an item. The reader does not move. */
CREO_PRIVATE bool creo_xml_is_missing(creo_xml *xml, const creo_text_field *field, const creo_element *element);

/* Whether nothing may be said of the text of the field's record alone (XML-32). */
CREO_PRIVATE bool creo_xml_has_optional_text(const creo_text_field *field);

/* Whether an element is to be skipped that begins no field of the record, or one that was there before (`again`). If not, that is an error. */
CREO_PRIVATE bool creo_xml_passes_over(creo_xml *xml, const creo_text_record *record, const uint8_t *at, bool again);

/* `malformed`: the element whose start tag was read is undeclared or a duplicate; lists the expected ones. Returns false. */
CREO_PRIVATE bool creo_xml_unknown(creo_xml *xml, const creo_text_start *starts, uint32_t count, const uint8_t *at, bool again);

#endif
