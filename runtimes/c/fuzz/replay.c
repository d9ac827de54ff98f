/*
 * Runs a fuzz target without a fuzzer: over the seeds in a folder, each as it is, cut at every length, and with every byte changed in
 * several ways. Deterministic.
 */
#define _POSIX_C_SOURCE 200809L

#include "fuzz.h"

#include <dirent.h>

static size_t runs;

static void run(const uint8_t *data, size_t size)
{
    (void)LLVMFuzzerTestOneInput(data, size);
    runs++;
}

static void run_seed(const uint8_t *data, size_t size)
{
    static const uint8_t changes[] = {0x01, 0x80, 0xFF, 0x7F};
    uint8_t *changed = (uint8_t *)malloc(size == 0 ? 1 : size);
    PROPERTY(changed != NULL);
    run(data, size);
    for (size_t cut = 0; cut < size; cut++)
        run(data, cut);
    for (size_t at = 0; at < size; at++) {
        for (size_t i = 0; i < sizeof changes; i++) {
            memcpy(changed, data, size);
            changed[at] ^= changes[i];
            run(changed, size);
        }
    }
    free(changed);
}

static void run_file(const char *path)
{
    uint8_t *data = (uint8_t *)malloc(1 << 16);
    FILE *file = fopen(path, "rb");
    PROPERTY(data != NULL && file != NULL);
    size_t size = fread(data, 1, 1 << 16, file);
    fclose(file);
    run_seed(data, size);
    free(data);
}

int main(int count, char **arguments)
{
    PROPERTY(count == 2);
    DIR *folder = opendir(arguments[1]);
    PROPERTY(folder != NULL);
    size_t seeds = 0;
    const struct dirent *entry;
    while ((entry = readdir(folder)) != NULL) {
        if (entry->d_name[0] == '.')
            continue;
        char path[4096];
        (void)snprintf(path, sizeof path, "%s/%s", arguments[1], entry->d_name);
        run_file(path);
        seeds++;
    }
    closedir(folder);
    PROPERTY(seeds > 0);
    printf("%s: %zu seeds, %zu runs\n", arguments[1], seeds, runs);
    return 0;
}
