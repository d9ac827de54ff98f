package creo.runtime.internal.http;

import creo.runtime.internal.buffer.PaddedBytes;

/** What came back for a request; the body as it was sent, which may be compressed. */
record HttpResponse(HttpResponseHead head, PaddedBytes body) {}
