#include "peer.h"

/*
 * peer codec                      questions as JSON lines on standard input, answers on standard output
 * peer probe                      single calls, asked as JSON lines on standard input; how each ended on standard output
 * peer soap                       the same, the bytes being XML
 * peer client HOST PORT VECTORS   runs the scenarios of conformance/scenarios.md
 */
int main(int count, char **arguments)
{
    if (count == 2 && strcmp(arguments[1], "codec") == 0)
        return peer_codec(false);
    if (count == 2 && strcmp(arguments[1], "soap") == 0)
        return peer_codec(true);
    if (count == 2 && strcmp(arguments[1], "probe") == 0)
        return peer_probe();
    if (count == 5 && strcmp(arguments[1], "client") == 0)
        return peer_client(arguments[2], arguments[3], arguments[4]);
    fprintf(stderr, "usage: %s codec | probe | client HOST PORT VECTORS\n", arguments[0]);
    return 2;
}
