/*
 * gSOAP serves receipts.wsdl: server. Writes its address, and ends when its standard input does.
 */
#include "soapH.h"
#include "ReceiptsSoap.nsmap"

#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct ns1__Item *item(struct soap *soap, char *sku, int count)
{
    struct ns1__Item *made = soap_malloc(soap, sizeof *made);
    made->sku = sku;
    made->count = count;
    return made;
}

int __ns1__put(struct soap *soap, struct ns1__Item *entry, struct __ns1__putResponse *response)
{
    response->ns1__Number = (1LL << 40) + entry->count;
    response->ns1__Left = item(soap, entry->sku, entry->count + 100);
    response->ns1__Warning = entry->count > 10 ? "many & <more>" : NULL;
    return SOAP_OK;
}

int __ns1__settle(struct soap *soap, char *day, struct __ns1__settleResponse *response)
{
    size_t size = strlen(day) + 4;
    char *session = soap_malloc(soap, size);
    snprintf(session, size, "of %s", day);
    soap->header = soap_malloc(soap, sizeof *soap->header);
    soap->header->ns1__Session = session;
    response->ns1__Left = item(soap, "all", 0);
    response->ns1__Number = (LONG64)strlen(day);
    return SOAP_OK;
}

static void *end_with_input(void *unused)
{
    while (getchar() != EOF)
        continue;
    exit(0);
    return unused;
}

int main(void)
{
    struct soap *soap = soap_new1(SOAP_C_UTFSTRING | SOAP_IO_KEEPALIVE | SOAP_XML_TREE);
    soap->bind_flags = SO_REUSEADDR;
    soap->send_timeout = soap->recv_timeout = 10;
    struct sockaddr_in address;
    socklen_t size = sizeof address;
    if (soap_bind(soap, "127.0.0.1", 0, 100) < 0 || getsockname(soap->master, (struct sockaddr *)&address, &size) != 0) {
        soap_print_fault(soap, stderr);
        return 1;
    }
    printf("{\"address\": \"http://127.0.0.1:%d/\"}\n", ntohs(address.sin_port));
    fflush(stdout);
    pthread_t thread;
    pthread_create(&thread, NULL, end_with_input, NULL);
    for (;;) {
        if (soap_accept(soap) < 0)
            return 1;
        soap_serve(soap);
        soap_destroy(soap);
        soap_end(soap);
    }
}
