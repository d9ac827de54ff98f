package creo.runtime.internal.http;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.ServiceSecurity;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.codegen.TextMethod;
import creo.runtime.codegen.TextWire;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.text.TextName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** The methods of one or several interfaces at one path or queue, found by the element of the body (SOAP-7). */
public final class ServicePlace {
    /** A message whose element identifies the method. */
    public interface Message {
        boolean isEmptyBody();

        /** The local name of the element of the body. */
        String bodyLocal();

        /** Whether the body's element has this name. */
        boolean isBody(TextName name);

        /** The element of the body, for messages. */
        String shownBody();
    }

    /** An action that does not match the method (SOAP-7). */
    public static final class WrongAction extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient CreoException error;

        WrongAction(CreoException error) {
            super(error.reason(), null, false, false);
            this.error = error;
        }

        public CreoException error() {
            return error;
        }
    }

    private final String path;
    private final Map<String, List<ServiceMethod<?, ?>>> byLocal = new HashMap<>();
    private final List<ServiceMethod<?, ?>> empty = new ArrayList<>();
    private final Map<String, String> offers = new LinkedHashMap<>();
    /** The methods by name, for calls without SOAP (HTTP-11). */
    private final Map<String, ServiceMethod<?, ?>> byName = new HashMap<>();
    /** The methods with streams by name; only json carries them (HTTP-11, CALL-47). */
    private final Map<String, ServiceMethod<?, ?>> streaming = new HashMap<>();
    /** Method names of several interfaces: only XML requests can distinguish them. */
    private final Set<String> ambiguous = new HashSet<>();
    private final Map<String, String> interfaces = new LinkedHashMap<>();
    private final Set<TextWire> wires = new LinkedHashSet<>();
    private UnaryOperator<String> wsdl;
    private UnaryOperator<String> openApi;
    private TokenGuard tokens;
    private ServiceSecurity security;
    private final Set<String> understood = new HashSet<>();

    public ServicePlace(String path) {
        this.path = path;
    }

    /** Adds methods on these wires. */
    public void add(Collection<ServiceMethod<?, ?>> methods, Collection<TextWire> spoken) {
        methods.forEach(this::add);
        wires.addAll(spoken);
    }

    /** Adds makers of the documents for an address; null for none. Only the first of each kind is used. */
    public void describe(UnaryOperator<String> byWsdl, UnaryOperator<String> byOpenApi) {
        wsdl = wsdl == null ? byWsdl : wsdl;
        openApi = openApi == null ? byOpenApi : openApi;
    }

    /** Requires a token of SOAP callers. */
    public void guard(TokenGuard guard) {
        if (tokens != null && tokens != guard) {
            throw new IllegalArgumentException("two interfaces at " + path + " have passwords of their own: serve one of them at another path");
        }
        tokens = guard;
    }

    /** The passwords for SOAP callers, or null if none are required. */
    public TokenGuard tokens() {
        return tokens;
    }

    /** Checks SOAP requests, and secures their answers. */
    public void secure(ServiceSecurity secured) {
        if (security != null && security != secured) {
            throw new IllegalArgumentException("two interfaces at " + path + " have a security of their own: serve one of them at another path");
        }
        security = secured;
    }

    /** The security of SOAP messages, or null. */
    public ServiceSecurity security() {
        return security;
    }

    /** Takes header elements of SOAP requests as understood (SOAP-25), each {@code {namespace}name}. */
    public void skip(Set<String> names) {
        understood.addAll(names);
    }

    /** The header elements that are taken as understood. */
    public Set<String> understood() {
        return understood;
    }

    private void add(ServiceMethod<?, ?> method) {
        if (byName.containsKey(method.name()) || streaming.containsKey(method.name())) {
            ambiguous.add(method.name());
        }
        interfaces.put(method.owner().name(), method.owner().fingerprintText());
        if (method.hasStreams()) {
            streaming.putIfAbsent(method.name(), method);
            return;
        }
        TextMethod<?, ?> text = TextMethods.of(method);
        TextName name = text.request.bodyName();
        List<ServiceMethod<?, ?>> alike = name == null ? empty : byLocal.computeIfAbsent(name.local, key -> new ArrayList<>());
        for (ServiceMethod<?, ?> other : alike) {
            TextName known = TextMethods.of(other).request.bodyName();
            if (name == null ? TextMethods.of(other).action.equals(text.action) : name.isOf(known.namespace)) {
                throw new IllegalArgumentException("the requests of " + method + " and " + other + " cannot be told apart at " + path
                    + ": serve one of them at another path");
            }
        }
        alike.add(method);
        byName.putIfAbsent(method.name(), method);
        if (offers.size() < 64) {
            offers.put(method.owner().name() + "." + method.name(), name == null ? "the action " + text.action : name.toString());
        }
    }

    /** The wire whose messages identify the method; null if there is none. */
    public TextWire wireByMessage() {
        return wires.stream().filter(TextWire::isFoundByMessage).findFirst().orElse(null);
    }

    /** The wires whose methods have separate paths. */
    public List<TextWire> wiresByPath() {
        return wires.stream().filter(wire -> !wire.isFoundByMessage()).toList();
    }

    /** The {@link #wiresByPath} that claims a media type, or else the first. */
    public TextWire wireOf(MediaType type) {
        List<TextWire> all = wiresByPath();
        return all.stream().filter(wire -> wire.claims(type)).findFirst().orElse(all.get(0));
    }

    /** The method of a message; {@code action} must not contradict it. */
    public ServiceMethod<?, ?> find(Message message, String action) {
        ServiceMethod<?, ?> found = null;
        if (message.isEmptyBody()) {
            for (ServiceMethod<?, ?> each : empty) {
                found = TextMethods.of(each).action.equals(action) ? each : found;
            }
            if (found == null && action != null && !empty.isEmpty()) {
                for (ServiceMethod<?, ?> each : all()) {
                    if (TextMethods.of(each).action.equals(action)) {
                        throw Failures.malformed("an empty body, where " + TextMethods.of(each).request.bodyName() + " must be");
                    }
                }
            }
        } else {
            for (ServiceMethod<?, ?> each : byLocal.getOrDefault(message.bodyLocal(), List.of())) {
                found = message.isBody(TextMethods.of(each).request.bodyName()) ? each : found;
            }
        }
        if (found == null) {
            throw Failures.withDetails(ErrorCode.UNKNOWN_METHOD, "no service at " + path + " has a method whose request is " + message.shownBody(), offers);
        }
        checkAction(found, action);
        return found;
    }

    /** The method with streams of a name, if no other method has it; otherwise null. */
    public ServiceMethod<?, ?> findStreaming(String name) {
        return ambiguous.contains(name) ? null : streaming.get(name);
    }

    /** The method with a name (HTTP-11), and without streams. */
    public ServiceMethod<?, ?> find(String name) {
        ServiceMethod<?, ?> found = byName.get(name);
        if (ambiguous.contains(name)) {
            throw Failures.withDetails(ErrorCode.UNKNOWN_METHOD, "several interfaces at " + path + " have a method \"" + name + "\", which only SOAP can tell apart", interfaces);
        }
        if (found == null && streaming.containsKey(name)) {
            throw streaming.get(name).notCarried();
        }
        if (found == null) {
            throw Failures.withDetails(ErrorCode.UNKNOWN_METHOD, "no service at " + path + " has a method \"" + CreoException.shown(name) + "\"", interfaces);
        }
        return found;
    }

    /** The method with a name, or null if there is none or several. */
    public ServiceMethod<?, ?> findOrNull(String name) {
        return ambiguous.contains(name) ? null : byName.get(name);
    }

    /** The method that a message names, or null if it names none, checked against the action (TDX-50). */
    public ServiceMethod<?, ?> findOf(String name, String action) {
        if (name == null) {
            for (ServiceMethod<?, ?> each : all()) {
                if (TextMethods.of(each).action.equals(action)) {
                    return each;
                }
            }
            throw Failures.placed(Failures.malformed("a table that does not say of which method it is"));
        }
        ServiceMethod<?, ?> found = find(name);
        checkAction(found, action);
        return found;
    }

    private static void checkAction(ServiceMethod<?, ?> found, String action) {
        if (action != null && !action.isEmpty() && !action.equals(TextMethods.of(found).action)) {
            throw new WrongAction(Failures.malformed("the action \"" + CreoException.shown(action) + "\" with a request of the action \"" + TextMethods.of(found).action + "\""));
        }
    }

    private List<ServiceMethod<?, ?>> all() {
        List<ServiceMethod<?, ?>> all = new ArrayList<>(empty);
        byLocal.values().forEach(all::addAll);
        return all;
    }

    /** A document that describes this place. */
    public record Description(String type, String text) {}

    /**
     * The document for a query, or null if there is none (HTTP-2).
     *
     * @param address under which it was requested
     */
    public Description describe(String query, Supplier<String> address) {
        String asked = query == null ? "" : query.toLowerCase(Locale.ROOT);
        if (wsdl != null && asked.startsWith("wsdl")) {
            return new Description("text/xml; charset=utf-8", wsdl.apply(address.get()));
        }
        return openApi != null && asked.startsWith("openapi") ? new Description("application/json", openApi.apply(address.get())) : null;
    }
}
