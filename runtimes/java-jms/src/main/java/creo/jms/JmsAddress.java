package creo.jms;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * An address such as {@code jms:queue:data?timeToLive=5000&replyToName=answers}: a URI of RFC 6167 without JNDI (JMS-1). It does not name a host;
 * {@link JmsBroker} does.
 */
public final class JmsAddress {
    private static final int LONGEST = 4_096;
    private static final String PREFIX = "jms:";
    private static final Pattern FORM = Pattern.compile("[jJ][mM][sS]:[A-Za-z0-9.+-]+:[^?#\\s\\p{Cntrl}]+(\\?[^#\\s\\p{Cntrl}]*)?");

    private final String text;
    private final boolean topic;
    private final String name;
    private boolean persistent = true;
    private long timeToLive;
    private int priority = 4;
    private String replyToName;
    private String targetService;
    private String requestUri;

    private JmsAddress(String text, boolean topic, String name) {
        this.text = text;
        this.topic = topic;
        this.name = name;
    }

    /**
     * Parses an address.
     *
     * @throws CreoException {@code invalid-value} if it is invalid
     */
    public static JmsAddress parse(String text) {
        if (!isUri(text)) {
            throw invalid(text, "it has not the form jms:queue:NAME");
        }
        int question = text.indexOf('?');
        String path = question < 0 ? text : text.substring(0, question);
        int colon = path.indexOf(':', PREFIX.length());
        String variant = path.substring(PREFIX.length(), colon).toLowerCase(Locale.ROOT);
        if (!variant.equals("queue") && !variant.equals("topic")) {
            throw invalid(text, "it names a " + CreoException.shown(variant) + ", where queue or topic must be");
        }
        JmsAddress address = new JmsAddress(text, variant.equals("topic"), decoded(text, path.substring(colon + 1)));
        StringBuilder own = new StringBuilder(path);
        if (question >= 0 && question + 1 < text.length()) {
            Set<String> seen = new HashSet<>();
            for (String parameter : text.substring(question + 1).split("&", -1)) {
                address.parameter(parameter, seen, own);
            }
        }
        address.requestUri = own.toString();
        return address;
    }

    /** Whether a text has the form of such an address, of any variant. A peer's address is not examined further. */
    static boolean isUri(String text) {
        return text != null && text.length() <= LONGEST && FORM.matcher(text).matches() && decodedOrNull(text) != null;
    }

    /** Whether a peer's address has a parameter with the name. */
    static boolean hasParameter(String text, String parameter) {
        int question = text.indexOf('?');
        return question >= 0 && ("&" + text.substring(question + 1)).contains("&" + parameter + "=");
    }

    private void parameter(String parameter, Set<String> seen, StringBuilder own) {
        int equals = parameter.indexOf('=');
        if (equals <= 0) {
            throw invalid(text, "a parameter is NAME=VALUE");
        }
        String key = decoded(text, parameter.substring(0, equals));
        String value = decoded(text, parameter.substring(equals + 1));
        if (!seen.add(key)) {
            throw invalid(text, "the parameter " + CreoException.shown(key) + " is there twice");
        }
        if (key.toLowerCase(Locale.ROOT).startsWith("jndi")) {
            throw invalid(text, "names are not looked up by JNDI: the broker is configured apart");
        }
        boolean told = true;
        switch (key) {
            case "deliveryMode" -> persistent = switch (value) {
                case "PERSISTENT" -> true;
                case "NON_PERSISTENT" -> false;
                default -> throw invalid(text, "deliveryMode is PERSISTENT or NON_PERSISTENT");
            };
            case "timeToLive" -> timeToLive = number(value, Long.MAX_VALUE, key);
            case "priority" -> priority = (int) number(value, 9, key);
            case "replyToName" -> replyToName = named(value, key);
            case "targetService" -> {
                targetService = named(value, key);
                told = false;
            }
            default -> told = false;
        }
        if (told) {
            own.append(own.indexOf("?") < 0 ? '?' : '&').append(parameter);
        }
    }

    private String named(String value, String key) {
        if (value.isEmpty()) {
            throw invalid(text, key + " is a name");
        }
        return value;
    }

    private long number(String value, long most, String key) {
        if (value.isEmpty() || value.length() > 15 || !value.chars().allMatch(c -> c >= '0' && c <= '9') || Long.parseLong(value) > most) {
            throw invalid(text, key + " is a number" + (most == Long.MAX_VALUE ? " of milliseconds" : " from 0 to " + most));
        }
        return Long.parseLong(value);
    }

    private static String decoded(String text, String part) {
        String decoded = decodedOrNull(part);
        if (decoded == null) {
            throw invalid(text, "%XX stands for a byte of UTF-8");
        }
        return decoded;
    }

    private static String decodedOrNull(String part) {
        if (part.indexOf('%') < 0) {
            return part;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(part.length());
        for (int i = 0; i < part.length(); i++) {
            char c = part.charAt(i);
            if (c != '%') {
                bytes.writeBytes(String.valueOf(c).getBytes(StandardCharsets.UTF_8));
                continue;
            }
            int high = i + 2 < part.length() ? Character.digit(part.charAt(i + 1), 16) : -1;
            int low = high >= 0 ? Character.digit(part.charAt(i + 2), 16) : -1;
            if (low < 0) {
                return null;
            }
            bytes.write(high << 4 | low);
            i += 2;
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes.toByteArray())).toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    private static CreoException invalid(String text, String reason) {
        return CreoException.ofRuntime(ErrorCode.INVALID_VALUE, "\"" + CreoException.shown(String.valueOf(text)) + "\" is no address of JMS: " + reason, null);
    }

    /** Whether it names a topic, to which a client may send; hosts serve only queues. */
    public boolean isTopic() {
        return topic;
    }

    /** The name of the queue or topic. */
    public String name() {
        return name;
    }

    /** Whether the broker stores requests (JMS-11); true by default. */
    public boolean isPersistent() {
        return persistent;
    }

    /** The max lifetime of a request in milliseconds, or 0 for that of the call's deadline. */
    public long timeToLive() {
        return timeToLive;
    }

    /** The priority from 0 to 9; 4 by default. */
    public int priority() {
        return priority;
    }

    /** The queue for answers, or null for a temporary one. */
    public String replyToName() {
        return replyToName;
    }

    /** The called interface, or null. */
    public String targetService() {
        return targetService;
    }

    /** The address in requests, without the parameters for this side. */
    String requestUri() {
        return requestUri;
    }

    /** The address without its parameters. */
    String place() {
        return withoutParameters(text);
    }

    /** A peer's address without its parameters. */
    static String withoutParameters(String text) {
        int question = text.indexOf('?');
        return question < 0 ? text : text.substring(0, question);
    }

    /** The address as written. */
    @Override
    public String toString() {
        return text;
    }
}
