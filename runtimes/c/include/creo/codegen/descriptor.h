/**
 * What the text wires need to know of types and methods: names, places, and where a value lies in its C struct. Generated code holds these tables as
 * constants; each text wire has one writer and one reader that walk them. So a wire that is not used is not linked, and a type costs no code.
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

/** An XML name; without a namespace `space` is NULL. */
typedef struct creo_text_name {
    const char *local;
    size_t size;
    const creo_namespace *space;
} creo_text_name;

/** What a value is; `type` of its field points to what the comment says. Of a text it is NULL, or the zero-terminated name of its XML Schema type, where that matters (SOAP-31). */
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
    /** A string that is read without white space around it (XML-38). */
    CREO_TEXT_TOKEN,
    /** A string that is a qualified name, `{uri}local` or `local` (XML-48). */
    CREO_TEXT_QNAME,
    /** A string that is a whole element (XML-36). */
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

/** Where the XML of a field is. */
typedef enum creo_text_place {
    CREO_PLACE_ELEMENT = 0,
    CREO_PLACE_ATTRIBUTE,
    CREO_PLACE_TEXT,
    CREO_PLACE_INLINE,
    CREO_PLACE_ANY,
    CREO_PLACE_HEADER
} creo_text_place;

/** How C holds the value. */
typedef enum creo_text_slot {
    CREO_SLOT_VALUE = 0,
    /** Nothing, if the flag at `flag` is not set. */
    CREO_SLOT_FLAG,
    /** Behind a pointer: NULL is nothing. */
    CREO_SLOT_POINTER,
    /** Behind a pointer that may not be NULL. */
    CREO_SLOT_REQUIRED,
    /** Behind a pointer that may not be NULL, to a flag, at `flag`, and a value, at `inner`. */
    CREO_SLOT_BOXED
} creo_text_slot;

/** What else is to be known of a field. */
enum {
    /** Nothing is written as an element with xsi:nil (XML-34). */
    CREO_FIELD_NILLABLE = 1,
    /** It may be missing: then it stays as its struct's `clear` made it. */
    CREO_FIELD_MAY_MISS = 2,
    /** It may be missing since it has a default: on the wires, too, that write empty arrays. */
    CREO_FIELD_DEFAULT = 4
};

/** A field, parameter, member, item, key or value. */
typedef struct creo_text_field {
    /** As declared; NULL for what has no name. */
    const char *name;
    creo_text_name xml;
    /** A creo_text_place, creo_text_kind, creo_text_slot, and flags. */
    uint8_t place;
    uint8_t kind;
    uint8_t slot;
    uint8_t flags;
    uint32_t name_size;
    /** Among the attributes of what holds it, or among its elements: in tables (TDX-11). */
    uint32_t number;
    /** Where the value lies in the struct that holds it, and where its flag. */
    uint32_t offset;
    uint32_t flag;
    uint32_t inner;
    /** Bytes of an item, or of what a pointer points to. */
    uint32_t size;
    /** What is charged (LIM-18) for its value, if it is an optional that has one or a member of a union; and for it as an item of an array. */
    uint32_t value_charge;
    uint32_t item_charge;
    const void *type;
} creo_text_field;

/** The name of an element, and the field that begins with it. */
typedef struct creo_text_start {
    creo_text_name name;
    uint32_t field;
} creo_text_start;

/** The namespaces that a message can need, sorted: their prefixes are n1, n2, ... (XML-2). */
typedef struct creo_text_spaces {
    const creo_namespace *const *items;
    uint32_t count;
    /** Whether xsi:nil or xsi:type can occur. */
    bool xsi;
} creo_text_spaces;

enum {
    CREO_RECORD_EXTENSIBLE = 1,
    CREO_RECORD_RECURSIVE = 2,
    /** Some field is an attribute. */
    CREO_RECORD_ATTRIBUTES = 4,
    /** The union's member is chosen by xsi:type (XML-37). */
    CREO_UNION_DERIVED = 8,
    /** The message is rpc/encoded (SOAP-30). */
    CREO_RECORD_ENCODED = 16,
    /** Requests have blocks of WS-Addressing, unless the client is told otherwise (SOAP-40). */
    CREO_RECORD_ADDRESSED = 32
};

/** A struct, an exception, or the parameters or the result of a method. */
typedef struct creo_text_record {
    /** Full name (MODEL-1); of a message, the method's name as declared. */
    const char *name;
    creo_text_name xml;
    const creo_text_field *fields;
    uint32_t field_count;
    uint32_t flags;
    uint32_t size;
    /** The field that is the text, and the one that takes any element; -1 if there is none. */
    int32_t text;
    int32_t any;
    uint32_t start_count;
    const creo_text_start *starts;
    /** Gives all fields their defaults; NULL if all zeros are right. */
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
    /** Where the kind lies, which takes four bytes. */
    uint32_t kind;
    /** The member of an element without xsi:type, or -1. */
    int32_t base;
    uint32_t start_count;
    const creo_text_start *starts;
} creo_text_union;

typedef struct creo_text_constant {
    /** As declared. */
    const char *name;
    size_t name_size;
    /** As it is written in XML. */
    const char *text;
    size_t size;
    uint32_t number;
    /** Not of this constant: the index of the one at this place in the order of names, by their sizes, then by their bytes. */
    uint32_t by_name;
    /** The same in the order of texts. */
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
    /** Bytes of an entry. */
    uint32_t size;
    creo_key keys;
    /** What each entry is charged (LIM-18). */
    uint32_t charge;
} creo_text_map;

/** A value alone (XML-3). */
typedef struct creo_text_root {
    creo_text_field field;
    creo_text_spaces spaces;
} creo_text_root;

/** A request or a response. */
typedef struct creo_text_message {
    creo_text_name element;
    /** The body holds the element of the one field itself (SOAP-6). */
    bool bare;
    creo_text_record record;
    creo_text_spaces spaces;
} creo_text_message;

/** An exception that a method declares, and where its outcome holds it. */
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
    /** Where the outcome holds its kind, which takes four bytes: 0 for the result, else the exception's index and 1. */
    uint32_t kind;
} creo_text_method;

typedef struct creo_text_interface {
    /** Full name (MODEL-1). */
    const char *name;
    const creo_text_method *methods;
    uint32_t method_count;
    /** Clients write SOAP 1.2 unless they are told otherwise (SOAP-24). */
    bool soap12;
} creo_text_interface;

#ifdef __cplusplus
}
#endif

#endif
