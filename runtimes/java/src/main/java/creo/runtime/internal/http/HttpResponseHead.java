package creo.runtime.internal.http;

/**
 * The head of a response.
 *
 * @param status 200 to 999
 * @param reason may be empty; one character per byte
 * @param minorVersion 0 or 1
 * @param keepAlive whether the connection can be reused after the body
 * @param contentLength -1 if none was sent
 */
public record HttpResponseHead(int status, String reason, int minorVersion, HttpFields fields, boolean keepAlive, long contentLength, boolean chunked) {}
