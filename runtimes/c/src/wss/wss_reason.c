/* Why a message is refused (SOAP-90). */
#include <creo/codegen/path.h>

#include "wss_parts.h"

#include <stdarg.h>
#include <stdio.h>

/* By creo_wss_reason. */
static const char *const reason_words[] = {
    "no-security",   "security-blocks", "token",         "unreadable", "too-many",  "algorithm",     "transform",  "reference",
    "unknown-id",    "duplicate-id",    "misplaced",     "key-reference", "weak-key", "untrusted",   "bad-signature", "bad-digest",
    "not-decrypted", "not-signed",      "not-encrypted", "prefix",     "stale",     "replayed",      "replay-memory",
};

bool creo_wss_refuse(creo_error *error, creo_wss_reason reason, const char *format, ...)
{
    char text[CREO_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (size < 0)
        text[0] = 0;
    creo_code code = reason == WSS_UNTRUSTED || reason == WSS_WEAK_KEY ? CREO_UNTRUSTED_PEER : reason == WSS_REPLAY_MEMORY ? CREO_OVERLOADED : CREO_PROTOCOL_MISMATCH;
    return creo_fail(error, code, "%s: %s", reason_words[reason], text);
}

bool creo_wss_no_memory(creo_error *error)
{
    return creo_fail(error, CREO_TOO_LARGE, "there is no memory left for a message with security");
}
