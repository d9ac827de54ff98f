/*
 * A partner's service by gSOAP: server. Writes its address, and ends when its standard input does.
 */
#include "soapH.h"
#include "Meters.nsmap"

#include <arpa/inet.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int m__echo(struct soap *soap, struct m__Reading *reading, struct m__echoResponse *response)
{
    (void)soap;
    response->reading = reading;
    return SOAP_OK;
}

int m__attach(struct soap *soap, struct xsd__base64Binary data, struct m__attachResponse *response)
{
    response->data.__ptr = data.__ptr;
    response->data.__size = data.__size;
    if (data.id || (soap->imode & SOAP_ENC_MTOM)) {
        soap_set_omode(soap, SOAP_ENC_MTOM);
        response->data.type = "application/octet-stream";
    } else
        soap_clr_omode(soap, SOAP_ENC_MTOM);
    return SOAP_OK;
}

int m__add(struct soap *soap, int left, int right, struct m__addResponse *response)
{
    (void)soap;
    response->sum = left + right;
    return SOAP_OK;
}

int m__find(struct soap *soap, char *name, struct m__findResponse *response)
{
    response->name = name;
    if (strcmp(name, "broken") == 0)
        return soap_receiver_fault(soap, "it broke", NULL);
    struct m__NotFound *missing = NULL;
    struct m__Refused *refused = NULL;
    if (strcmp(name, "nobody") == 0) {
        missing = soap_new_m__NotFound(soap, 1);
        missing->what = name;
        missing->code = 404;
    } else if (strcmp(name, "refused") == 0) {
        refused = soap_new_m__Refused(soap, 1);
        refused->reason = "not you";
    } else
        return SOAP_OK;
    soap_sender_fault(soap, "by the argument", NULL);
    struct SOAP_ENV__Detail *detail = soap_new_SOAP_ENV__Detail(soap, 1);
    detail->m__NotFound = missing;
    detail->m__Refused = refused;
    if (soap->version == 2)
        soap->fault->SOAP_ENV__Detail = detail;
    else
        soap->fault->detail = detail;
    return SOAP_FAULT;
}

static void add(char *text, size_t size, const char *format, ...)
{
    size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
}

int m__describe(struct soap *soap, struct m__Reading *reading, struct m__describeResponse *response)
{
    size_t size = 4000;
    char *text = soap_malloc(soap, size);
    *text = 0;
    add(text, size, "%d|%s|%s|%s|%s%s", reading->meter, reading->site ? reading->site : "-", reading->quality == m__Quality__RAW ? "RAW" : "CHECKED", reading->at,
        reading->amount->__item, reading->amount->unit);
    if (reading->__union_what == SOAP_UNION_m__What_number)
        add(text, size, "|%g", reading->what.number);
    else if (reading->__union_what == SOAP_UNION_m__What_text)
        add(text, size, "|%s", reading->what.text);
    else
        add(text, size, "|%g,%g", reading->what.point->x, reading->what.point->y);
    if (reading->maybe)
        add(text, size, "|%d", *reading->maybe);
    else
        add(text, size, "|-");
    add(text, size, "|%s", reading->remark ? reading->remark : "-");
    for (int i = 0; i < reading->__sizesamples; i++)
        add(text, size, "%c%g", i ? ',' : '|', reading->samples[i]);
    for (int i = 0; i < reading->__sizepath; i++)
        add(text, size, "%c%g/%g", i ? ',' : '|', reading->path[i].x, reading->path[i].y);
    add(text, size, "|%d|%lld|%d|%d", (int)reading->valid, (long long)reading->ticks, reading->level, reading->previous ? reading->previous->meter : -1);
    response->text = text;
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
    struct soap *soap = soap_new1(SOAP_C_UTFSTRING | SOAP_IO_KEEPALIVE | SOAP_ENC_MTOM);
    soap->bind_flags = SO_REUSEADDR;
    soap->send_timeout = soap->recv_timeout = 10;
    soap->max_keep_alive = 1000;
    soap->double_format = "%.17lG";
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
