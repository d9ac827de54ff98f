/* Our C client calls the service by CXF: orders ADDRESS 1.1|1.2|mtom. */
#include "cases.h"
#include "orders.creo.h"
#include "orders.text.h"

static const int32_t codes[] = {3, -1, 4};
static const creo_string tags[] = {{"new", 3}, {" <hot> ", 7}};
static const uint8_t checksum[] = {0xca, 0xfe};

static orders_order_choice goods(const char *article, int32_t count)
{
    orders_order_choice choice = {.kind = ORDERS_ORDER_CHOICE_GOODS};
    choice.as.goods.article = creo_text(article);
    choice.as.goods.count = count;
    return choice;
}

static orders_order_choice labour(const char *work, double hours)
{
    orders_order_choice choice = {.kind = ORDERS_ORDER_CHOICE_LABOUR};
    choice.as.labour.work = creo_text(work);
    choice.as.labour.hours = hours;
    return choice;
}

static orders_order full(orders_order_choice lines[3])
{
    lines[0] = goods("bolt", 100);
    lines[1] = labour("assembly", 1.5);
    lines[2] = goods("nut", 200);
    orders_order order;
    orders_order_init(&order);
    order.customer.kind = ORDERS_ANY_PARTY_PERSON;
    order.customer.as.person = (orders_person){.name = creo_text("Ada & Bob"), .family = creo_text("Lovelace"), .has_id = true, .id = creo_text("AT-9")};
    order.state = ORDERS_STATE_SOLD_OUT;
    order.created = (creo_datetime){.seconds = 1795257116, .nanoseconds = 250000000};
    order.has_due = true;
    order.due = creo_text("2026-12-24");
    order.total.value = creo_text("1234567890123456789.10");
    order.total.currency = creo_text("EUR");
    order.has_quantity = true;
    order.quantity = creo_text("42");
    order.has_remark = true;
    order.remark = creo_text("a <remark>");
    order.has_weight = true;
    order.weight = 0.5;
    order.has_codes = true;
    order.codes = (creo_int_array){.items = codes, .count = 3};
    order.has_tags = true;
    order.tags.tag = (creo_string_array){.items = tags, .count = 2};
    order.choices = (orders_order_choice_array){.items = lines, .count = 3};
    order.has_checksum = true;
    order.checksum = (creo_bytes){.data = checksum, .size = sizeof checksum};
    order.number = 17;
    order.has_language = true;
    order.language = creo_text("de-AT");
    return order;
}

static orders_order least(void)
{
    orders_order order;
    orders_order_init(&order);
    order.customer.kind = ORDERS_ANY_PARTY_PARTY;
    order.customer.as.party = (orders_party){.name = creo_text("plain")};
    order.state = ORDERS_STATE_V1;
    order.created = (creo_datetime){.seconds = 1767225600, .nanoseconds = 0};
    order.total.value = creo_text("0");
    order.number = -1;
    return order;
}

static bool same(const orders_order *wanted, const orders_order *got, creo_arena *arena, creo_error *error)
{
    creo_bytes a, b;
    if (!orders_order_to_bytes(wanted, arena, &a, error) || !orders_order_to_bytes(got, arena, &b, error))
        return failed(error);
    return same_bytes(a, b);
}

static bool sample(creo_client *client, creo_arena *arena, creo_error *error)
{
    static const creo_string other_tags[] = {{"new", 3}, {"<hot>", 5}};
    orders_orders_sample_outcome outcome;
    if (!orders_orders_sample(client, arena, &outcome, error))
        return failed(error);
    if (outcome.kind != ORDERS_ORDERS_SAMPLE_RESULT || !outcome.as.result.has)
        return fail("no order", creo_text(""));
    orders_order_choice lines[3];
    orders_order wanted = full(lines);
    wanted.customer.kind = ORDERS_ANY_PARTY_COMPANY;
    wanted.customer.as.company = (orders_company){.name = creo_text("Creo & Co"), .tax_number = creo_text("U123"), .has_id = true, .id = creo_text("AT-1")};
    wanted.state = ORDERS_STATE_IN_STOCK;
    wanted.created.seconds -= 3600;
    wanted.has_remark = false;
    wanted.tags.tag.items = other_tags;
    return same(&wanted, &outcome.as.result.value, arena, error);
}

static bool echo(creo_client *client, creo_arena *arena, creo_error *error)
{
    orders_order_choice lines[3];
    orders_order order = full(lines);
    orders_order_optional got;
    if (!orders_orders_echo(client, &order, arena, &got, error))
        return failed(error);
    return got.has ? same(&order, &got.value, arena, error) : fail("nothing came back", creo_text(""));
}

static bool echo_least(creo_client *client, creo_arena *arena, creo_error *error)
{
    orders_order order = least();
    orders_order_optional got;
    if (!orders_orders_echo(client, &order, arena, &got, error))
        return failed(error);
    /* JAXB makes empty lists of those that are absent. */
    got.value.has_codes = got.value.has_codes && got.value.codes.count > 0;
    got.value.has_tags = got.value.has_tags && got.value.tags.tag.count > 0;
    return got.has ? same(&order, &got.value, arena, error) : fail("nothing came back", creo_text(""));
}

static bool echo_nothing(creo_client *client, creo_arena *arena, creo_error *error)
{
    orders_order_optional got;
    if (!orders_orders_echo(client, NULL, arena, &got, error))
        return failed(error);
    return !got.has || fail("something came back", creo_text(""));
}

static bool describe(creo_client *client, creo_arena *arena, creo_error *error)
{
    orders_order_choice lines[3];
    orders_order order = full(lines);
    orders_string_optional text;
    if (!orders_orders_describe(client, &order, arena, &text, error))
        return failed(error);
    if (!is(text.value,
            "17|de-AT|Person Ada & Bob AT-9 Lovelace|SOLD_OUT|2026-11-21T10:31:56.250Z|2026-12-24|1234567890123456789.10EUR|42|a <remark>|0.5|[3, -1, 4]|[new,  <hot> ]"
            "|[100 bolt, 1.5 h assembly, 200 nut]|cafe"))
        return false;
    order = least();
    if (!orders_orders_describe(client, &order, arena, &text, error))
        return failed(error);
    return is(text.value, "-1|null|Party plain null|FIRST|2026-01-01T00:00:00Z|null|0|null|null|null|[]|[]|[]|null");
}

static bool parties(creo_client *client, creo_arena *arena, creo_error *error)
{
    static const creo_string kinds[] = {{"person", 6}, {"plain", 5}, {"company", 7}};
    orders_any_party_array got;
    if (!orders_orders_parties(client, (creo_string_array){.items = kinds, .count = 3}, arena, &got, error))
        return failed(error);
    if (got.count != 3 || got.items[0].kind != ORDERS_ANY_PARTY_PERSON || got.items[1].kind != ORDERS_ANY_PARTY_PARTY || got.items[2].kind != ORDERS_ANY_PARTY_COMPANY)
        return fail("other parties", creo_text(""));
    return is(got.items[0].as.person.family, "Lovelace") && is(got.items[1].as.party.name, "plain") && is(got.items[2].as.company.tax_number, "U456")
        && is(got.items[2].as.company.id, "AT-3");
}

static bool attach(creo_client *client, creo_arena *arena, creo_error *error)
{
    static const size_t sizes[] = {0, 1, 1023, 1024, 300000};
    orders_bytes_optional got;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        creo_bytes bytes = pattern(sizes[i]);
        if (!orders_orders_attach(client, &bytes, arena, &got, error))
            return failed(error);
        if (!got.has)
            return fail("nothing came back", creo_text(""));
        if (!same_bytes(bytes, got.value))
            return false;
    }
    if (!orders_orders_attach(client, NULL, arena, &got, error))
        return failed(error);
    return !got.has || fail("bytes of nothing", creo_text(""));
}

static bool found(creo_client *client, const char *name, creo_arena *arena, orders_orders_find_outcome *outcome, creo_error *error)
{
    creo_string text = creo_text(name);
    return orders_orders_find(client, &text, arena, outcome, error) || failed(error);
}

static bool find(creo_client *client, creo_arena *arena, creo_error *error)
{
    orders_orders_find_outcome outcome;
    return found(client, "somebody", arena, &outcome, error) && outcome.kind == ORDERS_ORDERS_FIND_RESULT && is(outcome.as.result.value, "somebody");
}

static bool not_found(creo_client *client, creo_arena *arena, creo_error *error)
{
    orders_orders_find_outcome outcome;
    if (!found(client, "nobody", arena, &outcome, error))
        return false;
    return outcome.kind == ORDERS_ORDERS_FIND_NOT_FOUND && is(outcome.as.not_found.what, "nobody") && outcome.as.not_found.code == 404;
}

static bool busy(creo_client *client, creo_arena *arena, creo_error *error)
{
    orders_orders_find_outcome outcome;
    if (!found(client, "busy", arena, &outcome, error))
        return false;
    return outcome.kind == ORDERS_ORDERS_FIND_BUSY && outcome.as.busy.seconds == 30 && outcome.as.busy.has_by && outcome.as.busy.by.kind == ORDERS_ANY_PARTY_PERSON
        && is(outcome.as.busy.by.as.person.family, "Busy");
}

static bool broken(creo_client *client, creo_arena *arena, creo_error *error)
{
    orders_orders_find_outcome outcome;
    creo_string name = creo_text("broken");
    if (orders_orders_find(client, &name, arena, &outcome, error))
        return fail("no fault", creo_text(""));
    return (error->code == CREO_INTERNAL && strstr(error->message, "it broke")) || failed(error);
}

static bool header(creo_client *client, creo_arena *arena, creo_error *error)
{
    creo_string name = creo_text("Ada"), session = creo_text("s-1");
    orders_string_optional greeting;
    if (!orders_orders_greet(client, &name, &session, arena, &greeting, error))
        return failed(error);
    return is(greeting.value, "Ada in s-1");
}

static bool ping(creo_client *client, creo_arena *arena, creo_error *error)
{
    return orders_orders_ping(client, arena, error) || failed(error);
}

static bool oneway(creo_client *client, creo_arena *arena, creo_error *error)
{
    char prefix[64], note[80];
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(prefix, sizeof prefix, "c %lld.%09ld ", (long long)now.tv_sec, now.tv_nsec);
    snprintf(note, sizeof note, "%sone", prefix);
    creo_string text = creo_text(note), begin = creo_text(prefix);
    if (!orders_orders_note(client, &text, error))
        return failed(error);
    for (time_t deadline = time(NULL) + 20; time(NULL) < deadline;) {
        creo_string_array got;
        if (!orders_orders_noted(client, &begin, arena, &got, error))
            return failed(error);
        if (got.count > 0)
            return got.count == 1 && is(got.items[0], note);
    }
    return fail("the note never arrived", text);
}

int main(int argc, char **argv)
{
    static const a_case cases[] = {
        {"sample", sample}, {"echo", echo}, {"echo-least", echo_least}, {"echo-nothing", echo_nothing}, {"describe", describe}, {"parties", parties}, {"attach", attach},
        {"find", find}, {"fault-not-found", not_found}, {"fault-busy", busy}, {"fault-undeclared", broken}, {"header", header}, {"ping", ping}, {"oneway", oneway},
    };
    return run_cases(argc, argv, &orders_orders_text, cases, sizeof cases / sizeof *cases);
}
