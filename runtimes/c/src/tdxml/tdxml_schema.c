/* Data schemas: the names and types of a table's rows (TDX-40 to TDX-43). */
#include "tdxml.h"

/* A definition: of a struct, a union, a standalone enum, or a message. */
typedef struct definition {
    creo_text_kind kind;
    const void *type;
    const char *full_name;
    /* The number after its name. */
    uint32_t number;
    /* Another definition has the same simple name. */
    bool clashes;
} definition;

typedef struct schema {
    creo_writer *writer;
    creo_arena *arena;
    definition *list;
    size_t count;
    size_t room;
} schema;

static const char *simple_name(const char *full_name)
{
    const char *point = strrchr(full_name, '.');
    return point == NULL ? full_name : point + 1;
}

static bool schema_add(schema *of, creo_text_kind kind, const void *type, const char *full_name, uint32_t number)
{
    for (size_t i = 0; i < of->count; i++)
        if (of->list[i].type == type)
            return true;
    if (of->count == of->room) {
        size_t room = of->room == 0 ? 16 : of->room * 2;
        definition *list = (definition *)creo_arena_take(of->arena, room, sizeof *list);
        if (list == NULL)
            return creo_fail(of->writer->error, CREO_TOO_LARGE, "the arena has no memory left for the data schema");
        if (of->count != 0)
            memcpy(list, of->list, of->count * sizeof *list);
        of->list = list;
        of->room = room;
    }
    bool clashes = false;
    for (size_t i = 0; i < of->count; i++) {
        if (strcmp(simple_name(of->list[i].full_name), simple_name(full_name)) == 0) {
            of->list[i].clashes = true;
            clashes = true;
        }
    }
    of->list[of->count++] = (definition){kind, type, full_name, number, clashes};
    return true;
}

/* Adds the definitions of a field's types. `number`: that of the field itself or its outer field. */
static bool name_types(schema *of, const creo_text_field *field, uint32_t number)
{
    switch ((creo_text_kind)field->kind) {
    case CREO_TEXT_RECORD:
        return schema_add(of, CREO_TEXT_RECORD, field->type, ((const creo_text_record *)field->type)->name, number);
    case CREO_TEXT_UNION:
        return schema_add(of, CREO_TEXT_UNION, field->type, ((const creo_text_union *)field->type)->name, number);
    case CREO_TEXT_REPEATED:
    case CREO_TEXT_WRAPPED:
        return name_types(of, (const creo_text_field *)field->type, number);
    case CREO_TEXT_MAP:
        return name_types(of, ((const creo_text_map *)field->type)->value, number);
    default:
        return true;
    }
}

static bool collect(schema *of, const creo_tdxml_root *root)
{
    if (root->record != NULL) {
        if (!schema_add(of, CREO_TEXT_RECORD, root->record, root->name, 0))
            return false;
    } else if (!schema_add(of, (creo_text_kind)root->field->kind, root->field->type, root->name, 0)) {
        return false;
    }
    for (size_t i = 0; i < of->count; i++) {
        const creo_text_field *fields = NULL;
        uint32_t count = 0;
        if (of->list[i].kind == CREO_TEXT_RECORD) {
            fields = ((const creo_text_record *)of->list[i].type)->fields;
            count = ((const creo_text_record *)of->list[i].type)->field_count;
        } else if (of->list[i].kind == CREO_TEXT_UNION) {
            fields = ((const creo_text_union *)of->list[i].type)->members;
            count = ((const creo_text_union *)of->list[i].type)->member_count;
        }
        for (uint32_t j = 0; j < count; j++)
            if (!name_types(of, &fields[j], fields[j].number))
                return false;
    }
    return true;
}

static bool schema_put(schema *of, const char *text)
{
    return creo_put(of->writer, text, strlen(text));
}

/* A name, quoted if it is a word of the notation (TDX-41). */
static bool schema_put_quoted(schema *of, const char *name)
{
    static const char *const words[] = {
        "ATTRIBUTE", "Boolean", "CHOICE", "COMMENT",  "DateTime",    "Decimal", "Enumerated", "INDENTED", "INSTRUCTION", "Integer",
        "MIXED",     "OF",      "OPTIONAL", "OctetString", "Real", "SEQUENCE", "SET", "TEXT", "UTF8String",
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(name, words[i]) == 0)
            return schema_put(of, "\"") && schema_put(of, name) && schema_put(of, "\"");
    return schema_put(of, name);
}

static bool schema_put_name(schema *of, const definition *named)
{
    return schema_put_quoted(of, named->clashes ? named->full_name : simple_name(named->full_name));
}

static bool put_reference(schema *of, const void *type)
{
    for (size_t i = 0; i < of->count; i++)
        if (of->list[i].type == type)
            return schema_put_name(of, &of->list[i]);
    return false;
}

static const char *optional(const creo_text_field *field)
{
    return field->slot == CREO_SLOT_FLAG || field->slot == CREO_SLOT_POINTER || field->slot == CREO_SLOT_BOXED ? " OPTIONAL" : "";
}

static bool put_type(schema *of, const creo_text_field *field)
{
    switch ((creo_text_kind)field->kind) {
    case CREO_TEXT_BOOLEAN:
        return schema_put(of, "Boolean");
    case CREO_TEXT_BYTE:
    case CREO_TEXT_SHORT:
    case CREO_TEXT_CHAR:
    case CREO_TEXT_INT:
    case CREO_TEXT_LONG:
        return schema_put(of, "Integer");
    case CREO_TEXT_FLOAT:
    case CREO_TEXT_DOUBLE:
        return schema_put(of, "Real");
    case CREO_TEXT_STRING:
    case CREO_TEXT_TOKEN:
    case CREO_TEXT_QNAME:
    case CREO_TEXT_RAW:
    case CREO_TEXT_LIST:
        return schema_put(of, "UTF8String");
    case CREO_TEXT_DATETIME:
        return schema_put(of, "DateTime");
    case CREO_TEXT_DECIMAL:
        return schema_put(of, "Decimal");
    case CREO_TEXT_BYTES:
    case CREO_TEXT_HEX:
        return schema_put(of, "OctetString");
    case CREO_TEXT_ENUM:
        return schema_put(of, "Enumerated");
    case CREO_TEXT_RECORD:
    case CREO_TEXT_UNION:
        return put_reference(of, field->type);
    case CREO_TEXT_REPEATED:
        return schema_put(of, "SET OF ") && put_type(of, (const creo_text_field *)field->type);
    case CREO_TEXT_WRAPPED:
        return schema_put(of, "SEQUENCE OF {item [0] SET OF ") && put_type(of, (const creo_text_field *)field->type) && schema_put(of, "}");
    case CREO_TEXT_MAP:
    case CREO_TEXT_ATTRIBUTES: {
        const creo_text_map *map = (const creo_text_map *)field->type;
        return schema_put(of, "SEQUENCE OF {entry [0] SET OF SEQUENCE OF {key [0] ") && put_type(of, map->key) && schema_put(of, ", value [1] ") && put_type(of, map->value) &&
               schema_put(of, optional(map->value)) && schema_put(of, "}}");
    }
    }
    return false;
}

static inline bool schema_is_attribute(const creo_text_field *field)
{
    return field->place == CREO_PLACE_ATTRIBUTE && field->kind != CREO_TEXT_ATTRIBUTES;
}

static bool put_member(schema *of, const creo_text_field *field, bool first)
{
    /* The result of a method is the only unnamed field. */
    if (!(first || schema_put(of, ", ")) || !schema_put_quoted(of, field->name == NULL ? "result" : field->name))
        return false;
    if (field->place == CREO_PLACE_TEXT)
        return schema_put(of, " TEXT ") && put_type(of, field) && schema_put(of, optional(field));
    bool attribute = schema_is_attribute(field);
    return schema_put(of, attribute ? " (" : " [") && creo_put_integer_text(of->writer, field->number) && schema_put(of, attribute ? ") [ATTRIBUTE] " : "] ") &&
           put_type(of, field) && schema_put(of, optional(field));
}

/* The items of a struct that consists of an array with the struct's name. */
static const creo_text_field *only_items(const creo_text_record *record)
{
    if (record->field_count != 1 || record->fields[0].kind != CREO_TEXT_REPEATED || record->fields[0].name == NULL)
        return NULL;
    const creo_text_field *item = (const creo_text_field *)record->fields[0].type;
    const char *name = item->kind == CREO_TEXT_RECORD  ? ((const creo_text_record *)item->type)->name
                       : item->kind == CREO_TEXT_UNION ? ((const creo_text_union *)item->type)->name
                                                       : NULL;
    return name != NULL && strcmp(simple_name(name), record->fields[0].name) == 0 ? item : NULL;
}

static bool put_definition(schema *of, const definition *named)
{
    if (!schema_put_name(of, named) || !schema_put(of, " [") || !creo_put_integer_text(of->writer, named->number) || !schema_put(of, "] ::= "))
        return false;
    if (named->kind == CREO_TEXT_ENUM)
        return schema_put(of, "Enumerated\n");
    bool first = true;
    if (named->kind == CREO_TEXT_UNION) {
        const creo_text_union *type = (const creo_text_union *)named->type;
        if (!schema_put(of, "CHOICE {"))
            return false;
        for (uint32_t i = 0; i < type->member_count; i++)
            if (!put_member(of, &type->members[i], i == 0))
                return false;
        return schema_put(of, "}\n");
    }
    const creo_text_record *record = (const creo_text_record *)named->type;
    const creo_text_field *item = only_items(record);
    if (item != NULL)
        return schema_put(of, "SET OF ") && put_type(of, item) && schema_put(of, "\n");
    if (!schema_put(of, "SEQUENCE OF {"))
        return false;
    for (int attributes = 1; attributes >= 0; attributes--) {
        for (uint32_t i = 0; i < record->field_count; i++) {
            if (schema_is_attribute(&record->fields[i]) != (attributes == 1))
                continue;
            if (!put_member(of, &record->fields[i], first))
                return false;
            first = false;
        }
    }
    return schema_put(of, "}\n");
}

bool creo_tdxml_write_schema(creo_writer *writer, const creo_tdxml_root *root, creo_arena *arena)
{
    schema of = {writer, arena, NULL, 0, 0};
    if (!collect(&of, root))
        return false;
    for (size_t i = 0; i < of.count; i++)
        if (!put_definition(&of, &of.list[i]))
            return false;
    return true;
}

/* A text being read token by token. */
typedef struct tokens {
    const char *at;
    const char *end;
} tokens;

static bool is_gap(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ',';
}

/* A quote, straight or typographic; returns its size in bytes. */
static size_t schema_quote(const char *at, const char *end)
{
    if (at < end && (*at == '"' || *at == '\''))
        return 1;
    bool curly = end - at >= 3 && memcmp(at, "\xE2\x80", 2) == 0 && (uint8_t)at[2] >= 0x98 && (uint8_t)at[2] <= 0x9F;
    return curly ? 3 : 0;
}

/* Skips `("text")`, if it is here. */
static bool skip_default(tokens *from)
{
    const char *at = from->at;
    if (at == from->end || *at != '(')
        return false;
    for (at++; at < from->end && is_gap(*at);)
        at++;
    size_t size = schema_quote(at, from->end);
    if (size == 0)
        return false;
    at += size;
    while (at < from->end && schema_quote(at, from->end) == 0)
        at++;
    if (at == from->end)
        return false;
    for (at += schema_quote(at, from->end); at < from->end && is_gap(*at);)
        at++;
    if (at == from->end || *at != ')')
        return false;
    from->at = at + 1;
    return true;
}

/* The next token, empty at the end: a name or number, `::=`, or a single character. */
static creo_string next_token(tokens *from)
{
    do {
        while (from->at < from->end && is_gap(*from->at))
            from->at++;
    } while (skip_default(from));
    const char *first = from->at;
    if (first == from->end)
        return (creo_string){first, 0};
    if (from->end - first >= 3 && memcmp(first, "::=", 3) == 0) {
        from->at += 3;
    } else if (strchr("[](){}", *first) != NULL && *first != 0) {
        from->at++;
    } else {
        while (from->at < from->end && !is_gap(*from->at) && (*from->at == 0 || strchr("[](){}", *from->at) == NULL) && *from->at != ':')
            from->at++;
        from->at += from->at == first ? 1 : 0;
    }
    return (creo_string){first, (size_t)(from->at - first)};
}

/* As next_token; `SEQUENCE` is the same with and without `OF`. */
static creo_string schema_next_word(tokens *from, bool *sequence)
{
    creo_string token = next_token(from);
    if (*sequence && creo_string_is(token, "OF"))
        token = next_token(from);
    *sequence = creo_string_is(token, "SEQUENCE");
    return token;
}

/* Whether a token is the name of a definition: `::=` follows, perhaps after a number in brackets. */
static bool defines(creo_string name, tokens from)
{
    if (name.size == 0 || strchr("[](){}:", name.data[0]) != NULL)
        return false;
    creo_string token = next_token(&from);
    if (creo_string_is(token, "[")) {
        (void)next_token(&from);
        (void)next_token(&from);
        token = next_token(&from);
    }
    return creo_string_is(token, "::=");
}

/* The number after the name of a definition, if present: it is not compared. */
static void skip_number(tokens *from)
{
    tokens ahead = *from;
    if (!creo_string_is(next_token(&ahead), "["))
        return;
    (void)next_token(&ahead);
    (void)next_token(&ahead);
    *from = ahead;
}

static bool differs(creo_xml *xml, const creo_string *ours, const creo_string *theirs)
{
    int own = ours->size > 300 ? 300 : (int)ours->size;
    int other = theirs->size > 300 ? 300 : (int)theirs->size;
    (void)creo_fail(xml->error, CREO_PROTOCOL_MISMATCH, "the data schema of the peer differs: it says \"%.*s\" where this side has \"%.*s\"", other, theirs->data, own,
                    ours->data);
    if (xml->error != NULL)
        memcpy(xml->error->place, "$", 2);
    return false;
}

/* The first line of the definition that contains a byte. */
static creo_string line_of(creo_string text, const char *start)
{
    const char *end = text.data + text.size;
    const char *stop = start;
    while (stop < end && *stop != '\n')
        stop++;
    return (creo_string){start, (size_t)(stop - start)};
}

bool creo_tdxml_check_schema(creo_xml *xml, const creo_tdxml_root *root, creo_string text)
{
    creo_writer writer;
    creo_writer_init(&writer, xml->arena, NULL, xml->error);
    if (!creo_tdxml_write_schema(&writer, root, xml->arena))
        return false;
    creo_bytes own = creo_writer_bytes(&writer);
    creo_string ours = {(const char *)own.data, own.size};
    tokens a = {ours.data, ours.data + ours.size};
    tokens b = {text.data, text.size == 0 ? text.data : text.data + text.size};
    /* The starts of the compared definitions. */
    const char *own_start = a.at;
    const char *their_start = b.at;
    bool own_sequence = false;
    bool their_sequence = false;
    for (;;) {
        while (b.at < b.end && is_gap(*b.at))
            b.at++;
        const char *at = b.at;
        creo_string x = schema_next_word(&a, &own_sequence);
        creo_string y = schema_next_word(&b, &their_sequence);
        if (defines(x, a))
            own_start = x.data;
        if (defines(y, b))
            their_start = at;
        if (!creo_string_equal(x, y)) {
            creo_string left = line_of(ours, own_start);
            creo_string right = line_of(text, their_start);
            return differs(xml, &left, &right);
        }
        if (x.size == 0)
            return true;
        if (defines(x, a))
            skip_number(&a);
        if (defines(y, b))
            skip_number(&b);
    }
}
