/* Our C client calls a service that has SOAP 1.2 alone, which it knows from the import: moments ADDRESS imported. */
#include "cases.h"
#include "moments.creo.h"
#include "moments.text.h"

static const creo_datetime at = {.seconds = 1795773600, .nanoseconds = 0};

static bool shift(creo_client *client, creo_arena *arena, creo_error *error)
{
    moments_moments_shift_outcome outcome;
    if (!moments_moments_shift(client, at, 90, arena, &outcome, error))
        return failed(error);
    return (outcome.kind == MOMENTS_MOMENTS_SHIFT_RESULT && outcome.as.result.seconds == at.seconds + 90) || fail("another moment", creo_text(""));
}

static bool beyond(creo_client *client, creo_arena *arena, creo_error *error)
{
    moments_moments_shift_outcome outcome;
    if (!moments_moments_shift(client, at, 3601, arena, &outcome, error))
        return failed(error);
    return (outcome.kind == MOMENTS_MOMENTS_SHIFT_BEYOND && outcome.as.beyond.limit == 3600) || fail("no fault", creo_text(""));
}

int main(int argc, char **argv)
{
    static const a_case cases[] = {{"shift", shift}, {"fault-beyond", beyond}};
    return run_cases(argc, argv, &moments_moments_text, cases, sizeof cases / sizeof *cases);
}
