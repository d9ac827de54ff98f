/* The XML reader: tags, texts and namespaces. Not part of the API. */
#ifndef CREO_SRC_XML_READER_H
#define CREO_SRC_XML_READER_H

#include <creo/codegen/path.h>
#include <creo/xml.h>

#include "../base/internal.h"
#include "../text/text_chars.h"

#define CREO_XSI "http://www.w3.org/2001/XMLSchema-instance"
#define CREO_XML_SPACE "http://www.w3.org/XML/1998/namespace"
#define CREO_XMLNS_SPACE "http://www.w3.org/2000/xmlns/"

/* A part of a multipart (SOAP-20), by its content id. */
typedef struct creo_xml_part {
    creo_string id;
    creo_bytes bytes;
    /* Why the bytes could not be read in their transfer encoding (SOAP-22); NULL if they were. */
    const char *wrong;
    bool used;
} creo_xml_part;

/* A prefix, empty for the default, and its namespace, empty for none. */
typedef struct creo_binding {
    creo_string prefix;
    creo_string uri;
    uint32_t hash;
    /* One more than the index of the previous binding in its slot, 0 for none. */
    uint32_t older;
    /* The next of those that an element needs (XML-36), in the same form; and whether it is one of them. */
    uint32_t next;
    bool needed;
} creo_binding;

typedef struct creo_attribute {
    creo_string name; /* as written */
    creo_string prefix;
    creo_string local;
    creo_string uri;
    creo_string value;
    const uint8_t *at; /* of its value */
    bool declares;
} creo_attribute;

/* An open element: the name for its end tag, and the scope that ends with it. */
typedef struct creo_element {
    const uint8_t *name;
    size_t size;
    uint32_t bindings;
    /* An empty-element tag. */
    bool empty;
} creo_element;

/* The last prefix for a namespace, while its binding is in scope. */
typedef struct creo_prefix {
    const creo_namespace *space;
    uint32_t generation;
    uint32_t size; /* with the colon */
    const uint8_t *text;
} creo_prefix;

#define CREO_PREFIXES 16

typedef struct creo_xml {
    const uint8_t *at;
    /* The end of the readable bytes: the end of the text, or a byte that XML does not allow. */
    const uint8_t *end;
    const uint8_t *start;
    const uint8_t *all;
    creo_arena *arena;
    creo_error *error;
    const char *root;
    creo_keep keep;
    creo_limits limits;
    uint32_t depth;
    uint32_t levels_left;
    /* The memory that the message may still take (LIM-18). */
    uint64_t memory_left;
    creo_binding *bindings;
    uint32_t binding_count;
    uint32_t binding_room;
    /* The number of indexed bindings: each slot has one more than the index of the innermost one, 0 for none. */
    uint32_t indexed;
    uint32_t *newest;
    uint32_t newest_room;
    /* The number of comparisons of prefixes, and the bytes that declarations added to values (XML-45). */
    uint64_t compared;
    uint64_t declared;
    /* Whether names in texts have the prefixes in scope (XML-48): not in tables. */
    bool has_prefixes;
    uint32_t generation;
    creo_prefix prefixes[CREO_PREFIXES];
    /* The last start tag. */
    creo_string tag_prefix;
    creo_string tag_local;
    creo_string tag_uri;
    creo_attribute *attributes;
    uint32_t attribute_count;
    uint32_t attribute_room;
    /* Lenient reading (XML-50); and of strict reading, whether the value that is read may be missing there. */
    bool lenient;
    bool may_miss;
    /* The record that is read has an element of its own: items of its arrays may stand apart. */
    bool gathers;
    /* The parts of the multipart, if the text came in one. */
    creo_xml_part *parts;
    size_t part_count;
} creo_xml;

/* The transport's charset (XML-46). */
typedef enum creo_charset {
    CREO_CHARSET_NONE = 0,
    CREO_CHARSET_UTF8,
    CREO_CHARSET_UTF16,
    CREO_CHARSET_UTF16BE,
    CREO_CHARSET_UTF16LE,
    CREO_CHARSET_ASCII,
    CREO_CHARSET_LATIN1,
    CREO_CHARSET_WINDOWS_1252
} creo_charset;

/* Begins with a text; the reader is then at its root tag. */
CREO_PRIVATE bool creo_xml_begin(creo_xml *xml, creo_bytes text, creo_charset charset, creo_keep keep, creo_arena *arena, const creo_limits *limits,
                                 creo_error *error);

/* The same, to be read leniently if that is so. */
CREO_PRIVATE bool creo_xml_begin_lenient(creo_xml *xml, creo_bytes text, creo_charset charset, creo_keep keep, creo_arena *arena, const creo_limits *limits,
                                         bool lenient, creo_error *error);

/* What an error of strict reading says about lenient reading (XML-52). */
typedef enum creo_xml_leniency { CREO_XML_SKIPS = 0, CREO_XML_MISSES, CREO_XML_ACCEPTS } creo_xml_leniency;

/* Adds that to the error, if it is `malformed`. */
CREO_PRIVATE CREO_COLD void creo_xml_hint(const creo_xml *xml, creo_xml_leniency hint);

/* At `<?`: skips a processing instruction, or refuses it. */
CREO_PRIVATE CREO_COLD bool creo_xml_skip_instruction(creo_xml *xml);

/* Fails unless only comments and white space are left. */
CREO_PRIVATE bool creo_xml_finish(creo_xml *xml);

/* `malformed` at a byte. Returns false. */
CREO_PRIVATE CREO_COLD bool creo_xml_fail(creo_xml *xml, const uint8_t *at, const char *format, ...) CREO_PRINTF(3, 4);

/* The text ends, or continues with a byte that XML does not allow, where more is expected. */
CREO_PRIVATE CREO_COLD bool creo_xml_short(creo_xml *xml);
CREO_PRIVATE CREO_COLD bool creo_xml_no_memory(creo_xml *xml);
CREO_PRIVATE CREO_COLD bool creo_xml_limit(creo_xml *xml, const char *limit, uint64_t allowed);

/* The message exceeds LIM-18; the reader stays at the byte. Returns false. */
CREO_PRIVATE CREO_COLD bool creo_xml_too_large(creo_xml *xml, const uint8_t *at);

/* Charges the message for following values (LIM-18); false, without an error, if that is too much. */
static inline bool creo_xml_take_memory(creo_xml *xml, uint64_t bytes)
{
    if (!CREO_LIKELY(bytes <= xml->memory_left))
        return false;
    xml->memory_left -= bytes;
    return true;
}

/* The same at the reader's position, with the error. */
static inline bool creo_xml_charge(creo_xml *xml, uint64_t bytes)
{
    return creo_xml_take_memory(xml, bytes) || creo_xml_too_large(xml, xml->at);
}

/*
 * Goes to the next tag in an open element, without text before it. `closed`: it was the element's end tag, which was read.
 */
CREO_PRIVATE bool creo_xml_next(creo_xml *xml, const creo_element *element, bool *closed);

/* The same, with any text before the tag. */
CREO_PRIVATE bool creo_xml_within(creo_xml *xml, const creo_element *element, bool *closed);

/* The text of an open element, skipping its child elements, and its end tag. */
CREO_PRIVATE bool creo_xml_words(creo_xml *xml, const creo_element *element, creo_string *text);

/* Reads the start tag at the reader's position: its name, its attributes and declarations. */
CREO_PRIVATE bool creo_xml_open(creo_xml *xml, creo_element *element);

/* Reads the start tag at the reader's position if it has this name and no attributes: compared as bytes. */
CREO_PRIVATE bool creo_xml_open_predicted(creo_xml *xml, const creo_text_name *name, creo_element *element);

/* Whether the last start tag has this name; notes its prefix for later tags. */
CREO_PRIVATE bool creo_xml_is(creo_xml *xml, const creo_text_name *name);

/* The reader's position before a tag, to return to. */
typedef struct creo_xml_mark {
    const uint8_t *at;
    uint32_t bindings;
    uint32_t depth;
} creo_xml_mark;

static inline creo_xml_mark creo_xml_mark_of(const creo_xml *xml)
{
    creo_xml_mark mark = {xml->at, xml->binding_count, xml->depth};
    return mark;
}

CREO_PRIVATE void creo_xml_go_back(creo_xml *xml, const creo_xml_mark *to);

/* The index of the name of the start tag at the reader's position, where it stays; -1: none, or it is malformed, which reading will report. */
CREO_PRIVATE int creo_xml_peek(creo_xml *xml, const creo_text_start *starts, uint32_t count, uint32_t field, bool later);

/* Moves to the start tag that comes next, after white space and comments; stays if something else comes: then not `there`. */
CREO_PRIVATE bool creo_xml_to_element(creo_xml *xml, bool *there);

/* The text of an open element without child elements; reads its end tag. The text is in the input or in the arena. `at`: its start. */
CREO_PRIVATE bool creo_xml_text(creo_xml *xml, const creo_element *element, creo_string *text, const uint8_t **at);

/* Reads the end tag of an open element: only white space and comments may precede it. */
CREO_PRIVATE bool creo_xml_close(creo_xml *xml, const creo_element *element);

/* Skips the content of an open element, and its end tag. */
CREO_PRIVATE bool creo_xml_skip(creo_xml *xml, const creo_element *element);

/* Reads the element at the reader's position as text (XML-36). `name`: its required name, or NULL. */
CREO_PRIVATE bool creo_xml_raw(creo_xml *xml, const creo_text_name *name, creo_string *text);

/* The attribute of the last start tag, or NULL. */
CREO_PRIVATE creo_attribute *creo_xml_attribute(creo_xml *xml, const char *uri, const char *local);

/* A reference in a text, at `&`: its character as UTF-8. Returns the size, 0 after a failure. */
CREO_PRIVATE size_t creo_xml_reference(creo_xml *xml, const uint8_t **at, uint8_t into[4]);

/* The namespace of a prefix here; false if it has none. */
CREO_PRIVATE bool creo_xml_resolve(creo_xml *xml, creo_string prefix, creo_string *uri);

/* The innermost binding of a prefix, or NULL. */
CREO_PRIVATE creo_binding *creo_xml_find_prefix(creo_xml *xml, creo_string prefix);

/* Binds a prefix until the end of the open element. */
CREO_PRIVATE bool creo_xml_bind(creo_xml *xml, creo_string prefix, creo_string uri);

/* Restores an earlier number of bindings; or a later one, in a text that is read again. */
CREO_PRIVATE void creo_xml_go_to_scope(creo_xml *xml, uint32_t count);

/* The bytes of the part for a `cid:` (SOAP-20); `at` is its position. */
CREO_PRIVATE bool creo_xml_take_part(creo_xml *xml, creo_string href, const uint8_t *at, void *value);

/* A copy in the arena; NULL after a failure. */
CREO_PRIVATE char *creo_xml_copy(creo_xml *xml, creo_string text);

/* Whether the text is one well-formed element, with the name unless that is NULL. Allocates in the arena and releases it. */
CREO_PRIVATE bool creo_xml_is_element(creo_string text, const creo_text_name *name, creo_arena *arena, const creo_limits *limits);

/* Reads the value of an open element, whose start tag was read last, into the field of a struct. */
CREO_PRIVATE bool creo_xml_read_field(creo_xml *xml, const creo_text_field *field, void *base, const creo_element *element);

/* Reads the fields of a record from an open element, whose start tag was read last. */
CREO_PRIVATE bool creo_xml_read_record(creo_xml *xml, const creo_text_record *record, void *value, const creo_element *element);

/* The same of a record that was cleared, and some of whose fields, those in `seen`, were read elsewhere. */
CREO_PRIVATE bool creo_xml_read_fields(creo_xml *xml, const creo_text_record *record, void *value, const creo_element *element, uint64_t *seen);

/* The same of the elements alone; the attributes of `element` are not read. */
CREO_PRIVATE bool creo_xml_read_elements(creo_xml *xml, const creo_text_record *record, void *value, const creo_element *element, uint64_t *seen);

/* Memory for noting which fields of a record are present, a bit for each: `few`, or the arena. NULL: an error was set. */
CREO_PRIVATE uint64_t *creo_xml_notes(creo_xml *xml, const creo_text_record *record, uint64_t few[4]);

/* Gives the fields that are not in `seen` their values, or fails at a position if one is required. */
CREO_PRIVATE bool creo_xml_check_missing(creo_xml *xml, const creo_text_record *record, void *value, const uint64_t *seen, const uint8_t *at);

/* Adds a field to the path of an error, which was set. Returns false. */
CREO_PRIVATE bool creo_xml_step(creo_xml *xml, const creo_text_field *field);

/* The first byte of UTF-8 that is not an XML character, or `end`. */
CREO_PRIVATE const uint8_t *creo_xml_scan(const uint8_t *at, const uint8_t *end);

/* Whether the text is a qualified name, or a list of them (XML-48). */
static inline bool creo_is_named(const creo_text_field *field)
{
    return field->kind == CREO_TEXT_QNAME || (field->kind == CREO_TEXT_LIST && ((const creo_text_field *)field->type)->kind == CREO_TEXT_QNAME);
}

static inline bool creo_space_is(const creo_namespace *space, creo_string uri)
{
    return space == NULL ? uri.size == 0 : space->size == uri.size && memcmp(space->uri, uri.data, uri.size) == 0;
}

static inline bool creo_name_is(const creo_text_name *name, creo_string local, creo_string uri)
{
    return name->size == local.size && memcmp(name->local, local.data, local.size) == 0 && creo_space_is(name->space, uri);
}

/* The length of the name at the start of valid UTF-8; 0 if there is none. With `colon`, colons are letters. */
CREO_PRIVATE size_t creo_xml_name_length(const uint8_t *at, const uint8_t *end, bool colon);

#endif
