#include "peer.h"

/*
 * peer codec                      questions as JSON lines on standard input, answers on standard output
 * peer soap                       the same, the bytes being XML
 * peer json                       the same, JSON
 * peer tdxml                      the same, tables: read in any form, written in the record scheme
 * peer tdxml-aggregated           the same, written in the aggregated scheme
 * peer tdxml-schema               the same, written in the record scheme with a data schema
 * peer writer                     values that cannot be written, asked for as JSON lines; how each failed on standard output
 * peer probe                      single calls, asked as JSON lines on standard input; how each ended on standard output
 * peer retries                    many calls with a retry policy, asked as JSON lines on standard input; their outcomes, counted, on standard output
 * peer streams                    calls with streams, asked as JSON lines on standard input; how each ended on standard output
 * peer client HOST PORT VECTORS   runs the scenarios of conformance/scenarios.md
 * peer client-soap URL VECTORS    those that run over SOAP; likewise client-json, client-tables (within SOAP), client-tdxml (over HTTP)
 * peer client-tdxml-tcp HOST PORT VECTORS
 * peer client-jms WIRE HOST PORT VECTORS   only in a program that was built with the module for JMS
 */
int main(int count, char **arguments)
{
    static const char *const codecs[] = {"codec", "soap", "json", "tdxml", "tdxml-aggregated", "tdxml-schema"};
    for (size_t i = 0; count == 2 && i < sizeof codecs / sizeof codecs[0]; i++)
        if (strcmp(arguments[1], codecs[i]) == 0)
            return peer_codec((peer_wire)i);
    if (count == 2 && strcmp(arguments[1], "writer") == 0)
        return peer_writer();
    if (count == 2 && strcmp(arguments[1], "probe") == 0)
        return peer_probe();
    if (count == 2 && strcmp(arguments[1], "retries") == 0)
        return peer_retries();
    if (count == 2 && strcmp(arguments[1], "streams") == 0)
        return peer_streams();
    if (count == 5 && strcmp(arguments[1], "client") == 0)
        return peer_client(arguments[2], arguments[3], arguments[4]);
    if (count == 5 && strcmp(arguments[1], "client-tdxml-tcp") == 0)
        return peer_client_tdxml_tcp(arguments[2], arguments[3], arguments[4]);
#ifdef PEER_JMS
    if (count == 6 && strcmp(arguments[1], "client-jms") == 0)
        return peer_client_jms(arguments[2], arguments[3], arguments[4], arguments[5]);
#endif
    if (count == 4 && strncmp(arguments[1], "client-", 7) == 0)
        return peer_client_http(arguments[1], arguments[2], arguments[3]);
    fprintf(stderr, "usage: %s codec | soap | json | tdxml | tdxml-aggregated | tdxml-schema | writer | probe | retries | streams | client HOST PORT VECTORS | client-soap, client-json, client-tables, client-tdxml URL VECTORS | client-tdxml-tcp HOST PORT VECTORS | client-jms WIRE HOST PORT VECTORS\n", arguments[0]);
    return 2;
}
