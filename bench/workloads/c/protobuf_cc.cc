// protobuf's own classes for C++, on an arena whose first block is kept.
#include "workloads.h"

#include <google/protobuf/arena.h>
#include <memory>
#include <vector>

#include "workloads.pb.h"

namespace {

namespace proto = bench::workloads::proto;
using google::protobuf::Arena;
using google::protobuf::MessageLite;

std::unique_ptr<Arena> arena_in(std::vector<char> &block)
{
    google::protobuf::ArenaOptions options;
    options.initial_block = block.data();
    options.initial_block_size = block.size();
    return std::make_unique<Arena>(options);
}

struct State {
    const source *from;
    std::vector<char> built_block = std::vector<char>(4 << 20), decoded_block = std::vector<char>(4 << 20);
    std::unique_ptr<Arena> built = arena_in(built_block), decoded = arena_in(decoded_block);
};

void *create(const source *from)
{
    return new State{from};
}

MessageLite *message_in(enum kind kind, Arena *arena)
{
    switch (kind) {
    case ORDERS:
        return Arena::CreateMessage<proto::Orders>(arena);
    case TELEMETRY:
        return Arena::CreateMessage<proto::Telemetry>(arena);
    default:
        return Arena::CreateMessage<proto::Document>(arena);
    }
}

std::string string_of(creo_string string)
{
    return std::string(string.data, string.size);
}

template <typename Map> void fill(Map *map, const workloads_string_string_map &from)
{
    for (size_t i = 0; i < from.count; i++)
        (*map)[string_of(from.entries[i].key)].assign(from.entries[i].value.data, from.entries[i].value.size);
}

void fill(proto::Instant *instant, creo_datetime from)
{
    instant->set_seconds(from.seconds);
    instant->set_nanoseconds(static_cast<int32_t>(from.nanoseconds));
}

void fill(proto::Node *node, const workloads_node &from)
{
    node->set_kind(from.kind.data, from.kind.size);
    if (from.has_text)
        node->set_text(from.text.data, from.text.size);
    fill(node->mutable_attributes(), from.attributes);
    for (size_t i = 0; i < from.children.count; i++)
        fill(node->add_children(), from.children.items[i]);
}

void fill(proto::Order *order, const workloads_order &from)
{
    order->set_id(from.id);
    order->set_customer(from.customer.data, from.customer.size);
    fill(order->mutable_placed(), from.placed);
    for (size_t k = 0; k < from.items.count; k++) {
        const workloads_item &item = from.items.items[k];
        proto::Item *made = order->add_items();
        made->set_sku(item.sku.data, item.sku.size);
        made->set_quantity(item.quantity);
        made->set_price(item.price);
        if (item.has_note)
            made->set_note(item.note.data, item.note.size);
    }
    fill(order->mutable_tags(), from.tags);
}

void *build(void *opaque)
{
    State *state = static_cast<State *>(opaque);
    const union message &from = state->from->message;
    MessageLite *made = message_in(state->from->kind, state->built.get());
    switch (state->from->kind) {
    case ORDERS:
        for (size_t i = 0; i < from.orders.orders.count; i++)
            fill(static_cast<proto::Orders *>(made)->add_orders(), from.orders.orders.items[i]);
        break;
    case TELEMETRY:
        for (size_t i = 0; i < from.telemetry.readings.count; i++) {
            const workloads_reading &reading = from.telemetry.readings.items[i];
            proto::Reading *to = static_cast<proto::Telemetry *>(made)->add_readings();
            fill(to->mutable_at(), reading.at);
            to->set_value(reading.value);
            to->set_flags(reading.flags);
            if (reading.has_unit)
                to->set_unit(reading.unit.data, reading.unit.size);
        }
        break;
    case DOCUMENT: {
        proto::Document *document = static_cast<proto::Document *>(made);
        document->set_title(from.document.title.data, from.document.title.size);
        fill(document->mutable_root(), from.document.root);
        break;
    }
    }
    return made;
}

void discard(void *opaque, void *)
{
    static_cast<State *>(opaque)->built->Reset();
}

size_t encode(void *, const void *message, uint8_t *out, size_t capacity)
{
    const MessageLite *made = static_cast<const MessageLite *>(message);
    size_t size = made->ByteSizeLong();
    if (size > capacity)
        return 0;
    return made->SerializeWithCachedSizesToArray(out) == out + size ? size : 0;
}

void *decode(void *opaque, const uint8_t *bytes, size_t size)
{
    State *state = static_cast<State *>(opaque);
    MessageLite *made = message_in(state->from->kind, state->decoded.get());
    return made->ParseFromArray(bytes, static_cast<int>(size)) ? made : nullptr;
}

void release(void *opaque, void *)
{
    static_cast<State *>(opaque)->decoded->Reset();
}

void read(uint64_t *sum, const std::string &value)
{
    sum_text(sum, value.data(), value.size());
}

void read(uint64_t *sum, bool has, const std::string &value)
{
    if (has)
        read(sum, value);
    else
        sum_absent(sum);
}

void read(uint64_t *sum, const proto::Instant &value)
{
    sum_number(sum, static_cast<uint64_t>(value.seconds()));
    sum_number(sum, static_cast<uint64_t>(value.nanoseconds()));
}

template <typename Map> void read_map(uint64_t *sum, const Map &map)
{
    uint64_t all = 0;
    for (const auto &[key, value] : map)
        all += sum_entry(key.data(), key.size(), value.data(), value.size());
    sum_number(sum, all);
}

void read(uint64_t *sum, const proto::Node &node)
{
    read(sum, node.kind());
    read(sum, node.has_text(), node.text());
    read_map(sum, node.attributes());
    for (const proto::Node &child : node.children())
        read(sum, child);
}

uint64_t read_fields(void *opaque, const void *message)
{
    const MessageLite *made = static_cast<const MessageLite *>(message);
    uint64_t sum = 0;
    switch (static_cast<State *>(opaque)->from->kind) {
    case ORDERS:
        for (const proto::Order &order : static_cast<const proto::Orders *>(made)->orders()) {
            sum_number(&sum, static_cast<uint64_t>(order.id()));
            read(&sum, order.customer());
            read(&sum, order.placed());
            for (const proto::Item &item : order.items()) {
                read(&sum, item.sku());
                sum_number(&sum, static_cast<uint64_t>(static_cast<int64_t>(item.quantity())));
                sum_real(&sum, item.price());
                read(&sum, item.has_note(), item.note());
            }
            read_map(&sum, order.tags());
        }
        break;
    case TELEMETRY:
        for (const proto::Reading &reading : static_cast<const proto::Telemetry *>(made)->readings()) {
            read(&sum, reading.at());
            sum_real(&sum, reading.value());
            sum_number(&sum, static_cast<uint64_t>(static_cast<int64_t>(reading.flags())));
            read(&sum, reading.has_unit(), reading.unit());
        }
        break;
    case DOCUMENT:
        read(&sum, static_cast<const proto::Document *>(made)->title());
        read(&sum, static_cast<const proto::Document *>(made)->root());
        break;
    }
    return sum;
}

} // namespace

extern "C" const struct peer protobuf_cc_peer = {"binary", "protobuf-c++", create, build, encode, discard, decode, release, read_fields};
