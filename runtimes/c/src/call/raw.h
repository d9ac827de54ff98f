/* Messages for a client's hook: CALL-60 to CALL-64. Not part of the API. */
#ifndef CREO_SRC_RAW_H
#define CREO_SRC_RAW_H

#include <creo/channel.h>

#include "../base/internal.h"

/* Takes a body as it is, or if the method has secrets only its length, for the reason `why` (CALL-66). */
CREO_PRIVATE void creo_raw_take(creo_raw_message *message, creo_bytes body, bool secret, const char *why);

#define CREO_RAW_BINARY "it is of the binary wire"
#define CREO_RAW_NAMELESS "its secrets have no names of their own"

/* Shows a message with its body. Hides values of the fields, which are the hook's own copy, cuts the body, and adds what the client knows. */
CREO_PRIVATE void creo_raw_show(const creo_client *client, const creo_method *method, creo_raw_message *message, creo_pair *fields);

/* Shows a message without fields and body: there was no memory for them. */
CREO_PRIVATE void creo_raw_show_nothing(const creo_client *client, const creo_method *method, creo_raw_message *message);

#endif
