/* Our C client calls services of SOAP encoding: stock ADDRESS encoded. */
#include "cases.h"
#include "stock.creo.h"
#include "stock.text.h"

#define ANYTHING \
    "<value xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\" xsi:type=\"xsd:int\">42</value>"

static stock_item full(void)
{
    static const uint8_t picture[] = {0, 0xff};
    static const stock_size sizes[] = {{1, 2}, {3.5, -0.5}};
    static const creo_string tags[] = {{"a", 1}, {"<b>", 3}};
    stock_item item;
    stock_item_init(&item);
    item.sku = creo_text("x & y");
    item.kind = STOCK_KIND_LOOSE;
    item.price = creo_text("1.50");
    item.since = creo_text("2026-11-27");
    item.checked = (creo_datetime){.seconds = 1795773600, .nanoseconds = 0};
    item.picture = (creo_bytes){.data = picture, .size = sizeof picture};
    item.has_note = true;
    item.note = creo_text("a note");
    item.has_sizes = true;
    item.sizes = (stock_size_array){.items = sizes, .count = 2};
    item.has_tags = true;
    item.tags = (creo_string_array){.items = tags, .count = 2};
    return item;
}

static stock_item least(void)
{
    stock_item item;
    stock_item_init(&item);
    item.sku = creo_text("least");
    item.kind = STOCK_KIND_PACKED_UP;
    item.price = creo_text("0");
    item.since = creo_text("0001-01-01");
    item.checked = (creo_datetime){.seconds = -62135596800, .nanoseconds = 0};
    return item;
}

/* The item that the services give. */
static bool is_item(const stock_item *got, const char *sku)
{
    static const uint8_t picture[] = {0, 1, 2};
    creo_bytes bytes = {.data = picture, .size = sizeof picture};
    if (!is(got->sku, sku) || !is(got->price, "12.50") || !is(got->since, "2020-02-29") || !same_bytes(bytes, got->picture))
        return false;
    if (got->kind != STOCK_KIND_PACKED_UP || got->checked.seconds != 1767323045 || got->checked.nanoseconds != 0 || got->has_note)
        return fail("another item", got->sku);
    if (!got->has_size || got->size.width != 1.5 || got->size.height != 2)
        return fail("another size", got->sku);
    if (!got->has_sizes || got->sizes.count != 2 || got->sizes.items[0].width != 1 || got->sizes.items[0].height != 2 || got->sizes.items[1].width != 3 ||
        got->sizes.items[1].height != 4)
        return fail("other sizes", got->sku);
    if (!got->has_tags || got->tags.count != 2)
        return fail("other tags", got->sku);
    return is(got->tags.items[0], "a<b") && is(got->tags.items[1], "");
}

static bool count(creo_client *client, creo_arena *arena, creo_error *error)
{
    static const creo_string skus[] = {{"a", 1}, {"bcd", 3}};
    creo_string_array two = {.items = skus, .count = 2}, none = {.items = NULL, .count = 0};
    stock_int_array_optional got;
    if (!stock_stock_count(client, &two, arena, &got, error))
        return failed(error);
    if (!got.has || got.value.count != 2 || got.value.items[0] != 1 || got.value.items[1] != 3)
        return fail("other counts", creo_text(""));
    if (!stock_stock_count(client, &none, arena, &got, error))
        return failed(error);
    return !got.has || got.value.count == 0 || fail("counts of nothing", creo_text(""));
}

static bool find(creo_client *client, creo_arena *arena, creo_error *error)
{
    stock_item_array_optional got;
    if (!stock_stock_find(client, STOCK_KIND_PACKED_UP, 2, arena, &got, error))
        return failed(error);
    if (!got.has || got.value.count != 2)
        return fail("another count of items", creo_text(""));
    return is_item(&got.value.items[0], "packed-up-1") && is_item(&got.value.items[1], "packed-up-2");
}

static bool find_none(creo_client *client, creo_arena *arena, creo_error *error)
{
    stock_item_array_optional got;
    if (!stock_stock_find(client, STOCK_KIND_PACKED_UP, 0, arena, &got, error))
        return failed(error);
    return !got.has || got.value.count == 0 || fail("items", creo_text(""));
}

static bool describe(creo_client *client, creo_arena *arena, creo_error *error)
{
    stock_stock_describe_outcome outcome;
    if (!stock_stock_describe(client, creo_text("q"), arena, &outcome, error))
        return failed(error);
    return outcome.kind == STOCK_STOCK_DESCRIBE_RESULT && is_item(&outcome.as.result, "q");
}

static bool store(creo_client *client, creo_arena *arena, creo_error *error)
{
    stock_item item = full();
    return stock_stock_store(client, &item, arena, error) || failed(error);
}

static bool store_least(creo_client *client, creo_arena *arena, creo_error *error)
{
    stock_item item = least();
    return stock_stock_store(client, &item, arena, error) || failed(error);
}

static bool move(creo_client *client, creo_arena *arena, creo_error *error)
{
    stock_move_response got;
    if (!stock_stock_move(client, creo_text("abc"), creo_text("2026-11-27"), arena, &got, error))
        return failed(error);
    return (got.moved == 3 && got.left == 2026) || fail("other numbers", creo_text(""));
}

static bool sum(creo_client *client, creo_arena *arena, creo_error *error)
{
    static const int32_t numbers[] = {1, 2, 3};
    creo_int_array rows[2] = {{.items = numbers, .count = 2}, {.items = numbers + 2, .count = 1}};
    stock_int_array_array all = {.items = rows, .count = 2};
    double got;
    if (!stock_stock_sum(client, &all, arena, &got, error))
        return failed(error);
    return got == 6 || fail("another sum", creo_text(""));
}

static bool holds(creo_string text, const char *part)
{
    size_t size = strlen(part);
    for (size_t i = 0; i + size <= text.size; i++)
        if (memcmp(text.data + i, part, size) == 0)
            return true;
    return fail("another text", text);
}

static bool properties(creo_client *client, creo_arena *arena, creo_error *error)
{
    stock_map_type got;
    if (!stock_stock_properties(client, creo_text("q"), arena, &got, error))
        return failed(error);
    if (got.item.count != 2)
        return fail("another count of properties", creo_text(""));
    return holds(got.item.items[1].key, ">weight</key>") && holds(got.item.items[1].value, ":int") && holds(got.item.items[1].value, ">3</value>");
}

static bool anything(creo_client *client, creo_arena *arena, creo_error *error)
{
    creo_string got;
    if (!stock_stock_anything(client, creo_text(ANYTHING), arena, &got, error))
        return failed(error);
    return (got.size > 18 && memcmp(got.data, "<value ", 7) == 0 && memcmp(got.data + got.size - 11, ">42</value>", 11) == 0) || fail("another text", got);
}

static bool ping(creo_client *client, creo_arena *arena, creo_error *error)
{
    return stock_stock_ping(client, arena, error) || failed(error);
}

static bool forget(creo_client *client, creo_arena *arena, creo_error *error)
{
    (void)arena;
    return stock_stock_forget(client, creo_text("q"), error) || failed(error);
}

static bool unknown(creo_client *client, creo_arena *arena, creo_error *error)
{
    stock_stock_describe_outcome outcome;
    if (!stock_stock_describe(client, creo_text("unknown"), arena, &outcome, error))
        return failed(error);
    return (outcome.kind == STOCK_STOCK_DESCRIBE_UNKNOWN_SKU || fail("no fault", creo_text(""))) && is(outcome.as.unknown_sku.sku, "unknown");
}

static bool broken(creo_client *client, creo_arena *arena, creo_error *error)
{
    stock_stock_describe_outcome outcome;
    if (stock_stock_describe(client, creo_text("broken"), arena, &outcome, error))
        return fail("no fault", creo_text(""));
    return (error->code == CREO_INTERNAL && strstr(error->message, "it broke")) || failed(error);
}

int main(int argc, char **argv)
{
    static const a_case cases[] = {
        {"count", count}, {"find", find}, {"find-none", find_none}, {"describe", describe}, {"store", store}, {"store-least", store_least}, {"move", move},
        {"sum", sum}, {"properties", properties}, {"anything", anything}, {"ping", ping}, {"forget", forget}, {"fault-unknown", unknown},
        {"fault-undeclared", broken},
    };
    return run_cases(argc, argv, &stock_stock_text, cases, sizeof cases / sizeof *cases);
}
