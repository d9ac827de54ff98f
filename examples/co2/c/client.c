/*
 * Stores the weekly CO2 series of Mauna Loa and retrieves it: client BINDING HOST:PORT CSV [REPEATS].
 *
 * The binding is binary+tcp, tdxml+tcp, soap+http, tdxml+http or json+http; or binary+jms, tdxml+jms or soap+jms, where the place is that of the broker, and
 * the code was generated with `--with jms`. The calls are the same over each.
 *
 * All memory comes from two arenas: one holds the series for the whole run, the other one what a call gave, and is emptied after each call.
 */
#include <co2.creo.h>
#include <co2.text.h>
#ifdef WITH_JMS
#include <creo/jms.h>
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NAME "CO2 at Mauna Loa, from C"
#define MOST_WEEKS 4000

/* Ends the program with an error of the runtime, or of this program's own. */
static void fail(const creo_error *error, const char *what)
{
    char text[CREO_ERROR_TEXT];
    fprintf(stderr, "%s: %s\n", what, error == NULL ? "not as expected" : creo_error_format(error, text, sizeof text));
    exit(1);
}

/* Midnight UTC of a date, by the days of the Gregorian calendar. */
static creo_datetime midnight(int year, int month, int day)
{
    int64_t y = month <= 2 ? year - 1 : year;
    int64_t m = month <= 2 ? month + 9 : month - 3;
    int64_t days = 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 719469;
    return (creo_datetime){days * 86400, 0};
}

/* The series of the CSV: a date and a number a line; a week without a measurement has no number. */
static co2_data read_series(const char *path, creo_arena *arena)
{
    co2_sample *samples = creo_arena_take(arena, MOST_WEEKS, sizeof *samples);
    FILE *file = fopen(path, "r");
    if (file == NULL || samples == NULL) {
        perror(path);
        exit(1);
    }
    size_t count = 0;
    char line[100];
    while (fgets(line, sizeof line, file) != NULL && count < MOST_WEEKS) {
        int year, month, day;
        double ppm;
        if (sscanf(line, "%4d%2d%2d,%lf", &year, &month, &day, &ppm) == 4)
            samples[count++] = (co2_sample){midnight(year, month, day), ppm};
    }
    fclose(file);
    co2_data series;
    co2_data_init(&series);
    series.metadata.description = creo_text(NAME);
    series.metadata.source = creo_text("Keeling and Whorf 2004");
    series.metadata.has_obtained = true;
    series.metadata.obtained = midnight(2014, 3, 15);
    series.samples = (co2_sample_array){samples, count};
    return series;
}

/* Two values are the same if their bytes are. */
static bool same(const co2_data *a, const co2_data *b, creo_arena *arena, creo_error *error)
{
    creo_bytes left, right;
    if (!co2_data_to_bytes(a, arena, &left, error) || !co2_data_to_bytes(b, arena, &right, error))
        fail(error, "encode");
    return left.size == right.size && memcmp(left.data, right.data, left.size) == 0;
}

static size_t count_matches(const co2_data *series, const co2_query *query)
{
    size_t count = 0;
    for (size_t i = 0; i < series->samples.count; i++) {
        const co2_sample *sample = &series->samples.items[i];
        count += sample->week.seconds >= query->from.seconds && sample->week.seconds < query->until.seconds && sample->ppm >= query->at_least;
    }
    return count;
}

static void try_it(creo_client *client, const co2_data *series, creo_arena *arena)
{
    creo_error error;
    if (!co2_data_service_store_data(client, (co2_data_array){series, 1}, arena, &error))
        fail(&error, "store");

    /* A method that declares exceptions ends with one of several outcomes. */
    co2_data_service_retrieve_data_outcome back;
    if (!co2_data_service_retrieve_data(client, creo_text(NAME), arena, &back, &error))
        fail(&error, "retrieve");
    if (back.kind != CO2_DATA_SERVICE_RETRIEVE_DATA_RESULT || !same(series, &back.as.result, arena, &error))
        fail(NULL, "the series that came back");
    printf("stored and retrieved %zu weeks\n", back.as.result.samples.count);
    creo_arena_reset(arena);

    co2_query query;
    co2_query_init(&query);
    query.description = creo_text(NAME);
    query.has_from = true;
    query.from = midnight(1990, 1, 1);
    query.has_until = true;
    query.until = midnight(2000, 1, 1);
    query.at_least = 365.0;
    co2_data_service_find_outcome high;
    if (!co2_data_service_find(client, &query, arena, &high, &error))
        fail(&error, "find");
    if (high.kind != CO2_DATA_SERVICE_FIND_RESULT || high.as.result.count != count_matches(series, &query))
        fail(NULL, "the weeks that were found");
    printf("found %zu weeks of the nineties with 365 ppm and more\n", high.as.result.count);
    creo_arena_reset(arena);

    if (!co2_data_service_retrieve_data(client, creo_text("CO2 on Mars"), arena, &back, &error))
        fail(&error, "retrieve");
    if (back.kind != CO2_DATA_SERVICE_RETRIEVE_DATA_NOT_FOUND || back.as.not_found.known.count == 0)
        fail(NULL, "the exception for what is not there");
    printf("not found, as declared: %.*s\n", (int)back.as.not_found.description.size, back.as.not_found.description.data);
    creo_arena_reset(arena);
}

static double microseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static int by_size(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* The median of the second half, when everything is warm. */
static double median(double *times, size_t count)
{
    double *warm = times + count / 2;
    size_t left = count - count / 2;
    qsort(warm, left, sizeof *warm, by_size);
    return left == 0 ? 0 : warm[left / 2];
}

/* Repeats both calls and prints the median time of one. */
static void measure(creo_client *client, const co2_data *series, creo_arena *arena, size_t repeats)
{
    creo_error error;
    co2_data_service_retrieve_data_outcome back;
    double *store = calloc(repeats + 1, sizeof *store), *retrieve = calloc(repeats + 1, sizeof *retrieve);
    if (store == NULL || retrieve == NULL)
        exit(1);
    for (size_t i = 0; i < repeats; i++) {
        double start = microseconds();
        if (!co2_data_service_store_data(client, (co2_data_array){series, 1}, arena, &error))
            fail(&error, "store");
        double stored = microseconds();
        if (!co2_data_service_retrieve_data(client, creo_text(NAME), arena, &back, &error))
            fail(&error, "retrieve");
        retrieve[i] = microseconds() - stored;
        store[i] = stored - start;
        creo_arena_reset(arena);
    }
    printf("{\"calls\": %zu, \"storeMicroseconds\": %.1f, \"retrieveMicroseconds\": %.1f}\n", 2 * repeats + 4, median(store, repeats),
           median(retrieve, repeats));
    free(store);
    free(retrieve);
}

static void use(creo_client *client, const co2_data *series, creo_arena *passing, size_t repeats)
{
    try_it(client, series, passing);
    measure(client, series, passing, repeats);
}

int main(int count, char **arguments)
{
    char host[256];
    unsigned port;
    if (count < 4 || sscanf(arguments[2], "%255[^:]:%u", host, &port) != 2) {
        fprintf(stderr, "usage: %s BINDING HOST:PORT CSV [REPEATS]\n", arguments[0]);
        return 2;
    }
    const char *binding = arguments[1];
    char url[300];
    snprintf(url, sizeof url, "http://%s:%u/DataService", host, port);
    creo_allocator memory = creo_allocator_libc();
    creo_arena lasting, passing;
    creo_arena_init(&lasting, memory);
    creo_arena_init(&passing, memory);
    co2_data series = read_series(arguments[3], &lasting);

    size_t repeats = count > 4 ? (size_t)atol(arguments[4]) : 0;
    creo_error error;
    if (strcmp(binding, "binary+tcp") == 0 || strcmp(binding, "tdxml+tcp") == 0) {
        creo_client client;
        creo_client_init(&client, host, (uint16_t)port, memory);
        const creo_text_interface *interfaces[] = {&co2_data_service_text};
        creo_tables tables = {.interfaces = interfaces, .interface_count = 1};
        if (strcmp(binding, "tdxml+tcp") == 0)
            creo_client_use_tables(&client, &tables);
        use(&client, &series, &passing, repeats);
        creo_client_free(&client);
    } else if (strcmp(binding, "soap+http") == 0 || strcmp(binding, "tdxml+http") == 0) {
        creo_soap soap;
        if (!creo_soap_init(&soap, url, &co2_data_service_text, memory, &error))
            fail(&error, "the URL");
        if (strcmp(binding, "tdxml+http") == 0)
            creo_soap_use_tables(&soap, (creo_tdxml_options){0});
        use(&soap.client, &series, &passing, repeats);
        creo_soap_free(&soap);
    } else if (strcmp(binding, "json+http") == 0) {
        creo_json json;
        if (!creo_json_init(&json, url, &co2_data_service_text, memory, &error))
            fail(&error, "the URL");
        use(&json.client, &series, &passing, repeats);
        creo_json_free(&json);
#ifdef WITH_JMS
    } else if (strcmp(binding, "binary+jms") == 0 || strcmp(binding, "tdxml+jms") == 0 || strcmp(binding, "soap+jms") == 0) {
        creo_jms jms;
        creo_jms_wire wire = binding[0] == 'b' ? CREO_JMS_BINARY : binding[0] == 't' ? CREO_JMS_TDXML : CREO_JMS_SOAP;
        if (!creo_jms_init(&jms, host, (uint16_t)port, "jms:queue:co2", wire, &co2_data_service_text, memory, &error))
            fail(&error, "the address");
        use(&jms.client, &series, &passing, repeats);
        creo_jms_free(&jms);
#endif
    } else {
        fprintf(stderr, "no such binding: %s\n", binding);
        return 2;
    }

    creo_arena_free(&passing);
    creo_arena_free(&lasting);
    return 0;
}
