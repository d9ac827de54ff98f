/* Our C client calls the service by gSOAP: meters ADDRESS 1.1|1.2|mtom. */
#include "cases.h"
#include "meters.creo.h"
#include "meters.text.h"

static const double samples[] = {0.1, -0.0, 5e-324, 1.7976931348623157e308};
static const meters_point path[] = {{0.0, 1.0}, {2.0, 3.0}};

static meters_reading full(void)
{
    meters_reading reading;
    meters_reading_init(&reading);
    reading.quality = METERS_QUALITY_CHECKED;
    reading.at = (creo_datetime){.seconds = 1795257116, .nanoseconds = 123456789};
    reading.amount.value = creo_text("-12345678901234567890.50");
    reading.amount.unit = creo_text("kWh");
    reading.has_choice = true;
    reading.choice.kind = METERS_READING_CHOICE_POINT;
    reading.choice.as.point = (meters_point){1.5, -2.5};
    reading.has_maybe = true;
    reading.maybe = 0;
    reading.has_remark = true;
    reading.remark = creo_text("a <remark> & more");
    reading.samples = (creo_double_array){.items = samples, .count = 4};
    reading.path = (meters_point_array){.items = path, .count = 2};
    reading.valid = true;
    reading.ticks = INT64_MIN;
    reading.level = 255;
    reading.meter = 17;
    reading.has_site = true;
    reading.site = creo_text("here & there");
    return reading;
}

static meters_reading least(void)
{
    meters_reading reading;
    meters_reading_init(&reading);
    reading.at = (creo_datetime){.seconds = -62135596800, .nanoseconds = 0};
    reading.amount.value = creo_text("0");
    reading.has_choice = true;
    reading.choice.kind = METERS_READING_CHOICE_NUMBER;
    reading.choice.as.number = -0.5;
    reading.meter = -1;
    return reading;
}

static bool echoes(creo_client *client, const meters_reading *reading, creo_arena *arena, creo_error *error)
{
    meters_reading got;
    creo_bytes wanted, bytes;
    if (!meters_meters_port_echo(client, reading, arena, &got, error) || !meters_reading_to_bytes(reading, arena, &wanted, error)
        || !meters_reading_to_bytes(&got, arena, &bytes, error))
        return failed(error);
    return same_bytes(wanted, bytes);
}

static bool echo(creo_client *client, creo_arena *arena, creo_error *error)
{
    meters_reading reading = full();
    return echoes(client, &reading, arena, error);
}

static bool echo_least(creo_client *client, creo_arena *arena, creo_error *error)
{
    meters_reading reading = least();
    return echoes(client, &reading, arena, error);
}

static bool echo_chain(creo_client *client, creo_arena *arena, creo_error *error)
{
    meters_reading last = least(), middle = full(), reading = least();
    middle.previous = &last;
    reading.previous = &middle;
    return echoes(client, &reading, arena, error);
}

static bool choice_text(creo_client *client, creo_arena *arena, creo_error *error)
{
    meters_reading reading = full();
    reading.choice.kind = METERS_READING_CHOICE_TEXT;
    reading.choice.as.text = creo_text("");
    return echoes(client, &reading, arena, error);
}

static bool describe(creo_client *client, creo_arena *arena, creo_error *error)
{
    static const double two[] = {0.1, 1.5};
    meters_reading one = full(), other = least();
    one.samples = (creo_double_array){.items = two, .count = 2};
    other.previous = &one;
    creo_string text;
    if (!meters_meters_port_describe(client, &one, arena, &text, error))
        return failed(error);
    if (!is(text,
            "17|here & there|CHECKED|2026-11-21T10:31:56.123456789Z|-12345678901234567890.50kWh|1.5,-2.5|0|a <remark> & more|0.1,1.5|0/1,2/3|1|-9223372036854775808|255|-1"))
        return false;
    if (!meters_meters_port_describe(client, &other, arena, &text, error))
        return failed(error);
    return is(text, "-1|-|RAW|0001-01-01T00:00:00Z|0|-0.5|-|-|0|0|0|17");
}

static bool attach(creo_client *client, creo_arena *arena, creo_error *error)
{
    static const size_t sizes[] = {1, 1023, 1024, 300000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        creo_bytes got;
        if (!meters_meters_port_attach(client, pattern(sizes[i]), arena, &got, error))
            return failed(error);
        if (!same_bytes(pattern(sizes[i]), got))
            return false;
    }
    return true;
}

static bool add(creo_client *client, creo_arena *arena, creo_error *error)
{
    int32_t sum;
    if (!meters_meters_port_add(client, 2147483646, -2147483647, arena, &sum, error))
        return failed(error);
    return sum == -1 || fail("another sum", creo_text(""));
}

static bool find(creo_client *client, creo_arena *arena, creo_error *error)
{
    meters_meters_port_find_outcome outcome;
    if (!meters_meters_port_find(client, creo_text("somebody"), arena, &outcome, error))
        return failed(error);
    return outcome.kind == METERS_METERS_PORT_FIND_RESULT && is(outcome.as.result, "somebody");
}

static bool not_found(creo_client *client, creo_arena *arena, creo_error *error)
{
    meters_meters_port_find_outcome outcome;
    if (!meters_meters_port_find(client, creo_text("nobody"), arena, &outcome, error))
        return failed(error);
    return outcome.kind == METERS_METERS_PORT_FIND_NOT_FOUND && is(outcome.as.not_found.what, "nobody") && outcome.as.not_found.code == 404;
}

static bool refused(creo_client *client, creo_arena *arena, creo_error *error)
{
    meters_meters_port_find_outcome outcome;
    if (!meters_meters_port_find(client, creo_text("refused"), arena, &outcome, error))
        return failed(error);
    return outcome.kind == METERS_METERS_PORT_FIND_REFUSED && is(outcome.as.refused.reason, "not you");
}

static bool broken(creo_client *client, creo_arena *arena, creo_error *error)
{
    meters_meters_port_find_outcome outcome;
    if (meters_meters_port_find(client, creo_text("broken"), arena, &outcome, error))
        return fail("no fault", creo_text(""));
    return (error->code == CREO_INTERNAL && strstr(error->message, "it broke")) || failed(error);
}

int main(int argc, char **argv)
{
    static const a_case cases[] = {
        {"echo", echo}, {"echo-least", echo_least}, {"echo-chain", echo_chain}, {"choice-text", choice_text}, {"describe", describe}, {"attach", attach},
        {"add", add}, {"find", find}, {"fault-not-found", not_found}, {"fault-refused", refused}, {"fault-undeclared", broken},
    };
    return run_cases(argc, argv, &meters_meters_port_text, cases, sizeof cases / sizeof *cases);
}
