/*
 * This module as a program, for tests in other languages. Each line of its input is `COMMAND OPTIONS BASE64`: `send` secures a message, `receive`
 * checks one. Each line of its output is `ok BASE64` or `error CODE MESSAGE`. OPTIONS are `NAME=VALUE`, parted by commas; one security is kept for each text of them.
 * The argument is the folder with `NAME.key.pem` and `NAME.crt.pem`.
 */
#define _POSIX_C_SOURCE 200809L

#include <creo/wss.h>

#include <stdio.h>
#include <stdlib.h>

#include <openssl/evp.h>

#define MAX_KEPT 1000
#define MAX_LIST 16

typedef struct kept {
    char *text;
    creo_wss *wss;
} kept;

static const char *folder;
static kept all[MAX_KEPT];
static size_t kept_count;

static void fail(const char *why)
{
    fprintf(stderr, "peer: %s\n", why);
    exit(1);
}

/* Memory that lives as long as the program. */
static char *lasting(char *memory)
{
    static char *lasts[8 * MAX_KEPT];
    static size_t used;
    if (memory == NULL || used == sizeof lasts / sizeof lasts[0])
        fail("no memory");
    lasts[used++] = memory;
    return memory;
}

static char *path_of(const char *name, const char *kind)
{
    size_t size = strlen(folder) + strlen(name) + strlen(kind) + 7;
    char *path = lasting((char *)malloc(size));
    (void)snprintf(path, size, "%s/%s.%s.pem", folder, name, kind);
    return path;
}

/* The texts between plus signs. */
static const char **list_of(char *value)
{
    static const char *lists[MAX_LIST][MAX_LIST + 1];
    static size_t used;
    const char **list = lists[used++ % MAX_LIST];
    size_t count = 0;
    for (char *part = strtok(value, "+"); part != NULL && count < MAX_LIST; part = strtok(NULL, "+"))
        list[count++] = part;
    list[count] = NULL;
    return list;
}

static creo_wss_reference reference_of(const char *name)
{
    static const char *const names[] = {"DEFAULT", "BINARY_TOKEN", "ISSUER_SERIAL", "KEY_IDENTIFIER", "THUMBPRINT"};
    for (int i = 0; i < 5; i++)
        if (strcmp(names[i], name) == 0)
            return (creo_wss_reference)i;
    fail(name);
    return CREO_WSS_DEFAULT;
}

static creo_wss_identity identity_of(const char *name)
{
    creo_wss_identity identity;
    memset(&identity, 0, sizeof identity);
    identity.key.path = path_of(name, "key");
    identity.certificate.path = path_of(name, "crt");
    return identity;
}

static int64_t fixed_time;

static bool tell_time(void *context, creo_datetime *now)
{
    (void)context;
    *now = (creo_datetime){fixed_time, 0};
    return true;
}

static void set(creo_wss_options *options, creo_wss_identity *own, const char *name, char *value)
{
    if (strcmp(name, "signer") == 0)
        options->signer = identity_of(value);
    else if (strcmp(name, "reference") == 0)
        options->reference = reference_of(value);
    else if (strcmp(name, "signature") == 0)
        options->signature = value;
    else if (strcmp(name, "headers") == 0)
        options->signed_headers = list_of(value);
    else if (strcmp(name, "recipient") == 0)
        options->recipient.path = path_of(value, "crt");
    else if (strcmp(name, "keyReference") == 0)
        options->key_reference = reference_of(value);
    else if (strcmp(name, "key") == 0)
        options->key_encryption = value;
    else if (strcmp(name, "data") == 0)
        options->data_encryption = value;
    else if (strcmp(name, "trusted") == 0)
        options->trusted.path = path_of(value, "crt");
    else if (strcmp(name, "issuers") == 0)
        options->issuers.path = path_of(value, "crt");
    else if (strcmp(name, "known") == 0)
        options->known.path = path_of(value, "crt");
    else if (strcmp(name, "decrypt") == 0) {
        *own = identity_of(value);
        options->decryption = own;
        options->decryption_count = 1;
    } else if (strcmp(name, "required") == 0)
        options->required_headers = list_of(value);
    else if (strcmp(name, "allowed") == 0)
        options->allowed = list_of(value);
    else if (strcmp(name, "encrypted") == 0)
        options->require_encrypted = true;
    else if (strcmp(name, "timeless") == 0)
        options->without_timestamps = true;
    else if (strcmp(name, "time") == 0) {
        fixed_time = strtoll(value, NULL, 10);
        options->clock = tell_time;
    } else if (strcmp(name, "loose") == 0)
        options->allow_loose_prefixes = true;
    else if (strcmp(name, "saml") == 0)
        options->saml = creo_text(value);
    else if (strcmp(name, "keep") != 0)
        fail(name);
}

/* The security with these options. */
static const creo_soap_security *security_of(const char *text)
{
    for (size_t i = 0; i < kept_count; i++)
        if (strcmp(all[i].text, text) == 0)
            return creo_wss_security(all[i].wss);
    creo_wss_options options;
    creo_wss_identity own;
    creo_error error;
    memset(&options, 0, sizeof options);
    char *copy = lasting(strdup(text));
    char *parts = lasting(strdup(text));
    if (kept_count == MAX_KEPT)
        fail("too many options");
    char *names[32];
    size_t count = 0;
    for (char *part = strtok(parts, ","); part != NULL && count < 32; part = strtok(NULL, ","))
        names[count++] = part;
    for (size_t i = 0; i < count; i++) {
        char *value = strchr(names[i], '=');
        if (value == NULL)
            fail(names[i]);
        *value = 0;
        set(&options, &own, names[i], value + 1);
    }
    creo_wss *wss = creo_wss_new(&options, &error);
    if (wss == NULL)
        fail(error.message);
    all[kept_count++] = (kept){copy, wss};
    return creo_wss_security(wss);
}

static void answer(const char *command, const char *options, const char *base64)
{
    size_t room = strlen(base64) / 4 * 3 + 3;
    uint8_t *bytes = (uint8_t *)malloc(room);
    if (bytes == NULL)
        fail("no memory");
    int size = EVP_DecodeBlock(bytes, (const unsigned char *)base64, (int)strlen(base64));
    if (size < 0)
        fail("no base64");
    for (size_t at = strlen(base64); at > 0 && base64[at - 1] == '='; at--)
        size--;
    const creo_soap_security *security = security_of(options);
    creo_arena arena;
    creo_error error;
    creo_bytes made;
    creo_arena_init(&arena, creo_allocator_libc());
    creo_bytes given = creo_bytes_of(bytes, (size_t)size);
    bool done = strcmp(command, "send") == 0 ? security->send(security->context, given, &arena, &made, &error)
                                             : security->receive(security->context, given, creo_text(""), &arena, &made, &error);
    if (done) {
        unsigned char *text = (unsigned char *)malloc(made.size / 3 * 4 + 5);
        if (text == NULL)
            fail("no memory");
        (void)EVP_EncodeBlock(text, made.data, (int)made.size);
        printf("ok %s\n", (const char *)text);
        free(text);
    } else {
        printf("error %s %s\n", creo_code_name(error.code), error.message);
    }
    fflush(stdout);
    creo_arena_free(&arena);
    free(bytes);
}

int main(int count, char **arguments)
{
    char *line = NULL;
    size_t room = 0;
    if (count != 2)
        fail("the argument is a folder");
    folder = arguments[1];
    while (getline(&line, &room, stdin) > 0) {
        line[strcspn(line, "\n")] = 0;
        char *options = strchr(line, ' ');
        char *message = options == NULL ? NULL : strchr(options + 1, ' ');
        if (message == NULL)
            fail("a line is COMMAND OPTIONS BASE64");
        *options++ = 0;
        *message++ = 0;
        answer(line, options, message);
    }
    free(line);
    return 0;
}
