package creo.runtime;

import java.util.List;

/**
 * A message of a call as it was sent or came, with {@code ***} for secrets (CALL-62). Everything in it may be the peer's:
 * {@link RawLog#text RawLog.text} makes it fit for a log.
 *
 * @param sent whether it was sent; otherwise it came
 * @param answer whether it is an answer; otherwise it is a request
 * @param method the full name of the interface, a dot and the name of the method; empty if a server does not know it
 * @param peer the address of the other side
 * @param status of an answer over HTTP; otherwise 0
 * @param headers the header fields in their order; over TCP and JMS the fields of CALL-62
 * @param body its first bytes, without frames, codings and compression
 * @param cut how many bytes after them were left out
 * @param length the whole length of the body in bytes, as it was sent or came
 * @param hidden why the body is not shown, though it has bytes, or null
 */
public record RawMessage(boolean sent, boolean answer, String method, String peer, int status, List<Answer.Header> headers, byte[] body, long cut, long length, String hidden) {}
