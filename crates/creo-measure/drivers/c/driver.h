/* What the driver measures: the methods of a description, and a message of one on a wire. */
#ifndef CREO_CALIBRATE_DRIVER_H
#define CREO_CALIBRATE_DRIVER_H

#include <creo/creo.h>

/* A method, and what generated code lacks since it is a client's: what reads the parameters from the binary wire, and what writes the result. */
typedef struct measured_method {
    const creo_method *method;
    const creo_text_interface *interface;
    /* Into the struct from which the client function writes them. */
    bool (*decode_request)(creo_reader *reader, void *arguments);
    /* From the outcome into which the client function reads it, of so many bytes. */
    bool (*encode_response)(creo_writer *writer, const void *outcome);
    size_t outcome_size;
} measured_method;

/* The methods of all interfaces; made from the description, as C has no reflection. Each list ends with a method of NULLs. */
extern const measured_method *const measured_methods[];
extern const size_t measured_methods_count;

/* A request or a response. */
typedef struct measured_message {
    /*
     * On the text wires: as a method whose request and response are both this message, since clients write requests and read responses. Its response has no headers.
     * This is the first member, so a pointer to it is one to the message.
     */
    creo_text_method text;
    const measured_method *of;
    bool response;
    /* Some parameter is a header, which is left out when an envelope is read: the runtime skips headers. */
    bool headers;
    /* The bytes of the struct of its values. */
    size_t size;
} measured_message;

/* What a client keeps from call to call: memory for what it writes, and memory of its caller's for what it reads. */
typedef struct measured_client {
    creo_soap soap;
    creo_arena arena;
    creo_error error;
} measured_client;

typedef struct measured_wire {
    const char *name;
    /* Writes a message; the bytes live until the next is written. */
    bool (*write)(measured_client *client, const measured_message *message, const void *value, creo_bytes *bytes);
    /* Ends the life of what was read before, and reads a message. What it points to lies in the bytes, or in the client's memory. */
    bool (*read)(measured_client *client, const measured_message *message, creo_bytes bytes, void *value);
    bool leaves_headers;
} measured_wire;

extern const measured_wire measured_wires[];
extern const size_t measured_wires_count;

void measured_client_init(measured_client *client);

/* Reads the parameters or the result from the binary wire. */
bool measured_decode(const measured_message *message, creo_reader *reader, void *value);

/* NULL, or why there is no such message. */
const char *measured_message_init(measured_message *message, const measured_method *method, bool response);

#endif
