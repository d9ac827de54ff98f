package creo.runtime;

import creo.runtime.codegen.ServiceInterface;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.codegen.TextWire;
import creo.runtime.internal.call.ClientAccess;
import creo.runtime.internal.host.Binding;
import creo.runtime.internal.host.HostAccess;
import creo.runtime.internal.host.ServedStreams;
import creo.runtime.internal.http.ServicePlace;
import creo.runtime.internal.http.TokenGuard;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** An interface with its implementation. Generated code makes one of an implementation; {@link Server.Builder#add} takes it. */
public final class Endpoint {
    /** Serves a method on the calling thread. */
    public interface Handler<A, R> {
        R call(A arguments) throws Exception;
    }

    /** Serves a method by a stage that completes later. */
    public interface AsyncHandler<A, R> {
        CompletionStage<R> call(A arguments) throws Exception;
    }

    static {
        HostAccess.open(new HostAccess.Endpoints() {
            @Override
            public Map<Long, Binding<?, ?>> bindings(Endpoint endpoint) {
                return endpoint.bindings;
            }

            @Override
            public List<TextWire> wires(Endpoint endpoint) {
                return endpoint.wires;
            }

            @Override
            public boolean hasText(Endpoint endpoint) {
                return endpoint.hasText();
            }

            @Override
            public void serve(Endpoint endpoint, ServicePlace place) {
                endpoint.serve(place);
            }

            @Override
            public String description(Endpoint endpoint) {
                return endpoint.description.get();
            }
        });
    }

    private final ServiceInterface service;
    private final Map<Long, Binding<?, ?>> bindings;
    private final List<TextWire> wires;
    private final UnaryOperator<String> wsdl;
    private final UnaryOperator<String> openApi;
    private final Supplier<String> description;
    private final TokenGuard tokens;
    private final ServiceSecurity security;
    private final Set<String> understood;

    private Endpoint(Builder from) {
        service = from.service;
        bindings = Map.copyOf(from.bindings);
        wires = from.wires;
        wsdl = from.wsdl;
        openApi = from.openApi;
        description = from.description;
        tokens = null;
        security = null;
        understood = Set.of();
    }

    private Endpoint(Endpoint from, TokenGuard guard, ServiceSecurity secured, Set<String> names) {
        service = from.service;
        bindings = from.bindings;
        wires = from.wires;
        wsdl = from.wsdl;
        openApi = from.openApi;
        description = from.description;
        tokens = guard;
        security = secured;
        understood = names;
    }

    /**
     * A copy that requires a {@code UsernameToken} of WS-Security with a correct password, as text or digest, in each SOAP request. Its user becomes
     * the call's {@link CallContext#principal}. Requests on other wires do not need one; an {@link Authenticator} sees all requests.
     */
    public Endpoint withPasswords(PasswordSource passwords) {
        return new Endpoint(this, new TokenGuard(Objects.requireNonNull(passwords, "passwords")), security, understood);
    }

    /**
     * A copy that checks the signatures and encryption of each SOAP request, and secures its answer (SOAP-80). Who signed becomes the call's
     * {@link CallContext#principal}, unless {@link #withPasswords} finds a user. Requests on other wires are not checked; an {@link Authenticator}
     * sees all requests. All interfaces at one path have the same.
     */
    public Endpoint withSecurity(ServiceSecurity secured) {
        return new Endpoint(this, tokens, Objects.requireNonNull(secured, "secured"), understood);
    }

    /**
     * A copy that skips these header elements of SOAP requests although they must be understood (SOAP-25), in addition to those named before.
     * At a path with several interfaces this holds for all of them.
     *
     * @param names each {@code {namespace}name}, or {@code name} without a namespace
     * @throws IllegalArgumentException if one is not such a name
     */
    public Endpoint withUnderstood(String... names) {
        return new Endpoint(this, tokens, security, ClientAccess.understood(understood, names));
    }

    /** The interface. */
    public ServiceInterface service() {
        return service;
    }

    private boolean hasText() {
        return !wires.isEmpty() && methods().allMatch(method -> method.hasStreams() || method.hasText());
    }

    private Stream<ServiceMethod<?, ?>> methods() {
        return bindings.values().stream().map(Binding::method);
    }

    private void serve(ServicePlace place) {
        place.add(methods().toList(), wires);
        place.describe(wsdl, openApi);
        if (tokens != null) {
            place.guard(tokens);
        }
        if (security != null) {
            place.secure(security);
        }
        place.skip(understood);
    }

    public static Builder builder(ServiceInterface service) {
        return new Builder(service);
    }

    /** Collects the handlers of an interface's methods. */
    public static final class Builder {
        private final ServiceInterface service;
        private final Map<Long, Binding<?, ?>> bindings = new LinkedHashMap<>();
        private ServedStreams.Maker streams;
        private List<TextWire> wires = List.of();
        private UnaryOperator<String> wsdl;
        private UnaryOperator<String> openApi;
        private Supplier<String> description = () -> "";

        private Builder(ServiceInterface service) {
            this.service = service;
        }

        public <A, R> Builder method(ServiceMethod<A, R> method, Handler<A, R> handler) {
            bindings.put(method.id(), new Binding<>(method, handler, null, streams(method)));
            return this;
        }

        public <A, R> Builder asyncMethod(ServiceMethod<A, R> method, AsyncHandler<A, R> handler) {
            bindings.put(method.id(), new Binding<>(method, null, handler, streams(method)));
            return this;
        }

        private ServedStreams.Maker streams(ServiceMethod<?, ?> method) {
            if (method.hasStreams() && streams == null) {
                throw new IllegalStateException(method + " has streams: call streams(HostStreams.SERVED) first");
            }
            return method.hasStreams() ? streams : null;
        }

        /** What serves the methods with streams, {@code HostStreams.SERVED}: before these are added. */
        @SuppressWarnings("exports") // Parameters of internal types are for the runtime only.
        public Builder streams(ServedStreams.Maker maker) {
            streams = Objects.requireNonNull(maker, "maker");
            return this;
        }

        /** The text wires on which the interface is served. */
        public Builder wires(TextWire... spoken) {
            wires = List.of(spoken);
            return this;
        }

        /** Sets the function that makes the interface's WSDL for the address at which it is served. */
        public Builder wsdl(UnaryOperator<String> maker) {
            wsdl = Objects.requireNonNull(maker, "maker");
            return this;
        }

        /** Sets the function that makes the interface's OpenAPI document for the address at which it is served. */
        public Builder openApi(UnaryOperator<String> maker) {
            openApi = Objects.requireNonNull(maker, "maker");
            return this;
        }

        /** Sets the supplier of the interface's description, for reflection: a JSON object with the text of each of its files. */
        public Builder description(Supplier<String> text) {
            description = Objects.requireNonNull(text, "text");
            return this;
        }

        public Endpoint build() {
            return new Endpoint(this);
        }
    }
}
