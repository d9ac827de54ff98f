/* What security costs in C (COST-39): arguments and output are those of SecurityCosts.java. */
#define _POSIX_C_SOURCE 200809L

#include <creo/wss.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef struct job {
    bool is_signed;
    bool is_encrypted;
    creo_bytes plain;
    creo_wss *writer;
} job;

/* A message that is kept until it is read. */
typedef struct message {
    creo_arena arena;
    creo_bytes bytes;
} message;

static creo_wss_identity client;

static void fail(const char *why)
{
    fprintf(stderr, "security_costs: %s\n", why);
    exit(1);
}

static void *lasting(void *memory)
{
    if (memory == NULL)
        fail("no memory");
    return memory;
}

/* The processor time of the thread. */
static int64_t now(void)
{
    struct timespec time;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) != 0)
        fail("the clock of the thread cannot be read");
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static char *path_of(const char *folder, const char *name)
{
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = (char *)lasting(malloc(size));
    (void)snprintf(path, size, "%s/%s", folder, name);
    return path;
}

static creo_bytes content(const char *path)
{
    FILE *file = fopen(path, "rb");
    long size;
    if (file == NULL || fseek(file, 0, SEEK_END) != 0 || (size = ftell(file)) <= 0 || fseek(file, 0, SEEK_SET) != 0)
        fail("a message cannot be read");
    uint8_t *bytes = (uint8_t *)lasting(malloc((size_t)size));
    if (fread(bytes, 1, (size_t)size, file) != (size_t)size)
        fail("a message cannot be read");
    (void)fclose(file);
    return creo_bytes_of(bytes, (size_t)size);
}

static creo_wss *security(const creo_wss_options *options)
{
    creo_error error;
    creo_wss *wss = creo_wss_new(options, &error);
    if (wss == NULL)
        fail(error.message);
    return wss;
}

static creo_wss *writer_of(const job *job)
{
    creo_wss_options options;
    memset(&options, 0, sizeof options);
    if (job->is_signed)
        options.signer = client;
    if (job->is_encrypted)
        options.recipient = client.certificate;
    return security(&options);
}

static creo_wss *reader_of(const job *job)
{
    creo_wss_options options;
    memset(&options, 0, sizeof options);
    if (job->is_signed)
        options.trusted = client.certificate;
    if (job->is_encrypted) {
        options.decryption = &client;
        options.decryption_count = 1;
    }
    return security(&options);
}

static job job_of(char *word)
{
    job made = {false, false, {NULL, 0}, NULL};
    char *file = strchr(word, ':');
    if (file == NULL)
        fail("a job is PARTS:FILE");
    *file++ = 0;
    for (char *part = strtok(word, ","); part != NULL; part = strtok(NULL, ",")) {
        made.is_signed = made.is_signed || strcmp(part, "sign") == 0;
        made.is_encrypted = made.is_encrypted || strcmp(part, "encrypt") == 0;
    }
    made.plain = content(file);
    made.writer = writer_of(&made);
    return made;
}

static void measure(int number, const job *job, message *messages, int count)
{
    creo_error error;
    creo_bytes found;
    const creo_soap_security *writer = creo_wss_security(job->writer);
    /* The blocks of larger messages before are no cost of these. */
    for (int n = 0; n < count; n++)
        creo_arena_reset(&messages[n].arena);
    int64_t before = now();
    for (int n = 0; n < count; n++)
        if (!writer->send(writer->context, job->plain, &messages[n].arena, &messages[n].bytes, &error))
            fail(error.message);
    int64_t written = now() - before;
    /* Without a memory of signatures that came before. */
    creo_wss *wss = reader_of(job);
    const creo_soap_security *reader = creo_wss_security(wss);
    before = now();
    for (int n = 0; n < count; n++)
        if (!reader->receive(reader->context, messages[n].bytes, creo_text(""), &messages[n].arena, &found, &error) || found.size == 0)
            fail(error.message);
    int64_t read = now() - before;
    creo_wss_free(wss);
    printf("%d write %zu %" PRId64 "\n%d read %zu %" PRId64 "\n", number, messages[0].bytes.size, written / count, number, messages[0].bytes.size, read / count);
}

int main(int argc, char **argv)
{
    if (argc < 5)
        fail("the arguments are KEYS ROUNDS COUNT PARTS:FILE...");
    int rounds = atoi(argv[2]), count = atoi(argv[3]), jobs_count = argc - 4;
    if (rounds < 1 || count < 1)
        fail("rounds and messages are numbers above 0");
    client.key.path = path_of(argv[1], "client.key.pem");
    client.certificate.path = path_of(argv[1], "client.crt.pem");
    job *jobs = (job *)lasting(calloc((size_t)jobs_count, sizeof *jobs));
    message *messages = (message *)lasting(calloc((size_t)count, sizeof *messages));
    for (int i = 0; i < jobs_count; i++)
        jobs[i] = job_of(argv[i + 4]);
    for (int n = 0; n < count; n++)
        creo_arena_init(&messages[n].arena, creo_allocator_libc());
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < jobs_count; i++)
            measure(i, &jobs[i], messages, count);
    return 0;
}
