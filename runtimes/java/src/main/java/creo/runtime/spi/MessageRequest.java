package creo.runtime.spi;

import creo.runtime.Wire;
import creo.runtime.internal.buffer.PaddedBytes;
import creo.runtime.internal.host.MessageForm;
import creo.runtime.internal.http.MediaType;
import creo.runtime.internal.http.tdxml.TableErrors;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * A request as a transport of messages carries it: a body, and what stands beside it. {@link MessageClient} makes them,
 * {@link MessageServer} takes them. One thread fills it; then it does not change any more.
 */
public final class MessageRequest {
    /** A body that is handed over with so many bytes of room behind it is not copied. */
    public static final int ROOM = PaddedBytes.PADDING;

    private final Wire wire;
    private final String mediaType;
    private final byte[] body;
    private final int length;
    private boolean compressed;
    private String action;
    private long method;
    private boolean methodKnown;
    private boolean oneway;
    private Map<String, String> metadata = Map.of();
    private long timeout = -1;
    private String service;
    private String peer = "unknown";
    private String id;
    private boolean redelivered;
    private boolean answerable = true;

    /**
     * @param mediaType of the body; null if nothing says it
     * @param body the bytes up to {@code length}, which become the request's; those behind may be overwritten
     */
    public MessageRequest(Wire wire, String mediaType, byte[] body, int length) {
        this.wire = Objects.requireNonNull(wire, "wire");
        this.mediaType = mediaType;
        this.body = Objects.requireNonNull(body, "body");
        this.length = Objects.checkIndex(length, body.length + 1);
    }

    /** The wire whose bodies have a media type, or null. */
    public static Wire wireOf(String mediaType) {
        MediaType type = MediaType.parse(mediaType);
        if (type == null) {
            return null;
        }
        return switch (type.type()) {
            case "text/xml", "application/soap+xml" -> Wire.SOAP;
            case "multipart/related" -> TableErrors.MEDIA_TYPE.equalsIgnoreCase(type.parameter("type")) ? Wire.TDXML : Wire.SOAP;
            case TableErrors.MEDIA_TYPE -> Wire.TDXML;
            case MessageForm.BINARY -> Wire.BINARY;
            default -> null;
        };
    }

    public Wire wire() {
        return wire;
    }

    public String mediaType() {
        return mediaType;
    }

    /** The body, of which the first {@link #length} bytes count. */
    public byte[] body() {
        return body;
    }

    public int length() {
        return length;
    }

    /** Whether the body is a gzip stream (HTTP-6). The answer may be one then, too. */
    public boolean isCompressed() {
        return compressed;
    }

    public MessageRequest compressed() {
        compressed = true;
        return this;
    }

    /** The action of a request of SOAP, without quotes, or null. */
    public String action() {
        return action;
    }

    public MessageRequest action(String name) {
        action = name;
        return this;
    }

    /** The id of the method (MODEL-4), without which only SOAP finds it. */
    public long method() {
        return method;
    }

    public MessageRequest method(long methodId) {
        method = methodId;
        methodKnown = true;
        return this;
    }

    boolean isMethodKnown() {
        return methodKnown;
    }

    /** Whether the method is never answered. What a client says, not what a server believes. */
    public boolean isOneway() {
        return oneway;
    }

    MessageRequest oneway(boolean never) {
        oneway = never;
        return this;
    }

    /** The pairs of metadata (TCP-17), with {@code %XX} for bytes of their values as HTTP-8 says. */
    public Map<String, String> metadata() {
        return metadata;
    }

    public MessageRequest metadata(Map<String, String> pairs) {
        metadata = new LinkedHashMap<>(pairs);
        return this;
    }

    /** The milliseconds that are left for the call, or -1 if it has no deadline. */
    public long timeout() {
        return timeout;
    }

    public MessageRequest timeout(long milliseconds) {
        timeout = milliseconds;
        return this;
    }

    /** The name of the one interface whose methods are looked at, with or without its package; null for all. */
    public String service() {
        return service;
    }

    public MessageRequest service(String name) {
        service = name;
        return this;
    }

    /** Where the request came from, for the service and the log. */
    public String peer() {
        return peer;
    }

    public MessageRequest peer(String name) {
        peer = Objects.requireNonNull(name, "name");
        return this;
    }

    /** What tells this call from others, or null. */
    public String id() {
        return id;
    }

    /** The call's id. */
    public MessageRequest id(String text) {
        id = text;
        return this;
    }

    /** Whether it may have been delivered before. */
    public boolean isRedelivered() {
        return redelivered;
    }

    public MessageRequest redelivered() {
        redelivered = true;
        return this;
    }

    /** Whether an answer has a place to go to. */
    public boolean isAnswerable() {
        return answerable;
    }

    /** Nobody can be answered: only methods that never are are carried out. */
    public MessageRequest unanswerable() {
        answerable = false;
        return this;
    }
}
