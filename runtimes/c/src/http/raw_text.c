/* Raw messages as text: CALL-68. */
#include "../base/utf8.h"
#include "http_call.h"

#include <stdio.h>
#include <string.h>

#define RAW_ROW 16
#define RAW_MAX_INDENT 100

static bool shown_put(creo_writer *out, creo_string text)
{
    return creo_write_raw(out, creo_bytes_of(text.data, text.size));
}

/* A peer's text as printable ASCII. */
static bool shown_put_plain(creo_writer *out, creo_string text)
{
    for (size_t i = 0; i < text.size; i++) {
        char c = text.data[i] < ' ' || text.data[i] > '~' ? '?' : text.data[i];
        if (!creo_write_raw(out, creo_bytes_of(&c, 1)))
            return false;
    }
    return true;
}

/* The bytes that are text: all of them, or all but those of a character that was cut; 0: they are none. */
static size_t shown_text_size(creo_bytes body)
{
    size_t at = 0;
    while (at < body.size) {
        const uint8_t *b = body.data + at;
        size_t left = body.size - at;
        size_t size = creo_utf8_sequence(b, left);
        if (size == 0)
            return left < 4 && *b >= 0xC2 && *b <= 0xF4 && (left < 2 || (b[1] & 0xC0) == 0x80) && (left < 3 || (b[2] & 0xC0) == 0x80) ? at : 0;
        if ((*b < ' ' && *b != '\t' && *b != '\n' && *b != '\r') || *b == 0x7F || (*b == 0xC2 && b[1] < 0xA0))
            return 0;
        at += size;
    }
    return at;
}

static bool shown_line(creo_writer *out, size_t depth)
{
    bool done = creo_writer_size(out) == 0 || creo_http_put(out, "\n");
    for (size_t i = 0; done && creo_writer_size(out) != 0 && i < depth && i < RAW_MAX_INDENT; i++)
        done = creo_http_put(out, "  ");
    return done;
}

static bool shown_indent_json(creo_writer *out, creo_string from)
{
    size_t depth = 0;
    for (size_t i = 0; i < from.size; i++) {
        char c = from.data[i];
        bool done = true;
        if (c == '"') {
            size_t end = i + 1;
            while (end < from.size && from.data[end] != '"')
                end += from.data[end] == '\\' ? 2 : 1;
            end = end + 1 < from.size ? end + 1 : from.size;
            done = shown_put(out, (creo_string){from.data + i, end - i});
            i = end - 1;
        } else if (c == '{' || c == '[') {
            size_t next = i + 1;
            while (next < from.size && (uint8_t)from.data[next] <= ' ')
                next++;
            bool empty = next < from.size && (from.data[next] == '}' || from.data[next] == ']');
            depth += empty ? 0 : 1;
            done = shown_put(out, (creo_string){&c, 1}) && (empty ? shown_put(out, (creo_string){from.data + next, 1}) : shown_line(out, depth));
            i = empty ? next : i;
        } else if (c == '}' || c == ']') {
            depth -= depth != 0;
            done = shown_line(out, depth) && shown_put(out, (creo_string){&c, 1});
        } else if (c == ',') {
            done = creo_http_put(out, ",") && shown_line(out, depth);
        } else if (c == ':') {
            done = creo_http_put(out, ": ");
        } else if ((uint8_t)c > ' ') {
            done = shown_put(out, (creo_string){&c, 1});
        }
        if (!done)
            return false;
    }
    return true;
}

static bool shown_starts(creo_string from, size_t at, const char *text)
{
    size_t size = strlen(text);
    return from.size - at >= size && memcmp(from.data + at, text, size) == 0;
}

/* The end of a tag, a comment, or a CDATA section. */
static size_t shown_end_of(creo_string from, size_t at)
{
    const char *last = shown_starts(from, at, "<!--") ? "-->" : shown_starts(from, at, "<![CDATA[") ? "]]>" : ">";
    for (; at < from.size; at++)
        if (shown_starts(from, at, last))
            return at + strlen(last);
    return from.size;
}

/* An element whose content is text alone stays on its line. */
static bool shown_indent_xml(creo_writer *out, creo_string from)
{
    size_t depth = 0;
    bool in_line = false;
    for (size_t at = 0; at < from.size;) {
        size_t end = at;
        if (from.data[at] != '<' || shown_starts(from, at, "<![CDATA[")) {
            bool blank = true;
            if (from.data[at] == '<')
                end = shown_end_of(from, at);
            else
                while (end < from.size && from.data[end] != '<')
                    end++;
            for (size_t i = at; i < end; i++)
                blank = blank && (uint8_t)from.data[i] <= ' ';
            if (!blank && !shown_put(out, (creo_string){from.data + at, end - at}))
                return false;
            in_line = in_line || !blank;
            at = end;
            continue;
        }
        end = shown_end_of(from, at);
        bool closes = shown_starts(from, at, "</");
        bool opens = !closes && !shown_starts(from, at, "<?") && !shown_starts(from, at, "<!") && !(end >= 2 && shown_starts(from, end - 2, "/>"));
        depth -= closes && depth != 0;
        if ((!closes || !in_line) && !shown_line(out, depth))
            return false;
        if (!shown_put(out, (creo_string){from.data + at, end - at}))
            return false;
        depth += opens;
        in_line = opens;
        at = end;
    }
    return true;
}

static bool shown_put_lines(creo_writer *out, creo_string text)
{
    bool done = creo_http_put(out, "\n| ");
    for (size_t i = 0; done && i < text.size; i++) {
        if (text.data[i] == '\r' && i + 1 < text.size && text.data[i + 1] == '\n')
            i++;
        done = text.data[i] == '\n' || text.data[i] == '\r' ? creo_http_put(out, "\n| ") : shown_put(out, (creo_string){text.data + i, 1});
    }
    return done;
}

static bool shown_put_hex(creo_writer *out, creo_bytes body)
{
    for (size_t row = 0; row < body.size; row += RAW_ROW) {
        char text[40];
        (void)snprintf(text, sizeof text, "\n| %6zu ", row);
        if (!creo_http_put(out, text))
            return false;
        for (size_t i = row; i < body.size && i < row + RAW_ROW; i++) {
            (void)snprintf(text, sizeof text, " %02x", (unsigned)body.data[i]);
            if (!creo_http_put(out, text))
                return false;
        }
    }
    return true;
}

/* Of the binary wire, over TCP (errors beside tables, too) or JMS: its bytes are no text, whatever they are. */
static bool shown_is_binary(const creo_raw_message *message)
{
    static const char type[] = "application/vnd.creo.binary";
    const creo_pair *fields = message->headers;
    if (message->header_count != 0 && creo_string_is(fields[0].key, "wire"))
        return creo_string_is(fields[0].value, "binary") ||
               (message->header_count > 1 && creo_string_is(fields[1].key, "kind") && creo_string_is(fields[1].value, "error"));
    for (size_t i = 0; i < message->header_count; i++) {
        creo_string value = fields[i].value;
        if (creo_string_is(fields[i].key, "SOAPJMS_contentType"))
            return value.size >= sizeof type - 1 && creo_http_same((creo_string){value.data, sizeof type - 1}, type);
    }
    return false;
}

static bool shown_put_body(creo_writer *out, const creo_raw_message *message, bool indented)
{
    creo_bytes body = message->body;
    creo_string text = {(const char *)body.data, shown_text_size(body)};
    if (text.size == 0 || shown_is_binary(message))
        return shown_put_hex(out, body);
    creo_string from = creo_http_trim(text);
    while (from.size != 0 && (uint8_t)from.data[0] <= ' ')
        from = (creo_string){from.data + 1, from.size - 1};
    char first = 0;
    if (indented && from.size != 0)
        first = from.data[0];
    if (first != '<' && first != '{' && first != '[')
        return shown_put_lines(out, text);
    creo_writer lines;
    creo_writer_init(&lines, out->arena, NULL, NULL);
    lines.most = SIZE_MAX;
    return (first == '<' ? shown_indent_xml(&lines, from) : shown_indent_json(&lines, from)) &&
           shown_put_lines(out, (creo_string){(const char *)lines.start, creo_writer_size(&lines)});
}

bool creo_raw_text(const creo_raw_message *message, bool indented, creo_arena *arena, creo_string *text)
{
    char part[60];
    creo_writer out;
    creo_writer_init(&out, arena, NULL, NULL);
    out.most = SIZE_MAX;
    bool done = creo_http_put(&out, message->sent ? "sent " : "received ") && creo_http_put(&out, message->answer ? "answer of " : "request of ") &&
                creo_http_put(&out, message->interface) && creo_http_put(&out, ".") && creo_http_put(&out, message->method) &&
                creo_http_put(&out, message->sent ? " to " : " from ") && shown_put_plain(&out, creo_text(message->peer));
    if (message->status != 0) {
        (void)snprintf(part, sizeof part, ", status %d", message->status);
        done = done && creo_http_put(&out, part);
    }
    (void)snprintf(part, sizeof part, ", %zu bytes", message->length);
    done = done && creo_http_put(&out, part);
    for (size_t i = 0; done && i < message->header_count; i++)
        done = creo_http_put(&out, "\n| ") && shown_put_plain(&out, message->headers[i].key) && creo_http_put(&out, ": ") && shown_put_plain(&out, message->headers[i].value);
    if (message->hidden != NULL)
        done = done && creo_http_put(&out, "\n| \n| (the body is not shown: ") && creo_http_put(&out, message->hidden) && creo_http_put(&out, ")");
    else if (message->body.size != 0)
        done = done && creo_http_put(&out, "\n| ") && shown_put_body(&out, message, indented);
    if (message->cut != 0) {
        (void)snprintf(part, sizeof part, "\n| (%zu more bytes)", message->cut);
        done = done && creo_http_put(&out, part);
    }
    *text = (creo_string){(const char *)out.start, creo_writer_size(&out)};
    return done;
}
