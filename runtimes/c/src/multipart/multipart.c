/* Multipart messages: messages with byte parts (SOAP-20 to SOAP-22, TDX-53). */
#include "multipart.h"

#include "../base/utf8.h"
#include "../xml/xml_encoding.h"

#include <stdio.h>

/* LIM-25 */
#define MAX_HEADER_BYTES 16384
#define MAX_BOUNDARY 70

static bool wrong(creo_error *error, const char *what)
{
    return creo_fail(error, CREO_MALFORMED, "the package %s", what);
}

/* A line that separates parts. */
typedef struct delimiter {
    /* The end of the content before it, and the start of what follows. */
    const uint8_t *content_end;
    const uint8_t *behind;
    bool last;
} delimiter;

/* Whether the boundary's line is at `at`, the start of a line. */
static bool is_delimiter(const uint8_t *at, const uint8_t *end, creo_string boundary, delimiter *found)
{
    if ((size_t)(end - at) < boundary.size + 2 || at[0] != '-' || at[1] != '-' || memcmp(at + 2, boundary.data, boundary.size) != 0)
        return false;
    at += 2 + boundary.size;
    found->last = end - at >= 2 && at[0] == '-' && at[1] == '-';
    if (found->last) {
        found->behind = at + 2;
        return true;
    }
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    if (end - at < 2 || at[0] != '\r' || at[1] != '\n')
        return false;
    found->behind = at + 2;
    return true;
}

/* The next delimiter from `at`. With `fresh` it may be at `at` itself, otherwise after a line end. */
static bool find_delimiter(const uint8_t *at, const uint8_t *end, bool fresh, creo_string boundary, delimiter *found)
{
    found->content_end = at;
    if (fresh && is_delimiter(at, end, boundary, found))
        return true;
    while (end - at >= 4) {
        const uint8_t *line = (const uint8_t *)memchr(at, '\r', (size_t)(end - at) - 3);
        if (line == NULL)
            return false;
        if (line[1] == '\n' && line[2] == '-' && is_delimiter(line + 2, end, boundary, found)) {
            found->content_end = line;
            return true;
        }
        at = line + 1;
    }
    return false;
}

/* A content id without its brackets. */
static creo_string bare_id(creo_string id)
{
    if (id.size >= 2 && id.data[0] == '<' && id.data[id.size - 1] == '>')
        return (creo_string){id.data + 1, id.size - 2};
    return id;
}

/* What a part says of itself. Without `data`: nothing. */
typedef struct part_head {
    creo_string id;
    creo_string type;
    creo_string encoding;
} part_head;

static creo_string *part_header(part_head *head, creo_string name)
{
    if (creo_http_same(name, "content-id"))
        return &head->id;
    if (creo_http_same(name, "content-type"))
        return &head->type;
    return creo_http_same(name, "content-transfer-encoding") ? &head->encoding : NULL;
}

/* A value together with the lines that it goes on in, in the arena; moves behind them. False: there is no memory. */
static bool unfold_value(const uint8_t **at, const uint8_t *limit, creo_string *value, creo_arena *arena)
{
    const uint8_t *from = *at;
    while (*at < limit && (**at == ' ' || **at == '\t')) {
        const uint8_t *line = (const uint8_t *)memchr(*at, '\n', (size_t)(limit - *at));
        *at = line == NULL ? limit : line + 1;
    }
    if (*at == from)
        return true;
    size_t size = (size_t)((const char *)*at - value->data);
    char *copy = (char *)creo_arena_bytes(arena, size);
    if (copy == NULL)
        return false;
    for (size_t i = 0; i < size; i++)
        copy[i] = value->data[i] == '\r' || value->data[i] == '\n' ? ' ' : value->data[i];
    *value = creo_http_trim((creo_string){copy, size});
    return true;
}

/* A part's headers; moves past the empty line. */
static bool read_headers(const uint8_t **at, const uint8_t *end, part_head *head, creo_arena *arena, creo_error *error)
{
    const uint8_t *start = *at;
    const uint8_t *limit = (size_t)(end - start) > MAX_HEADER_BYTES + 4 ? start + MAX_HEADER_BYTES + 4 : end;
    creo_string name;
    creo_string value;
    bool bad;
    memset(head, 0, sizeof *head);
    while (creo_http_header(at, limit, &name, &value, &bad)) {
        if (!unfold_value(at, limit, &value, arena))
            return creo_fail(error, CREO_TOO_LARGE, "the arena has no memory left for the answer");
        creo_string *known = part_header(head, name);
        if (known == NULL)
            continue;
        if (known->data != NULL)
            return creo_fail(error, CREO_MALFORMED, "the package has a part with the header %.*s twice", (int)name.size, name.data);
        *known = value;
    }
    bool closed = !bad && limit - *at >= 2 && (*at)[0] == '\r' && (*at)[1] == '\n';
    if (closed && (size_t)(*at - start) <= MAX_HEADER_BYTES + 2) {
        *at += 2;
        return true;
    }
    bool cut = closed || memchr(*at, '\n', (size_t)(limit - *at)) == NULL;
    if (cut && limit != end)
        return creo_fail_limit(error, "maxParts", MAX_HEADER_BYTES);
    return wrong(error, "has a part whose headers are wrong");
}

static bool add_part(creo_multipart *package, size_t *room, creo_xml_part part, const creo_limits *limits, creo_arena *arena, creo_error *error)
{
    if (package->part_count >= limits->max_parts)
        return creo_fail_limit(error, "maxParts", limits->max_parts);
    for (size_t i = 0; part.id.data != NULL && i < package->part_count; i++)
        if (package->parts[i].id.data != NULL && creo_string_equal(package->parts[i].id, part.id))
            return wrong(error, "has two parts of one content id");
    if (package->part_count == *room) {
        size_t larger = *room == 0 ? 8 : *room * 2;
        creo_xml_part *parts = (creo_xml_part *)creo_arena_take(arena, larger, sizeof *parts);
        if (parts == NULL)
            return creo_fail(error, CREO_TOO_LARGE, "the arena has no memory left for the answer");
        if (package->part_count != 0)
            memcpy(parts, package->parts, package->part_count * sizeof *parts);
        package->parts = parts;
        *room = larger;
    }
    package->parts[package->part_count++] = part;
    return true;
}

bool creo_multipart_read(creo_bytes body, creo_string content_type, const creo_limits *limits, creo_arena *arena, creo_multipart *package, creo_error *error)
{
    memset(package, 0, sizeof *package);
    creo_string boundary;
    creo_string start;
    if (!creo_http_parameter(content_type, "boundary", arena, &boundary, error) || !creo_http_parameter(content_type, "start", arena, &start, error))
        return false;
    start = bare_id(start);
    if (boundary.size == 0 || boundary.size > MAX_BOUNDARY)
        return wrong(error, "has no boundary of 1 to 70 characters");
    const uint8_t *at = body.data;
    const uint8_t *end = body.size == 0 ? at : at + body.size;
    delimiter line;
    if (body.size == 0 || !find_delimiter(at, end, true, boundary, &line))
        return wrong(error, "does not hold its boundary");
    size_t room = 0;
    size_t root = SIZE_MAX;
    while (!line.last) {
        creo_xml_part part;
        part_head head;
        at = line.behind;
        memset(&part, 0, sizeof part);
        if (!read_headers(&at, end, &head, arena, error))
            return false;
        part.id = bare_id(head.id);
        const uint8_t *content = at;
        /* A part may be empty: then the line end before the boundary is the one after the headers. */
        if (!find_delimiter(content, end, true, boundary, &line))
            return wrong(error, "ends within a part");
        part.bytes = creo_bytes_of(content, (size_t)(line.content_end - content));
        bool is_root = root == SIZE_MAX && (start.data == NULL || (part.id.data != NULL && creo_string_equal(part.id, start)));
        if (is_root || part.id.data != NULL)
            part.wrong = creo_transfer_decode(head.encoding, arena, &part.bytes);
        if (is_root && part.wrong != NULL)
            return creo_fail(error, CREO_MALFORMED, "the root of the package: %s", part.wrong);
        if (is_root) {
            root = package->part_count;
            package->root = part.bytes;
            package->root_type = head.type;
            part.used = true;
        }
        if (!add_part(package, &room, part, limits, arena, error))
            return false;
    }
    return root != SIZE_MAX || wrong(error, "has no root");
}

static bool holds(creo_bytes bytes, const char *text, size_t size)
{
    const uint8_t *at = bytes.data;
    size_t left = bytes.size;
    while (left >= size) {
        const uint8_t *found = (const uint8_t *)memchr(at, text[0], left - size + 1);
        if (found == NULL)
            return false;
        if (memcmp(found, text, size) == 0)
            return true;
        left -= (size_t)(found - at) + 1;
        at = found + 1;
    }
    return false;
}

/* Chooses a boundary that occurs in none of the parts. */
static void choose_boundary(creo_bytes root, const creo_bytes *parts, size_t count, char boundary[CREO_BOUNDARY_SIZE])
{
    for (unsigned number = 0;; number++) {
        size_t size = (size_t)snprintf(boundary, CREO_BOUNDARY_SIZE, "creo-part-%u", number);
        bool taken = holds(root, boundary, size);
        for (size_t i = 0; !taken && i < count; i++)
            taken = holds(parts[i], boundary, size);
        if (!taken)
            return;
    }
}

/* The pieces around and between the root and the parts, in the arena. */
static bool write_multipart(creo_bytes root, const char *root_type, const creo_bytes *parts, size_t count, creo_arena *arena, creo_bytes *pieces, size_t *piece_count,
                            char boundary[CREO_BOUNDARY_SIZE], creo_error *error)
{
    enum { ROOM = 256 };
    choose_boundary(root, parts, count, boundary);
    size_t used = 0;
    for (size_t i = 0; i <= count + 1; i++) {
        char *text = (char *)creo_arena_bytes(arena, ROOM);
        if (text == NULL)
            return creo_fail(error, CREO_TOO_LARGE, "the allocator has no memory left for the request");
        int size;
        if (i == 0)
            size = snprintf(text, ROOM, "--%s\r\nContent-Type: %s\r\nContent-Transfer-Encoding: binary\r\nContent-ID: <root@creo>\r\n\r\n", boundary, root_type);
        else if (i <= count)
            size = snprintf(text, ROOM, "\r\n--%s\r\nContent-Type: application/octet-stream\r\nContent-Transfer-Encoding: binary\r\nContent-ID: <%zu@creo>\r\n\r\n", boundary, i - 1);
        else
            size = snprintf(text, ROOM, "\r\n--%s--\r\n", boundary);
        pieces[used++] = creo_bytes_of(text, (size_t)size);
        if (i == 0)
            pieces[used++] = root;
        else if (i <= count)
            pieces[used++] = parts[i - 1];
    }
    *piece_count = used;
    return true;
}

bool creo_multipart_make(creo_bytes root, const char *root_type, const creo_bytes *parts, size_t count, creo_arena *arena, creo_http_body *body,
                       char boundary[CREO_BOUNDARY_SIZE], creo_error *error)
{
    memset(body, 0, sizeof *body);
    body->pieces = (creo_bytes *)creo_arena_take(arena, 2 * count + 3, sizeof *body->pieces);
    if (body->pieces == NULL)
        return creo_fail(error, CREO_TOO_LARGE, "the allocator has no memory left for the request");
    body->pieces[0] = root;
    body->piece_count = 1;
    return root_type == NULL || write_multipart(root, root_type, parts, count, arena, body->pieces, &body->piece_count, boundary, error);
}

bool creo_multipart_charset(creo_string content_type, creo_bytes text, creo_arena *arena, creo_charset *charset, creo_error *error)
{
    creo_string name;
    *charset = CREO_CHARSET_NONE;
    if (!creo_http_parameter(content_type, "charset", arena, &name, error))
        return false;
    if (name.size == 0 || creo_charset_named(name, charset))
        return true;
    /* A byte order mark takes precedence. */
    *charset = CREO_CHARSET_UTF8;
    if (creo_mark_size(text) != 0)
        return true;
    char shown[100];
    creo_text_show(shown, sizeof shown, name);
    return creo_fail(error, CREO_MALFORMED, "the answer is in the encoding %s, which is not known", shown);
}
