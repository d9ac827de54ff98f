package creo.runtime.internal.host;

import creo.runtime.CallContext;
import creo.runtime.Endpoint;
import creo.runtime.codegen.TextWire;
import creo.runtime.internal.http.ServicePlace;
import java.lang.invoke.MethodHandles;
import java.security.Principal;
import java.util.List;
import java.util.Map;

/** Operations on endpoints and call contexts that the host needs and users must not have. Both classes grant the access to their members. */
public final class HostAccess {
    /** The members of {@link Endpoint} that are not for users. */
    public interface Endpoints {
        Map<Long, Binding<?, ?>> bindings(Endpoint endpoint);

        List<TextWire> wires(Endpoint endpoint);

        boolean hasText(Endpoint endpoint);

        void serve(Endpoint endpoint, ServicePlace place);

        String description(Endpoint endpoint);
    }

    /** The members of {@link CallContext} that are not for users. */
    public interface Contexts {
        CallContext context(IncomingCall<?, ?> call, String peer, Map<String, String> metadata);

        void enter(CallContext context);

        void principal(CallContext context, Principal who);
    }

    private static Endpoints endpoints;
    private static Contexts contexts;

    private HostAccess() {}

    /** Called once, by the class that has the members. */
    public static void open(Endpoints own) {
        if (endpoints != null) {
            throw new IllegalStateException("open already");
        }
        endpoints = own;
    }

    /** Called once, by the class that has the members. */
    public static void open(Contexts own) {
        if (contexts != null) {
            throw new IllegalStateException("open already");
        }
        contexts = own;
    }

    private static Contexts contexts() {
        Contexts known = contexts;
        if (known == null) {
            try {
                MethodHandles.lookup().ensureInitialized(CallContext.class);
            } catch (IllegalAccessException e) {
                throw new AssertionError(e);
            }
            known = contexts;
        }
        return known;
    }

    /** The methods of an endpoint, by their numbers. */
    static Map<Long, Binding<?, ?>> bindings(Endpoint endpoint) {
        return endpoints.bindings(endpoint);
    }

    /** The text wires of an endpoint's interface. */
    static List<TextWire> wires(Endpoint endpoint) {
        return endpoints.wires(endpoint);
    }

    /** The description of an endpoint's interface (SVC-12), or the empty text. */
    static String description(Endpoint endpoint) {
        return endpoints.description(endpoint);
    }

    /** Whether there is a text wire and each method has the code for it. */
    static boolean hasText(Endpoint endpoint) {
        return endpoints.hasText(endpoint);
    }

    /** Serves the methods of an endpoint on text wires as well. */
    public static void serve(Endpoint endpoint, ServicePlace place) {
        endpoints.serve(endpoint, place);
    }

    /** The context of a call. */
    static CallContext context(IncomingCall<?, ?> call, String peer, Map<String, String> metadata) {
        return contexts().context(call, peer, metadata);
    }

    /** Sets or clears the context of this thread. */
    static void enter(CallContext context) {
        contexts().enter(context);
    }

    /** Sets the caller's identity. */
    static void principal(CallContext context, Principal who) {
        contexts().principal(context, who);
    }
}
