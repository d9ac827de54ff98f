package creo.runtime;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/** What is served at one path, or by one queue: methods of one or several interfaces, found by the element of the body (SOAP-7). */
final class ServicePlace {
    /** A method, with what text wires know of it. */
    record Found<A, R>(Host.Entry<A, R> entry, TextMethod<A, R> text) {}

    /** An action that is not that of the method (SOAP-7). */
    static final class WrongAction extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient CreoException error;

        WrongAction(CreoException error) {
            super(error.reason(), null, false, false);
            this.error = error;
        }

        CreoException error() {
            return error;
        }
    }

    private final String path;
    private final Map<String, List<Found<?, ?>>> byLocal = new HashMap<>();
    private final List<Found<?, ?>> empty = new ArrayList<>();
    private final Map<String, String> offers = new LinkedHashMap<>();
    /** The methods by their names, for calls without SOAP (HTTP-11). */
    private final Map<String, Found<?, ?>> byName = new HashMap<>();
    /** Names that methods of several interfaces have: their requests differ as XML only. */
    private final Set<String> ambiguous = new HashSet<>();
    private final Map<String, String> interfaces = new LinkedHashMap<>();
    private UnaryOperator<String> wsdl;
    private UnaryOperator<String> openApi;

    ServicePlace(String path) {
        this.path = path;
    }

    void add(Endpoint endpoint, Host host) {
        for (Endpoint.Binding<?, ?> binding : endpoint.bindings().values()) {
            add(host.find(binding.method().id()));
        }
        if (wsdl == null) {
            wsdl = endpoint.wsdl();
        }
        if (openApi == null) {
            openApi = endpoint.openApi();
        }
    }

    private <A, R> void add(Host.Entry<A, R> entry) {
        ServiceMethod<A, R> method = entry.binding().method();
        TextMethod<A, R> text = method.text();
        XmlName name = text.request.bodyName();
        List<Found<?, ?>> alike = name == null ? empty : byLocal.computeIfAbsent(name.local, key -> new ArrayList<>());
        for (Found<?, ?> other : alike) {
            XmlName known = other.text().request.bodyName();
            if (name == null ? other.text().action.equals(text.action) : name.isOf(known.namespace)) {
                throw new IllegalArgumentException("the requests of " + method + " and " + other.entry().binding().method() + " cannot be told apart at " + path
                    + ": serve one of them at another path");
            }
        }
        Found<A, R> found = new Found<>(entry, text);
        alike.add(found);
        if (byName.putIfAbsent(method.name(), found) != null) {
            ambiguous.add(method.name());
        }
        interfaces.put(method.owner().name(), method.owner().fingerprintText());
        if (offers.size() < 64) {
            offers.put(method.owner().name() + "." + method.name(), name == null ? "the action " + text.action : name.toString());
        }
    }

    /** The method of a message, which {@code action} must not contradict. */
    Found<?, ?> find(SoapReader message, String action) {
        Found<?, ?> found = null;
        if (message.isEmptyBody()) {
            for (Found<?, ?> each : empty) {
                found = each.text().action.equals(action) ? each : found;
            }
            if (found == null && action != null && !empty.isEmpty()) {
                for (Found<?, ?> each : all()) {
                    if (each.text().action.equals(action)) {
                        throw CreoException.malformed("an empty body, where " + each.text().request.bodyName() + " must be");
                    }
                }
            }
        } else {
            for (Found<?, ?> each : byLocal.getOrDefault(message.bodyLocal(), List.of())) {
                found = message.isBody(each.text().request.bodyName()) ? each : found;
            }
        }
        if (found == null) {
            throw CreoException.withDetails(ErrorCode.UNKNOWN_METHOD, "no service at " + path + " has a method whose request is " + message.shownBody(), offers);
        }
        checkAction(found, action);
        return found;
    }

    /** The method of a name (HTTP-11). */
    Found<?, ?> find(String name) {
        Found<?, ?> found = byName.get(name);
        if (ambiguous.contains(name)) {
            throw CreoException.withDetails(ErrorCode.UNKNOWN_METHOD, "several interfaces at " + path + " have a method \"" + name + "\", which only SOAP can tell apart", interfaces);
        }
        if (found == null) {
            throw CreoException.withDetails(ErrorCode.UNKNOWN_METHOD, "no service at " + path + " has a method \"" + CreoException.shown(name) + "\"", interfaces);
        }
        return found;
    }

    /** The method of a table within an envelope (TDX-50). */
    Found<?, ?> find(TableDocument document, String action) {
        if (document.of() == null) {
            for (Found<?, ?> each : all()) {
                if (each.text().action.equals(action)) {
                    return each;
                }
            }
            throw CreoException.malformed("a table that does not say of which method it is").placed();
        }
        Found<?, ?> found = find(document.of());
        checkAction(found, action);
        return found;
    }

    private static void checkAction(Found<?, ?> found, String action) {
        if (action != null && !action.isEmpty() && !action.equals(found.text().action)) {
            throw new WrongAction(CreoException.malformed("the action \"" + CreoException.shown(action) + "\" with a request of the action \"" + found.text().action + "\""));
        }
    }

    private List<Found<?, ?>> all() {
        List<Found<?, ?>> all = new ArrayList<>(empty);
        byLocal.values().forEach(all::addAll);
        return all;
    }

    /** What the place says of itself. */
    record Description(String type, String text) {}

    /**
     * What a query asks for, or null if there is no such thing (HTTP-2).
     *
     * @param address under which it was asked for
     */
    Description describe(String query, String address) {
        String asked = query == null ? "" : query.toLowerCase(Locale.ROOT);
        if (wsdl != null && asked.startsWith("wsdl")) {
            return new Description("text/xml; charset=utf-8", wsdl.apply(address));
        }
        return openApi != null && asked.startsWith("openapi") ? new Description("application/json", openApi.apply(address)) : null;
    }
}
