package creo.runtime;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** What is served at one path: methods of one or several interfaces, found by the element of the body (SOAP-7). */
final class HttpPlace {
    /** A method, with what text wires know of it. */
    record Found<A, R>(Host.Entry<A, R> entry, TextMethod<A, R> text) {}

    private final String path;
    private final Map<String, List<Found<?, ?>>> byLocal = new HashMap<>();
    private final List<Found<?, ?>> empty = new ArrayList<>();
    private final Map<String, String> offers = new LinkedHashMap<>();
    private UnaryOperator<String> wsdl;

    HttpPlace(String path) {
        this.path = path;
    }

    void add(Endpoint endpoint, Host host) {
        for (Endpoint.Binding<?, ?> binding : endpoint.bindings().values()) {
            add(host.find(binding.method().id()));
        }
        if (wsdl == null) {
            wsdl = endpoint.wsdl();
        }
    }

    private <A, R> void add(Host.Entry<A, R> entry) {
        ServiceMethod<A, R> method = entry.binding().method();
        TextMethod<A, R> text = method.text();
        XmlName name = text.request.bodyName();
        List<Found<?, ?>> alike = name == null ? empty : byLocal.computeIfAbsent(name.local, key -> new ArrayList<>());
        for (Found<?, ?> other : alike) {
            XmlName known = other.text().request.bodyName();
            if (name == null ? other.text().action.equals(text.action) : name.namespace == known.namespace) {
                throw new IllegalArgumentException("the requests of " + method + " and " + other.entry().binding().method() + " cannot be told apart at " + path
                    + ": serve one of them at another path");
            }
        }
        alike.add(new Found<>(entry, text));
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
        if (action != null && !action.isEmpty() && !action.equals(found.text().action)) {
            throw CreoException.malformed("the action \"" + CreoException.shown(action) + "\" with a request of the action \"" + found.text().action + "\"");
        }
        return found;
    }

    private List<Found<?, ?>> all() {
        List<Found<?, ?>> all = new ArrayList<>(empty);
        byLocal.values().forEach(all::addAll);
        return all;
    }

    /** The WSDL for an address, or null if there is none. */
    String wsdl(String address) {
        return wsdl == null ? null : wsdl.apply(address);
    }
}
