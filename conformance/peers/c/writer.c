#define _POSIX_C_SOURCE 200809L

#include "peer.h"

#include <values.creo.h>

#include <stdlib.h>

/* Writes the values of malformed/writer that the types of the language can hold, and says how that fails. */

/* One character more than a case needs. */
enum { TEXT_SIZE = 1003, LEVELS = 101 };

/* Memory that the value at hand refers to. */
typedef struct parts {
    char text[TEXT_SIZE];
    creo_string strings[2];
    values_label labels[2];
    values_string_tree_map_entry entry;
    values_tree trees[LEVELS];
} parts;

/* A value of one of the types; they are called as its cases need them. */
typedef union any {
    values_optionals optionals;
    values_label label;
    values_small small;
    values_tree tree;
    values_shape shape;
    values_growing growing;
    values_level level;
} any;

typedef bool make(any *value, parts *with);

#define HIGH "\xed\xa0\x80"
#define LOW "\xed\xb0\x80"

static bool label(any *value, const char *text)
{
    values_label_init(&value->label);
    value->label.text = creo_text(text);
    return true;
}

static bool text_high(any *value, parts *with)
{
    (void)with;
    return label(value, HIGH);
}

static bool text_low(any *value, parts *with)
{
    (void)with;
    return label(value, LOW);
}

static bool text_swapped(any *value, parts *with)
{
    (void)with;
    return label(value, "a" LOW HIGH "b");
}

static bool text_high_then_letter(any *value, parts *with)
{
    (void)with;
    return label(value, HIGH "a");
}

static bool text_optional(any *value, parts *with)
{
    (void)with;
    values_optionals_init(&value->optionals);
    value->optionals.has_text = true;
    value->optionals.text = creo_text("\xed\xbf\xbf");
    return true;
}

static bool text_item(any *value, parts *with)
{
    values_small_init(&value->small);
    with->strings[0] = creo_text("a");
    with->strings[1] = creo_text("\xed\xaf\xbf");
    value->small.texts = (creo_string_array){with->strings, 2};
    return true;
}

static bool text_in_struct(any *value, parts *with)
{
    values_small_init(&value->small);
    with->labels[0].text = creo_text("");
    with->labels[1].text = creo_text(HIGH);
    value->small.labels = (values_label_array){with->labels, 2};
    return true;
}

static bool tree_with(any *value, parts *with, const char *key, const char *name)
{
    values_tree_init(&value->tree);
    with->entry.key = creo_text(key);
    values_tree_init(&with->entry.value);
    with->entry.value.name = creo_text(name);
    value->tree.named = (values_string_tree_map){&with->entry, 1};
    return true;
}

static bool key(any *value, parts *with)
{
    return tree_with(value, with, HIGH, "");
}

static bool entry(any *value, parts *with)
{
    return tree_with(value, with, "a", HIGH);
}

static bool member(any *value, parts *with)
{
    (void)with;
    value->shape.kind = VALUES_SHAPE_LABEL;
    value->shape.as.label = creo_text(HIGH);
    return true;
}

static bool region(any *value, parts *with)
{
    (void)with;
    values_growing_init(&value->growing);
    value->growing.name = creo_text(HIGH);
    return true;
}

static bool instant(any *value, int64_t seconds, uint32_t nanoseconds)
{
    values_optionals_init(&value->optionals);
    value->optionals.has_instant = true;
    value->optionals.instant = (creo_datetime){.seconds = seconds, .nanoseconds = nanoseconds};
    return true;
}

static bool instant_early(any *value, parts *with)
{
    (void)with;
    return instant(value, -62135596801, 0);
}

static bool instant_late(any *value, parts *with)
{
    (void)with;
    return instant(value, 253402300800, 0);
}

static bool instant_nanoseconds(any *value, parts *with)
{
    (void)with;
    return instant(value, 0, 1000000000);
}

static bool amount(any *value, creo_string text)
{
    values_optionals_init(&value->optionals);
    value->optionals.has_amount = true;
    value->optionals.amount = text;
    return true;
}

static bool decimal_1001(any *value, parts *with)
{
    memset(with->text, '1', 1001);
    return amount(value, (creo_string){with->text, 1001});
}

static bool decimal_1001_fraction(any *value, parts *with)
{
    memset(with->text, '1', 1002);
    with->text[1] = '.';
    return amount(value, (creo_string){with->text, 1002});
}

static bool constant(any *value, parts *with)
{
    (void)with;
    values_optionals_init(&value->optionals);
    value->optionals.has_colour = true;
    value->optionals.colour = (values_colour)1;
    return true;
}

static bool constant_negative(any *value, parts *with)
{
    (void)with;
    value->level = (values_level)-1;
    return true;
}

static bool no_member(any *value, parts *with)
{
    (void)with;
    memset(&value->shape, 0, sizeof value->shape);
    value->shape.kind = (values_shape_kind)99;
    return true;
}

static bool depth(any *value, parts *with)
{
    for (size_t level = 0; level < LEVELS; level++) {
        values_tree_init(&with->trees[level]);
        with->trees[level].next = level == 0 ? NULL : &with->trees[level - 1];
    }
    value->tree = with->trees[LEVELS - 1];
    return true;
}

static const struct {
    const char *id;
    make *make;
} makers[] = {
    {"text-high", text_high},
    {"text-low", text_low},
    {"text-swapped", text_swapped},
    {"text-high-then-letter", text_high_then_letter},
    {"text-optional", text_optional},
    {"text-item", text_item},
    {"text-in-struct", text_in_struct},
    {"key", key},
    {"entry", entry},
    {"member", member},
    {"region", region},
    {"instant-early", instant_early},
    {"instant-late", instant_late},
    {"instant-nanoseconds", instant_nanoseconds},
    {"decimal-1001", decimal_1001},
    {"decimal-1001-fraction", decimal_1001_fraction},
    {"constant", constant},
    {"constant-negative", constant_negative},
    {"no-member", no_member},
    {"depth", depth},
};

typedef struct question {
    char *id;
    size_t id_size;
    char *type;
    size_t type_size;
} question;

static void take(void *context, creo_string name, const char *value)
{
    question *asked = (question *)context;
    if (creo_string_is(name, "id") && asked->id == NULL)
        peer_read_string(value, &asked->id, &asked->id_size);
    else if (creo_string_is(name, "type") && asked->type == NULL)
        peer_read_string(value, &asked->type, &asked->type_size);
}

static void answer_with(const peer_type *type, const any *value, creo_arena *arena)
{
    creo_error error;
    creo_writer writer;
    creo_writer_init(&writer, arena, NULL, &error);
    if (type->encode(&writer, value)) {
        fputs(",\"bytes\":\"", stdout);
        peer_show_hex(stdout, creo_writer_bytes(&writer));
        fputc('"', stdout);
        return;
    }
    printf(",\"error\":\"%s\",\"place\":", creo_code_name(error.code));
    peer_show_string(stdout, creo_text(error.place));
    fputs(",\"message\":", stdout);
    peer_show_string(stdout, creo_text(error.message));
}

static bool answer(const question *asked, any *value, parts *with, creo_arena *arena)
{
    const peer_type *type = asked->id == NULL || asked->type == NULL ? NULL : peer_find_type(asked->type);
    if (type == NULL)
        return false;
    fputs("{\"id\":", stdout);
    peer_show_string(stdout, (creo_string){asked->id, asked->id_size});
    size_t at = 0;
    while (at < sizeof makers / sizeof makers[0] && strcmp(makers[at].id, asked->id) != 0)
        at++;
    if (at < sizeof makers / sizeof makers[0] && makers[at].make(value, with))
        answer_with(type, value, arena);
    else
        fputs(",\"cannot\":true", stdout);
    fputs("}\n", stdout);
    fflush(stdout);
    return true;
}

int peer_writer(void)
{
    char *line = NULL;
    size_t room = 0;
    creo_arena arena;
    creo_arena_init(&arena, creo_allocator_libc());
    any *value = calloc(1, sizeof *value);
    parts *with = calloc(1, sizeof *with);
    bool fine = value != NULL && with != NULL;
    while (fine && getline(&line, &room, stdin) >= 0) {
        question asked = {NULL, 0, NULL, 0};
        fine = peer_read_object(line, take, &asked) != NULL && answer(&asked, value, with, &arena);
        free(asked.id);
        free(asked.type);
        creo_arena_free(&arena);
    }
    free(with);
    free(value);
    free(line);
    return fine ? 0 : 1;
}
