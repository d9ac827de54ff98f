#include "request.h"

#include <creo/codegen/write.h>

#include "../call/answer.h"
#include "../call/metadata.h"
#include "frames.h"
#include "wire.h"

/* Byte strings of at least this size are sent from the caller's memory. */
#define BORROW_FROM ((size_t)16384)

/* A larger body is sent in frames of this size (TCP-6). */
#define CHAIN_SIZE ((size_t)1 << 20)

/* The max number of frames, and of their pieces, per write. */
#define BATCH_FRAMES 8
#define BATCH_PIECES 32

/* TCP-17 */
static bool encode_metadata(creo_client *client, creo_bytes *bytes, creo_error *error)
{
    *bytes = creo_bytes_of(NULL, 0);
    if (client->metadata_count == 0)
        return true;
    if (client->metadata_count > CREO_MAX_METADATA_PAIRS)
        return creo_fail_limit(error, "maxMetadataSize", client->limits.max_metadata_size);
    creo_writer writer;
    creo_writer_init(&writer, &client->arena, NULL, error);
    writer.most = client->limits.max_metadata_size;
    bool done = creo_write_items(&writer, client->metadata, client->metadata_count);
    for (size_t i = 0; done && i < client->metadata_count; i++) {
        creo_pair pair = client->metadata[i];
        if (!creo_metadata_key_valid(pair.key))
            return creo_fail_value(error, "a metadata key has 1 to 64 characters of a-z, 0-9, . and -, and does not begin with creo-");
        for (size_t j = 0; j < i; j++)
            if (creo_string_equal(client->metadata[j].key, pair.key))
                return creo_fail_value(error, "a metadata key occurs once");
        done = creo_write_string(&writer, pair.key) && creo_write_string(&writer, pair.value);
    }
    if (!done && error != NULL && error->code == CREO_TOO_LARGE && error->limit != NULL)
        return creo_fail_limit(error, "maxMetadataSize", client->limits.max_metadata_size);
    *bytes = creo_writer_bytes(&writer);
    return done;
}

bool creo_request_make(creo_client *client, const creo_method *method, const void *arguments, uint32_t id, creo_request *request, creo_error *error)
{
    request->id = id;
    request->method = method;
    if (!encode_metadata(client, &request->metadata, error))
        return false;
    creo_writer writer;
    creo_writer_init(&writer, &client->arena, &client->limits, error);
    /* A request for streams may be sent once more when the caller's memory has gone; the hook is shown one in one piece. */
    writer.borrow_from = client->streaming == NULL && client->raw_messages == NULL ? BORROW_FROM : SIZE_MAX;
    if (!(client->wire == NULL ? method->encode(&writer, arguments) : client->wire->encode(client, &writer, method, arguments)))
        return false;
    request->own = creo_writer_bytes(&writer);
    request->pieces = writer.pieces;
    request->piece_count = writer.piece_count;
    request->size = creo_writer_size(&writer);
    return true;
}

/* Goes through the body: the writer's own bytes and the borrowed pieces, in order. */
typedef struct request_cursor {
    const creo_request *request;
    size_t own_at;
    size_t piece;
    size_t piece_at;
} request_cursor;

static struct iovec request_piece_of(const uint8_t *data, size_t size)
{
    /* The system's type has no const; the bytes are only read. */
    union {
        const uint8_t *from;
        void *to;
    } pointer = {data};
    return (struct iovec){pointer.to, size};
}

/* The next contiguous bytes, at most `most` of them. */
static struct iovec next_piece(request_cursor *at, size_t most)
{
    const creo_request *request = at->request;
    bool at_piece = at->piece < request->piece_count && request->pieces[at->piece].offset == at->own_at;
    if (at_piece) {
        const creo_piece *piece = &request->pieces[at->piece];
        size_t left = piece->size - at->piece_at;
        size_t size = left < most ? left : most;
        struct iovec found = request_piece_of(piece->data + at->piece_at, size);
        at->piece_at += size;
        if (at->piece_at == piece->size) {
            at->piece++;
            at->piece_at = 0;
        }
        return found;
    }
    size_t end = at->piece < request->piece_count ? request->pieces[at->piece].offset : request->own.size;
    size_t size = end - at->own_at < most ? end - at->own_at : most;
    struct iovec found = request_piece_of(request->own.data + at->own_at, size);
    at->own_at += size;
    return found;
}

/* Collects the pieces of one write. */
typedef struct batch {
    struct iovec pieces[BATCH_PIECES];
    size_t count;
    uint8_t heads[BATCH_FRAMES][CREO_PREAMBLE_SIZE + CREO_FRAME_SIZE + 12];
    size_t frames;
} batch;

static void request_add(batch *gathered, struct iovec piece)
{
    if (piece.iov_len != 0)
        gathered->pieces[gathered->count++] = piece;
}

static uint8_t *put_frame(uint8_t *at, size_t length, unsigned kind, unsigned flags, uint32_t id)
{
    creo_put_u32(at, (uint32_t)length);
    at[4] = (uint8_t)kind;
    at[5] = (uint8_t)flags;
    creo_put_u32(at + 6, id);
    return at + CREO_FRAME_SIZE;
}

/* Adds the head of the next frame, whose part of the body has `size` bytes. */
static void add_head(batch *gathered, creo_client *client, const creo_request *request, size_t size, bool first, bool more, creo_instant deadline)
{
    uint8_t *head = gathered->heads[gathered->frames++];
    uint8_t *at = head;
    unsigned flags = more ? CREO_MORE : 0;
    if (!first) {
        at = put_frame(at, CREO_FRAME_SIZE - 4 + size, CREO_DATA, flags, request->id);
        request_add(gathered, request_piece_of(head, (size_t)(at - head)));
        return;
    }
    if (!client->preamble_sent) {
        /* The abilities: this side reads metadata of answers, and no compressed bodies. */
        memcpy(at, "CREO\1\2\0", CREO_PREAMBLE_SIZE);
        at[6] = client->wire == NULL ? 0 : client->wire->number;
        at += CREO_PREAMBLE_SIZE;
    }
    if (request->metadata.size != 0)
        flags |= CREO_METADATA;
    at = put_frame(at, CREO_FRAME_SIZE - 4 + 12 + request->metadata.size + size, CREO_REQUEST, flags, request->id);
    creo_put_u64(at, request->method->id);
    creo_put_u32(at + 8, creo_milliseconds_left(deadline));
    request_add(gathered, request_piece_of(head, (size_t)(at + 12 - head)));
    request_add(gathered, request_piece_of(request->metadata.data, request->metadata.size));
}

creo_result creo_request_send(creo_client *client, const creo_request *request, creo_instant deadline, bool *began)
{
    request_cursor at = {request, 0, 0, 0};
    size_t left = request->size;
    bool first = true;
    *began = false;
    if (creo_now() >= deadline)
        return CREO_RESULT_TIMEOUT;
    do {
        batch gathered;
        gathered.count = 0;
        gathered.frames = 0;
        /* A frame takes its head, its metadata and at least one piece. */
        while ((first || left > 0) && gathered.frames < BATCH_FRAMES && gathered.count + 3 <= BATCH_PIECES) {
            /* The frame ends when the room for pieces does. */
            request_cursor ahead = at;
            size_t size = 0;
            size_t most = left < CHAIN_SIZE ? left : CHAIN_SIZE;
            for (size_t room = BATCH_PIECES - gathered.count - 2; room > 0 && size < most; room--)
                size += next_piece(&ahead, most - size).iov_len;
            add_head(&gathered, client, request, size, first, size < left, deadline);
            for (size_t taken = 0; taken < size;) {
                struct iovec piece = next_piece(&at, size - taken);
                taken += piece.iov_len;
                request_add(&gathered, piece);
            }
            left -= size;
            first = false;
        }
        size_t done;
        creo_result result = creo_socket_write(client, gathered.pieces, gathered.count, &done, deadline);
        *began = *began || done > 0;
        if (result != CREO_RESULT_DONE)
            return result;
        client->preamble_sent = true;
    } while (left > 0);
    return CREO_RESULT_DONE;
}
