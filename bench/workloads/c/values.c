/* The values are in Creo's structs, which are also what peers without their own classes create. */
#include "workloads.h"

static void read_string(uint64_t *sum, creo_string string)
{
    sum_text(sum, string.data, string.size);
}

static void read_optional(uint64_t *sum, bool has, creo_string string)
{
    if (has)
        read_string(sum, string);
    else
        sum_absent(sum);
}

static void read_instant(uint64_t *sum, creo_datetime instant)
{
    sum_number(sum, (uint64_t)instant.seconds);
    sum_number(sum, instant.nanoseconds);
}

static void read_map(uint64_t *sum, const workloads_string_string_map *map)
{
    uint64_t all = 0;
    for (size_t i = 0; i < map->count; i++)
        all += sum_entry(map->entries[i].key.data, map->entries[i].key.size, map->entries[i].value.data, map->entries[i].value.size);
    sum_number(sum, all);
}

static void read_node(uint64_t *sum, const workloads_node *node)
{
    read_string(sum, node->kind);
    read_optional(sum, node->has_text, node->text);
    read_map(sum, &node->attributes);
    for (size_t i = 0; i < node->children.count; i++)
        read_node(sum, &node->children.items[i]);
}

uint64_t read_message(enum kind kind, const union message *message)
{
    uint64_t sum = 0;
    switch (kind) {
    case ORDERS:
        for (size_t i = 0; i < message->orders.orders.count; i++) {
            const workloads_order *order = &message->orders.orders.items[i];
            sum_number(&sum, (uint64_t)order->id);
            read_string(&sum, order->customer);
            read_instant(&sum, order->placed);
            for (size_t k = 0; k < order->items.count; k++) {
                const workloads_item *item = &order->items.items[k];
                read_string(&sum, item->sku);
                sum_number(&sum, (uint64_t)item->quantity);
                sum_real(&sum, item->price);
                read_optional(&sum, item->has_note, item->note);
            }
            read_map(&sum, &order->tags);
        }
        break;
    case TELEMETRY:
        for (size_t i = 0; i < message->telemetry.readings.count; i++) {
            const workloads_reading *reading = &message->telemetry.readings.items[i];
            read_instant(&sum, reading->at);
            sum_real(&sum, reading->value);
            sum_number(&sum, (uint64_t)reading->flags);
            read_optional(&sum, reading->has_unit, reading->unit);
        }
        break;
    case DOCUMENT:
        read_string(&sum, message->document.title);
        read_node(&sum, &message->document.root);
        break;
    }
    return sum;
}

static int64_t digits(const char *at, int count)
{
    int64_t value = 0;
    for (int i = 0; i < count; i++)
        value = value * 10 + (at[i] - '0');
    return value;
}

creo_datetime instant_of(const char *text, size_t size)
{
    int64_t year = digits(text, 4), month = digits(text + 5, 2), day = digits(text + 8, 2);
    /* Days since 1970, in years that begin in March. */
    year -= month <= 2;
    int64_t era = year / 400, of_era = year - era * 400;
    int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    int64_t days = era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
    creo_datetime instant = {days * 86400 + digits(text + 11, 2) * 3600 + digits(text + 14, 2) * 60 + digits(text + 17, 2), 0};
    uint32_t unit = 100000000;
    for (size_t i = 20; text[19] == '.' && i < size && text[i] >= '0' && text[i] <= '9'; i++, unit /= 10)
        instant.nanoseconds += unit * (uint32_t)(text[i] - '0');
    return instant;
}
