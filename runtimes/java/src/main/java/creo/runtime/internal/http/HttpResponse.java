package creo.runtime.internal.http;

import creo.runtime.internal.buffer.PaddedBytes;

/** The response to a request; its body as received, possibly compressed. */
record HttpResponse(HttpResponseHead head, PaddedBytes body) {}
