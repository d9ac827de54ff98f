package creo.runtime.internal.http;

/**
 * What comes before the body of a response.
 *
 * @param status 200 to 999
 * @param reason may be empty; a character for each byte
 * @param minorVersion 0 or 1
 * @param keepAlive whether the connection can be used again after the body
 * @param contentLength -1: none was sent
 */
public record HttpResponseHead(int status, String reason, int minorVersion, HttpFields fields, boolean keepAlive, long contentLength, boolean chunked) {}
