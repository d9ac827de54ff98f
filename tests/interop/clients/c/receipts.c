/* Our C client calls a service whose answers have several elements in the body: receipts ADDRESS imported. */
#include "cases.h"
#include "receipts.creo.h"
#include "receipts.text.h"

static bool put_count(creo_client *client, int32_t count, const char *warning, creo_arena *arena, creo_error *error)
{
    receipts_item entry = {.sku = creo_text("a<b"), .count = count};
    receipts_put_answer got;
    if (!receipts_receipts_put(client, &entry, arena, &got, error))
        return failed(error);
    return is(got.left.sku, "a<b") && (warning ? is(got.warning, warning) : !got.has_warning || fail("a warning", got.warning))
        && ((got.number == (INT64_C(1) << 40) + count && got.left.count == count + 100) || fail("another number", creo_text("")));
}

static bool put(creo_client *client, creo_arena *arena, creo_error *error)
{
    return put_count(client, 20, "many & <more>", arena, error);
}

static bool put_nil(creo_client *client, creo_arena *arena, creo_error *error)
{
    return put_count(client, 1, NULL, arena, error);
}

static bool settle(creo_client *client, creo_arena *arena, creo_error *error)
{
    receipts_settle_answer got;
    if (!receipts_receipts_settle(client, creo_text("2026-11-29"), arena, &got, error))
        return failed(error);
    return is(got.left.sku, "all") && is(got.session, "of 2026-11-29") && ((got.number == 10 && got.left.count == 0) || fail("another number", creo_text("")));
}

int main(int argc, char **argv)
{
    static const a_case cases[] = {{"put", put}, {"put-nil", put_nil}, {"settle", settle}};
    return run_cases(argc, argv, &receipts_receipts_text, cases, sizeof cases / sizeof *cases);
}
