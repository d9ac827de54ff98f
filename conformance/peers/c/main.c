#include "peer.h"

/*
 * peer codec                      questions as JSON lines on standard input, answers on standard output
 * peer soap                       the same, the bytes being XML
 * peer probe                      single calls, asked as JSON lines on standard input; how each ended on standard output
 * peer client HOST PORT VECTORS   runs the scenarios of conformance/scenarios.md
 * peer client-soap URL VECTORS    those that run over SOAP
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
    if (count == 4 && strcmp(arguments[1], "client-soap") == 0)
        return peer_client_soap(arguments[2], arguments[3]);
    fprintf(stderr, "usage: %s codec | soap | probe | client HOST PORT VECTORS | client-soap URL VECTORS\n", arguments[0]);
    return 2;
}
