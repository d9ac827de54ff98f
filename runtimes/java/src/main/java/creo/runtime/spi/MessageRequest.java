package creo.runtime.spi;

import creo.runtime.Wire;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.internal.buffer.PaddedBytes;
import creo.runtime.internal.host.MessageForm;
import creo.runtime.internal.http.MediaType;
import creo.runtime.internal.http.tdxml.TableErrors;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * A request of a message transport: a body with its properties. {@link MessageClient} makes requests and {@link MessageServer} takes them. One thread
 * fills it; after that it must not change.
 */
public final class MessageRequest {
    /** A body followed by this many bytes of room is not copied. */
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
    /** For the hook for raw messages: the properties, and the method if it is known. */
    private Map<String, String> properties = Map.of();
    private ServiceMethod<?, ?> called;

    /**
     * @param mediaType of the body; null if unknown
     * @param body the bytes up to {@code length}, which become the request's; later ones may be overwritten
     */
    public MessageRequest(Wire wire, String mediaType, byte[] body, int length) {
        this.wire = Objects.requireNonNull(wire, "wire");
        this.mediaType = mediaType;
        this.body = Objects.requireNonNull(body, "body");
        this.length = Objects.checkIndex(length, body.length + 1);
    }

    /** The wire of a media type, or null. */
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

    /** The body: the first {@link #length} bytes of it. */
    public byte[] body() {
        return body;
    }

    public int length() {
        return length;
    }

    /** Whether the body is a gzip stream (HTTP-6). The answer may then be one as well. */
    public boolean isCompressed() {
        return compressed;
    }

    public MessageRequest compressed() {
        compressed = true;
        return this;
    }

    /** The action of a SOAP request, without quotes, or null. */
    public String action() {
        return action;
    }

    public MessageRequest action(String name) {
        action = name;
        return this;
    }

    /** The id of the method (MODEL-4); without it only SOAP finds the method. */
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

    /** Whether the client expects no answer. The server does not rely on it. */
    public boolean isOneway() {
        return oneway;
    }

    MessageRequest oneway(boolean never) {
        oneway = never;
        return this;
    }

    /** The metadata pairs (TCP-17), with {@code %XX} for bytes of their values (HTTP-8). */
    public Map<String, String> metadata() {
        return metadata;
    }

    public MessageRequest metadata(Map<String, String> pairs) {
        metadata = new LinkedHashMap<>(pairs);
        return this;
    }

    /** All properties of the transport in the order in which a hook for raw messages shows them. */
    public MessageRequest properties(Map<String, String> shown) {
        properties = new LinkedHashMap<>(shown);
        return this;
    }

    Map<String, String> properties() {
        return properties;
    }

    void called(ServiceMethod<?, ?> known) {
        called = known;
    }

    ServiceMethod<?, ?> called() {
        return called;
    }

    /** The milliseconds left for the call, or -1 if it has no deadline. */
    public long timeout() {
        return timeout;
    }

    public MessageRequest timeout(long milliseconds) {
        timeout = milliseconds;
        return this;
    }

    /** The name of the only interface to search for the method, with or without its package; null for all. */
    public String service() {
        return service;
    }

    public MessageRequest service(String name) {
        service = name;
        return this;
    }

    /** The origin of the request, for the service and the log. */
    public String peer() {
        return peer;
    }

    public MessageRequest peer(String name) {
        peer = Objects.requireNonNull(name, "name");
        return this;
    }

    /** The call's id, or null. */
    public String id() {
        return id;
    }

    /** Sets the call's id. */
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

    /** Whether an answer can be sent. */
    public boolean isAnswerable() {
        return answerable;
    }

    /** Makes the request unanswerable: only oneway methods are then run. */
    public MessageRequest unanswerable() {
        answerable = false;
        return this;
    }
}
