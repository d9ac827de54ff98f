package creo.jms;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.FaultCode;
import creo.runtime.Limits;
import creo.runtime.Wire;
import creo.runtime.spi.MessageAnswer;
import creo.runtime.spi.MessageHook;
import creo.runtime.spi.MessageRequest;
import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.nio.charset.StandardCharsets;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Writes and reads messages: their properties (JMS-4) and bodies (JMS-3). Received messages are not trusted. */
final class JmsMessages {
    /** The names of the binding's faults (JMS-8). */
    static final Set<String> FAULTS = Set.of("contentTypeMismatch", "contentEncodingNotSupported", "malformedRequestURI", "mismatchedSoapAction",
        "missingContentType", "missingSoapAction", "missingRequestURI", "targetServiceNotAllowedInRequestURI", "unrecognizedBindingVersion",
        "unsupportedJMSMessageFormat");

    private static final String NAMESPACE = "http://www.w3.org/2010/soapjms/";
    private static final String VERSION = "1.0";
    private static final String REQUEST_URI = "SOAPJMS_requestURI";
    private static final String BINDING_VERSION = "SOAPJMS_bindingVersion";
    private static final String CONTENT_TYPE = "SOAPJMS_contentType";
    private static final String CONTENT_ENCODING = "SOAPJMS_contentEncoding";
    private static final String SOAP_ACTION = "SOAPJMS_soapAction";
    private static final String TARGET_PARAMETER = "targetService";
    private static final String TARGET_SERVICE = "SOAPJMS_targetService";
    private static final String IS_FAULT = "SOAPJMS_isFault";
    private static final String METHOD = "Creo_method";
    private static final String KIND = "Creo_kind";
    private static final String RUN = "Creo_run";
    private static final String ITEM = "Creo_item";
    private static final String TIMEOUT = "Creo_timeout";
    private static final String META = "Creo_meta_";
    /** All but metadata, in the order of JMS-4. */
    private static final List<String> LISTED = List.of(REQUEST_URI, BINDING_VERSION, CONTENT_TYPE, CONTENT_ENCODING, SOAP_ACTION, TARGET_SERVICE, IS_FAULT,
        METHOD, KIND, RUN, ITEM, TIMEOUT);
    private static final int LONGEST_TIMEOUT = 999_999_999;

    private JmsMessages() {}

    /** A request that is refused with a fault of the binding. */
    static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;

        private final String fault;

        Refused(String fault, String reason) {
            super(reason, null, false, false);
            this.fault = fault;
        }

        FaultCode fault() {
            return code(fault);
        }
    }

    static FaultCode code(String fault) {
        return new FaultCode(NAMESPACE, fault);
    }

    static Message write(Session session, MessageRequest request, JmsAddress address, long timeout) throws JMSException {
        BytesMessage message = session.createBytesMessage();
        message.writeBytes(request.body(), 0, request.length());
        common(message, address.requestUri(), request.mediaType(), request.isCompressed());
        if (request.wire() != Wire.SOAP) {
            message.setStringProperty(METHOD, String.format("%016x", request.method()));
        } else if (request.action() != null) {
            message.setStringProperty(SOAP_ACTION, '"' + request.action() + '"');
        } else {
            String action = actionOf(request.mediaType());
            if (action != null) {
                message.setStringProperty(SOAP_ACTION, '"' + action + '"');
            }
        }
        if (address.targetService() != null) {
            message.setStringProperty(TARGET_SERVICE, address.targetService());
        }
        message.setStringProperty(TIMEOUT, Long.toString(Math.max(1, Math.min(timeout, LONGEST_TIMEOUT))));
        writeMetadata(message, request.metadata());
        return message;
    }

    private static void writeMetadata(Message message, Map<String, String> metadata) throws JMSException {
        for (Map.Entry<String, String> pair : metadata.entrySet()) {
            message.setStringProperty(META + pair.getKey().replace("-", "_2d").replace(".", "_2e"), pair.getValue());
        }
    }

    /** Writes the answer to a request for {@code requestUri}. */
    static Message write(Session session, MessageAnswer answer, Wire wire, String requestUri) throws JMSException {
        BytesMessage message = session.createBytesMessage();
        message.writeBytes(answer.body(), 0, answer.length());
        common(message, requestUri, answer.mediaType(), answer.compressed());
        if (wire == Wire.SOAP) {
            if (answer.kind() != MessageAnswer.Kind.RESPONSE) {
                message.setBooleanProperty(IS_FAULT, true);
            }
        } else {
            message.setStringProperty(KIND, answer.kind().name().toLowerCase(Locale.ROOT));
        }
        if (answer.part() != null) {
            message.setStringProperty(RUN, String.format("%016x", answer.part().run()));
            message.setStringProperty(ITEM, Long.toString(answer.part().items()));
        }
        writeMetadata(message, answer.metadata());
        return message;
    }

    private static void common(Message message, String requestUri, String mediaType, boolean compressed) throws JMSException {
        message.setStringProperty(REQUEST_URI, requestUri);
        message.setStringProperty(BINDING_VERSION, VERSION);
        message.setStringProperty(CONTENT_TYPE, mediaType);
        if (compressed) {
            message.setStringProperty(CONTENT_ENCODING, "gzip");
        }
    }

    /** The action in a media type of SOAP 1.2, or null. */
    private static String actionOf(String mediaType) {
        int at = mediaType.toLowerCase(Locale.ROOT).startsWith("text/xml") ? -1 : mediaType.indexOf("action=\"");
        int end = at < 0 ? -1 : mediaType.indexOf('"', at + 8);
        return end < 0 ? null : mediaType.substring(at + 8, end);
    }

    /** The wire of a request, as far as it can be known, for the form of its refusal. */
    private static Wire wire(Message message) throws JMSException {
        Wire wire = MessageRequest.wireOf(message.getStringProperty(CONTENT_TYPE));
        return wire != null ? wire : message.propertyExists(METHOD) ? Wire.BINARY : Wire.SOAP;
    }

    /** The properties of a request; its body is still empty. */
    static MessageRequest outline(Message message) throws JMSException {
        return beside(message, new byte[0], 0);
    }

    private static MessageRequest beside(Message message, byte[] body, int length) throws JMSException {
        String id = message.getJMSCorrelationID() != null ? message.getJMSCorrelationID() : message.getJMSMessageID();
        MessageRequest request = new MessageRequest(wire(message), message.getStringProperty(CONTENT_TYPE), body, length).id(id);
        if (message.getJMSRedelivered()) {
            request.redelivered();
        }
        if ("gzip".equalsIgnoreCase(message.getStringProperty(CONTENT_ENCODING))) {
            request.compressed();
        }
        return message.getJMSReplyTo() == null ? request.unanswerable() : request;
    }

    /** The address in an answer: the request's, or, if that is missing or not allowed, the host's. Peers refuse other answers (JMS-4). */
    static String requestUri(Message request, JmsAddress host) throws JMSException {
        String uri = request.getStringProperty(REQUEST_URI);
        return JmsAddress.isUri(uri) && !JmsAddress.hasParameter(uri, TARGET_PARAMETER) ? uri : host.requestUri();
    }

    /**
     * A request with its body, which has arrived.
     *
     * @throws Refused if its body is of no kind that the binding allows
     * @throws CreoException if it is too large
     */
    static MessageRequest arrived(Message message, Limits limits) throws JMSException, Refused {
        checkSize(message, limits);
        if (message instanceof TextMessage text && wire(message) != Wire.BINARY) {
            byte[] bytes = bytes(text, limits);
            return beside(message, bytes, bytes.length);
        }
        if (!(message instanceof BytesMessage)) {
            throw new Refused("unsupportedJMSMessageFormat", "a request is a BytesMessage, or a TextMessage of a text wire");
        }
        byte[] bytes = bytes((BytesMessage) message, limits, MessageRequest.ROOM);
        return beside(message, bytes, bytes.length - MessageRequest.ROOM);
    }

    /**
     * Reads the properties of a request.
     *
     * @throws Refused if the binding does not allow it
     * @throws CreoException if it is malformed
     */
    static void read(Message message, MessageRequest request) throws JMSException, Refused {
        checkBinding(message);
        checkAction(message, request.wire());
        request.action(unquoted(message.getStringProperty(SOAP_ACTION))).service(message.getStringProperty(TARGET_SERVICE)).metadata(metadata(message));
        String method = message.getStringProperty(METHOD);
        if (method != null) {
            request.method(hexadecimal(METHOD, method));
        }
    }

    private static long hexadecimal(String property, String text) {
        if (text.length() != 16 || !text.chars().allMatch(c -> c < 0x80 && Character.digit(c, 16) >= 0)) {
            throw malformed(property + " that is not sixteen hexadecimal digits");
        }
        return Long.parseUnsignedLong(text, 16);
    }

    /** The place of a message of a call with a stream; null if it does not say one (JMS-25). */
    private static MessageAnswer.Part part(Message message) throws JMSException {
        String run = message.getStringProperty(RUN);
        String item = message.getStringProperty(ITEM);
        if (run == null && item == null) {
            return null;
        }
        if (run == null || item == null) {
            throw malformed("one of the properties " + RUN + " and " + ITEM + ", without the other");
        }
        if (item.isEmpty() || item.length() > 19 || !item.chars().allMatch(c -> c >= '0' && c <= '9') || item.length() == 19 && item.charAt(0) == '9') {
            throw malformed(ITEM + " that is no number of items");
        }
        return new MessageAnswer.Part(hexadecimal(RUN, run), Long.parseLong(item));
    }

    private static void checkBinding(Message message) throws JMSException, Refused {
        String version = message.getStringProperty(BINDING_VERSION);
        if (version != null && !version.equals(VERSION)) {
            throw new Refused("unrecognizedBindingVersion", "the version of the binding is " + VERSION + ", not \"" + CreoException.shown(version) + '"');
        }
        String uri = message.getStringProperty(REQUEST_URI);
        if (uri == null) {
            throw new Refused("missingRequestURI", REQUEST_URI + " is missing");
        }
        if (!JmsAddress.isUri(uri)) {
            throw new Refused("malformedRequestURI", "no address of JMS: \"" + CreoException.shown(uri) + '"');
        }
        if (JmsAddress.hasParameter(uri, TARGET_PARAMETER)) {
            throw new Refused("targetServiceNotAllowedInRequestURI", "the service is named by " + TARGET_SERVICE + ", not in the address");
        }
        if (message.getStringProperty(CONTENT_TYPE) == null) {
            throw new Refused("missingContentType", CONTENT_TYPE + " is missing");
        }
        String encoding = message.getStringProperty(CONTENT_ENCODING);
        if (encoding != null && !encoding.equalsIgnoreCase("gzip")) {
            throw new Refused("contentEncodingNotSupported", "a body may be compressed by gzip, and not otherwise");
        }
        if (MessageRequest.wireOf(message.getStringProperty(CONTENT_TYPE)) == null) {
            throw new Refused("contentTypeMismatch", "no wire has the media type \"" + CreoException.shown(message.getStringProperty(CONTENT_TYPE)) + '"');
        }
    }

    private static void checkAction(Message message, Wire wire) throws JMSException, Refused {
        String told = wire == Wire.SOAP ? actionOf(message.getStringProperty(CONTENT_TYPE)) : null;
        String action = unquoted(message.getStringProperty(SOAP_ACTION));
        if (told != null && action == null) {
            throw new Refused("missingSoapAction", "the media type has an action, and " + SOAP_ACTION + " is missing");
        }
        if (told != null && !told.equals(action)) {
            throw new Refused("mismatchedSoapAction", "the action of the media type is not " + SOAP_ACTION);
        }
    }

    /** The timeout of a request in milliseconds, or -1. */
    static long timeout(Message message) throws JMSException {
        String text = message.getStringProperty(TIMEOUT);
        if (text == null) {
            return -1;
        }
        if (text.isEmpty() || text.length() > 9 || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw malformed(TIMEOUT + " that is not 1 to 9 digits");
        }
        long milliseconds = Long.parseLong(text);
        return milliseconds == LONGEST_TIMEOUT ? -1 : milliseconds;
    }

    /** Fails if the properties together are too large (LIM-26). */
    private static void checkSize(Message message, Limits limits) throws JMSException {
        long size = 0;
        for (Enumeration<?> names = message.getPropertyNames(); names.hasMoreElements();) {
            String name = String.valueOf(names.nextElement());
            if (name.startsWith("SOAPJMS_") || name.startsWith("Creo_")) {
                String value = message.getStringProperty(name);
                size += name.length() + (value == null ? 0 : value.length()) + 4;
            }
        }
        if (size > limits.maxHeaderSize()) {
            throw CreoException.tooLarge("maxHeaderSize", limits.maxHeaderSize(), "properties of " + size + " characters");
        }
    }

    private static Map<String, String> metadata(Message message) throws JMSException {
        Map<String, String> metadata = new LinkedHashMap<>();
        for (Enumeration<?> names = message.getPropertyNames(); names.hasMoreElements();) {
            String name = String.valueOf(names.nextElement());
            if (name.startsWith(META)) {
                String key = name.substring(META.length()).replace("_2d", "-").replace("_2e", ".");
                if (metadata.put(key, message.getStringProperty(name)) != null) {
                    throw malformed("metadata of one key that is there twice");
                }
            }
        }
        return metadata;
    }

    /**
     * Reads an answer.
     *
     * @param hook shows it; or null
     */
    static MessageAnswer readAnswer(Message message, Wire wire, Limits limits, MessageHook hook) throws JMSException {
        checkSize(message, limits);
        String mediaType = message.getStringProperty(CONTENT_TYPE);
        String encoding = message.getStringProperty(CONTENT_ENCODING);
        boolean areItems = wire == Wire.BINARY && "items".equals(message.getStringProperty(KIND));
        byte[] bytes;
        int length;
        if (message instanceof TextMessage text && wire != Wire.BINARY) {
            bytes = bytes(text, limits);
            length = bytes.length;
        } else if (message instanceof BytesMessage plain) {
            // Items are not copied any more if nothing follows them.
            int room = areItems ? 0 : MessageRequest.ROOM;
            bytes = bytes(plain, limits, room);
            length = bytes.length - room;
        } else {
            throw mismatch("an answer that is neither a BytesMessage nor a TextMessage");
        }
        if (hook != null && !areItems) {
            hook.received(properties(message), mediaType, bytes, length, encoding);
        }
        if (encoding != null && !encoding.equalsIgnoreCase("gzip")) {
            throw mismatch("an answer in the encoding \"" + CreoException.shown(encoding) + '"');
        }
        MessageAnswer.Kind kind = wire == Wire.SOAP ? soapKind(message) : kind(message.getStringProperty(KIND));
        return new MessageAnswer(kind, mediaType, bytes, length, encoding != null, metadata(message), part(message));
    }

    /** The properties of a message as a hook for raw messages shows them (CALL-62). */
    static Map<String, String> properties(Message message) throws JMSException {
        Map<String, String> properties = new LinkedHashMap<>();
        for (String name : LISTED) {
            String value = message.getStringProperty(name);
            if (value != null) {
                properties.put(name, name.equals(REQUEST_URI) ? JmsAddress.withoutParameters(value) : value);
            }
        }
        for (Enumeration<?> names = message.getPropertyNames(); names.hasMoreElements();) {
            String name = String.valueOf(names.nextElement());
            if (name.startsWith(META)) {
                properties.put(name, String.valueOf(message.getStringProperty(name)));
            }
        }
        return properties;
    }

    private static MessageAnswer.Kind soapKind(Message message) throws JMSException {
        String fault = message.getStringProperty(IS_FAULT);
        return fault != null && (fault.equalsIgnoreCase("true") || fault.equals("1")) ? MessageAnswer.Kind.ERROR : MessageAnswer.Kind.RESPONSE;
    }

    private static MessageAnswer.Kind kind(String text) {
        for (MessageAnswer.Kind kind : MessageAnswer.Kind.values()) {
            if (kind.name().toLowerCase(Locale.ROOT).equals(text)) {
                return kind;
            }
        }
        throw malformed("an answer that is neither a response nor an exception nor an error nor items");
    }

    /** The bytes of a message, followed by room; refused before reading if there are too many. */
    private static byte[] bytes(BytesMessage message, Limits limits, int room) throws JMSException {
        long length = message.getBodyLength();
        if (length > limits.maxMessageSize()) {
            throw CreoException.tooLarge("maxMessageSize", limits.maxMessageSize(), "a body of " + length + " bytes");
        }
        byte[] bytes = new byte[(int) length + room];
        if (length > 0) {
            byte[] read = new byte[(int) Math.min(length, 65_536)];
            for (int at = 0; at < length;) {
                int n = message.readBytes(read, (int) Math.min(read.length, length - at));
                if (n <= 0) {
                    throw malformed("a body that ends before its length");
                }
                System.arraycopy(read, 0, bytes, at, n);
                at += n;
            }
        }
        return bytes;
    }

    private static byte[] bytes(TextMessage message, Limits limits) throws JMSException {
        String text = message.getText() == null ? "" : message.getText();
        if (text.length() > limits.maxMessageSize()) {
            throw CreoException.tooLarge("maxMessageSize", limits.maxMessageSize(), "a text of " + text.length() + " characters");
        }
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String unquoted(String action) {
        if (action == null) {
            return null;
        }
        String bare = action.strip();
        return bare.length() >= 2 && bare.startsWith("\"") && bare.endsWith("\"") ? bare.substring(1, bare.length() - 1) : bare;
    }

    private static CreoException malformed(String reason) {
        return CreoException.ofRuntime(ErrorCode.MALFORMED, reason, null);
    }

    private static CreoException mismatch(String reason) {
        return CreoException.ofRuntime(ErrorCode.PROTOCOL_MISMATCH, reason, null);
    }
}
