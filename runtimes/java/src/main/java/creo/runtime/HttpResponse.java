package creo.runtime;

/** What came back for a request; the body as it was sent, which may be compressed. */
record HttpResponse(HttpResponseHead head, PaddedBytes body) {}
