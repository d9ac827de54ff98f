/* One of several addresses, and how calls to it ended. Not part of the API. */
#ifndef CREO_SRC_TARGET_H
#define CREO_SRC_TARGET_H

#include "../call/transport.h"

struct creo_target {
    char host[CREO_HOST_SIZE];
    uint16_t port;
    /* For the call that is being placed. */
    bool tried;
    /* It was ejected, and has not answered since (CALL-34). */
    bool probe;
    /* The calls in succession that were sent and ended without an answer. */
    uint8_t lost;
    /* The length of the last ejection since a call has succeeded; 0: none. */
    uint32_t ejection_ms;
    /* The end of the ejection. */
    creo_instant until;
};

#endif
