/* What a program links of generated code and its runtime: a value to JSON and back, and a call that finds no server. */
#include <stdio.h>
#include <string.h>

#include "lab.creo.h"
#include "lab.text.h"

int main(void)
{
    creo_arena arena;
    creo_error error;
    creo_bytes json;
    double values[] = {1.0, -2.5};
    lab_sample sample, back;
    lab_sample_init(&sample);
    sample.name = creo_text("CO2");
    sample.values = (creo_double_array){values, 2};
    creo_arena_init(&arena, creo_allocator_libc());
    if (!lab_sample_to_json(&sample, &arena, &json, &error) || !lab_sample_from_json(json, &arena, &back, &error))
        return 1;
    if (back.values.count != 2 || back.values.items[1] != -2.5 || back.name.size != 3)
        return 2;
    printf("%.*s\n", (int)json.size, (const char *)json.data);

    creo_client client;
    creo_client_init(&client, "127.0.0.1", 1, creo_allocator_libc());
    if (lab_lab_find(&client, creo_text("CO2"), &arena, &back, &error))
        return 3;
    printf("%s\n", error.code == CREO_UNAVAILABLE ? "unavailable" : "another error");
    creo_client_free(&client);
    creo_arena_free(&arena);
    return 0;
}
