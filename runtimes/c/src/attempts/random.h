/* Random numbers for waits and for the choice of an address. Not part of the API. */
#ifndef CREO_SRC_RANDOM_H
#define CREO_SRC_RANDOM_H

#include "../call/transport.h"

/* A random number, which a peer may be able to guess. */
static inline uint64_t creo_client_random(creo_client *client)
{
    /* SplitMix64; the clock and the address of the client part clients that begin together. */
    if (client->random == 0)
        client->random = (uint64_t)creo_now() * UINT64_C(0xd1342543de82ef95) ^ (uint64_t)(uintptr_t)client;
    client->random += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t mixed = client->random;
    mixed = (mixed ^ mixed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94d049bb133111eb);
    return mixed ^ mixed >> 31;
}

#endif
