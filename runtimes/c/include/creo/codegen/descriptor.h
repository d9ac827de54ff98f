/**
 * What the text wires need to know of types and methods: names, positions, and the layout of the C structs. Generated code stores these tables as
 * constants; each text wire has one writer and one reader that follow them. An unused wire is thus not linked, and a type needs no code.
 */
#ifndef CREO_DESCRIPTOR_H
#define CREO_DESCRIPTOR_H

#include <creo/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The URI of an XML namespace. */
typedef struct creo_namespace {
    const char *uri;
    size_t size;
} creo_namespace;

/** An XML name; `space` is NULL without a namespace. */
typedef struct creo_text_name {
    const char *local;
    size_t size;
    const creo_namespace *space;
} creo_text_name;

/** The kind of a value, and what its field's `type` points to. For a text: NULL, or its zero-terminated XML Schema type if needed (SOAP-31). */
typedef enum creo_text_kind {
    CREO_TEXT_BOOLEAN = 0,
    CREO_TEXT_BYTE,
    CREO_TEXT_SHORT,
    CREO_TEXT_CHAR,
    CREO_TEXT_INT,
    CREO_TEXT_LONG,
    CREO_TEXT_FLOAT,
    CREO_TEXT_DOUBLE,
    CREO_TEXT_STRING,
    /** A string read without surrounding white space (XML-38). */
    CREO_TEXT_TOKEN,
    /** A string with a qualified name, `{uri}local` or `local` (XML-48). */
    CREO_TEXT_QNAME,
    /** A string with a complete element (XML-36). */
    CREO_TEXT_RAW,
    CREO_TEXT_DATETIME,
    CREO_TEXT_DECIMAL,
    CREO_TEXT_BYTES,
    /** Bytes as hexadecimal digits. */
    CREO_TEXT_HEX,
    /** creo_text_enum */
    CREO_TEXT_ENUM,
    /** creo_text_record */
    CREO_TEXT_RECORD,
    /** creo_text_union */
    CREO_TEXT_UNION,
    /** creo_text_field of an item: an element for each (XML-22). */
    CREO_TEXT_REPEATED,
    /** creo_text_field of an item: all within one element (XML-23). */
    CREO_TEXT_WRAPPED,
    /** creo_text_field of an item: all in one text (XML-33). */
    CREO_TEXT_LIST,
    /** creo_text_map */
    CREO_TEXT_MAP,
    /** creo_text_map of texts: the attributes that no other field declares (XML-36). */
    CREO_TEXT_ATTRIBUTES
} creo_text_kind;

/** The position of a field in XML. */
typedef enum creo_text_place {
    CREO_PLACE_ELEMENT = 0,
    CREO_PLACE_ATTRIBUTE,
    CREO_PLACE_TEXT,
    CREO_PLACE_INLINE,
    CREO_PLACE_ANY,
    CREO_PLACE_HEADER
} creo_text_place;

/** The C representation of the value. */
typedef enum creo_text_slot {
    CREO_SLOT_VALUE = 0,
    /** Null if the flag at `flag` is not set. */
    CREO_SLOT_FLAG,
    /** A pointer; NULL is null. */
    CREO_SLOT_POINTER,
    /** A pointer that must not be NULL. */
    CREO_SLOT_REQUIRED,
    /** A pointer, not NULL, to a flag, at `flag`, and a value, at `inner`. */
    CREO_SLOT_BOXED
} creo_text_slot;

/** Flags of a field. */
enum {
    /** Null is written as an element with xsi:nil (XML-34). */
    CREO_FIELD_NILLABLE = 1,
    /** It may be absent and then keeps the value that its struct's `clear` set. */
    CREO_FIELD_MAY_MISS = 2,
    /** It may be absent because it has a default, even on wires that write empty arrays. */
    CREO_FIELD_DEFAULT = 4
};

/** A field, parameter, member, item, key or value. */
typedef struct creo_text_field {
    /** The declared name; NULL without a name. */
    const char *name;
    creo_text_name xml;
    /** A creo_text_place, creo_text_kind, creo_text_slot, and flags. */
    uint8_t place;
    uint8_t kind;
    uint8_t slot;
    uint8_t flags;
    uint32_t name_size;
    /** The position among the attributes, or among the elements, of its record: for tables (TDX-11). */
    uint32_t number;
    /** The offsets of the value and its flag in the struct. */
    uint32_t offset;
    uint32_t flag;
    uint32_t inner;
    /** The size of an item, or of the target of a pointer. */
    uint32_t size;
    /** The charges (LIM-18) for its value, if it is a present optional or a union member, and for it as an array item. */
    uint32_t value_charge;
    uint32_t item_charge;
    const void *type;
} creo_text_field;

/** The name of an element, and the field that it begins. */
typedef struct creo_text_start {
    creo_text_name name;
    uint32_t field;
} creo_text_start;

/** The namespaces that a message may need, sorted: their prefixes are n1, n2, ... (XML-2). */
typedef struct creo_text_spaces {
    const creo_namespace *const *items;
    uint32_t count;
    /** Whether xsi:nil or xsi:type can occur. */
    bool xsi;
} creo_text_spaces;

enum {
    CREO_RECORD_EXTENSIBLE = 1,
    CREO_RECORD_RECURSIVE = 2,
    /** A field is an attribute. */
    CREO_RECORD_ATTRIBUTES = 4,
    /** The union's member is identified by xsi:type (XML-37). */
    CREO_UNION_DERIVED = 8,
    /** The message is rpc/encoded (SOAP-30). */
    CREO_RECORD_ENCODED = 16,
    /** Requests have WS-Addressing blocks by default (SOAP-40). */
    CREO_RECORD_ADDRESSED = 32
};

/** A struct, an exception, or a method's parameters or result. */
typedef struct creo_text_record {
    /** Full name (MODEL-1); for a message, the declared name of the method. */
    const char *name;
    creo_text_name xml;
    const creo_text_field *fields;
    uint32_t field_count;
    uint32_t flags;
    uint32_t size;
    /** The index of the text field, and of the one for any element; -1 for none. */
    int32_t text;
    int32_t any;
    uint32_t start_count;
    const creo_text_start *starts;
    /** Sets all fields to their defaults; NULL if these are all zeros. */
    void (*clear)(void *value);
} creo_text_record;

/** A union. */
typedef struct creo_text_union {
    const char *name;
    creo_text_name xml;
    const creo_text_field *members;
    uint32_t member_count;
    uint32_t flags;
    uint32_t size;
    /** The offset of the kind, of four bytes. */
    uint32_t kind;
    /** The member of an element without xsi:type, or -1. */
    int32_t base;
    uint32_t start_count;
    const creo_text_start *starts;
} creo_text_union;

typedef struct creo_text_constant {
    /** The declared name. */
    const char *name;
    size_t name_size;
    /** The text in XML. */
    const char *text;
    size_t size;
    uint32_t number;
    /** The index of the constant at this position in the order of names, by size, then by bytes. */
    uint32_t by_name;
    /** The same for the order of texts. */
    uint32_t by_text;
} creo_text_constant;

typedef struct creo_text_enum {
    const char *name;
    creo_text_name xml;
    const creo_text_constant *constants;
    uint32_t constant_count;
    bool extensible;
} creo_text_enum;

typedef struct creo_text_map {
    const creo_text_field *key;
    const creo_text_field *value;
    /** The size of an entry. */
    uint32_t size;
    creo_key keys;
    /** The charge for each entry (LIM-18). */
    uint32_t charge;
} creo_text_map;

/** A standalone value (XML-3). */
typedef struct creo_text_root {
    creo_text_field field;
    creo_text_spaces spaces;
} creo_text_root;

/** A request or a response. */
typedef struct creo_text_message {
    creo_text_name element;
    /** The body contains the elements of the fields (SOAP-6, SOAP-91, SOAP-100). */
    bool bare;
    creo_text_record record;
    creo_text_spaces spaces;
} creo_text_message;

/** A declared exception, and its offset in the outcome. */
typedef struct creo_text_exception {
    const creo_text_record *record;
    uint32_t offset;
} creo_text_exception;

typedef struct creo_text_method {
    /** MODEL-4. */
    uint64_t id;
    const char *action;
    creo_text_message request;
    creo_text_message response;
    const creo_text_exception *exceptions;
    uint32_t exception_count;
    /** The offset of the kind in the outcome, of four bytes: 0 for the result, else the exception's index plus 1. */
    uint32_t kind;
    /** The names of secrets in its messages (CALL-65), with a space between them; NULL for none. */
    const char *secrets;
    /**
     * The response on the soap wire, if its parts are the members of the result (SOAP-26, SOAP-100); NULL: `response`. Those in the header have
     * `CREO_PLACE_HEADER`, and are no arrays; the offsets of all parts are those of members of the result.
     */
    const creo_text_message *soap_response;
    /** An item of its only stream, which the json wire carries (HTTP-30): standalone if the caller writes it, else in the outcome. NULL for none. */
    const creo_text_field *item;
} creo_text_method;

/** What carries the streams of calls. Private. */
struct creo_carrier;

typedef struct creo_text_interface {
    /** Full name (MODEL-1). */
    const char *name;
    const creo_text_method *methods;
    uint32_t method_count;
    /** Clients write SOAP 1.2 by default (SOAP-24). */
    bool soap12;
    /** What carries streams on the json wire; NULL: the wire is not one of the code, or no method has one. */
    const struct creo_carrier *lines;
} creo_text_interface;

#ifdef __cplusplus
}
#endif

#endif
