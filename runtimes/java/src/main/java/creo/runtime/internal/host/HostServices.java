package creo.runtime.internal.host;

import creo.runtime.Endpoint;
import creo.runtime.codegen.Codec;
import creo.runtime.codegen.Reader;
import creo.runtime.codegen.ServiceInterface;
import creo.runtime.codegen.ServiceMethod;
import creo.runtime.codegen.Writer;
import creo.runtime.internal.buffer.Failures;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** The host's own interfaces, on the binary wire: its health and, if enabled, reflection ({@code spec/services.md}). */
public final class HostServices {
    private static final Object NONE = new Object();
    private static final Codec<Object> NO_ARGUMENTS = Codec.of((w, v) -> {}, r -> NONE);
    private static final Codec<String> TEXT = Codec.of(Writer::writeString, Reader::readString);
    private static final Codec<Map<String, String>> TEXTS = Codec.of(HostServices::write, HostServices::read);

    private static final ServiceInterface HEALTH = new ServiceInterface("creo.health.Health", 0x32201dd335ac8453L);
    public static final ServiceMethod<Object, Map<String, String>> CHECK = ServiceMethod.of(HEALTH, "check", 0xc806879f727a7cd9L, NO_ARGUMENTS, TEXTS);

    private static final ServiceInterface REFLECTION = new ServiceInterface("creo.reflection.Reflection", 0xb87b977a0de596e9L);
    public static final ServiceMethod<Object, Map<String, String>> INTERFACES = ServiceMethod.of(REFLECTION, "interfaces", 0x69d5b7e90b4ea8f8L, NO_ARGUMENTS, TEXTS);
    public static final ServiceMethod<Object, Map<String, String>> METHODS = ServiceMethod.of(REFLECTION, "methods", 0xbfc6279a99052327L, NO_ARGUMENTS, TEXTS);
    public static final ServiceMethod<String, String> DESCRIPTION = ServiceMethod.of(REFLECTION, "description", 0x90ff4f368adbab16L, TEXT, TEXT);

    /** The arguments of a method without parameters. */
    public static Object noArguments() {
        return NONE;
    }

    private HostServices() {}

    /** SVC-3 */
    public static Endpoint health(List<Endpoint> served, Supplier<String> state) {
        List<String> names = served.stream().map(endpoint -> endpoint.service().name()).sorted().distinct().toList();
        return Endpoint.builder(HEALTH).method(CHECK, a -> {
            String now = state.get();
            Map<String, String> states = new LinkedHashMap<>();
            names.forEach(name -> states.put(name, now));
            return states;
        }).build();
    }

    /** SVC-11 */
    public static Endpoint reflection(List<Endpoint> served) {
        Map<String, String> interfaces = new TreeMap<>();
        Map<String, String> methods = new TreeMap<>();
        for (Endpoint endpoint : served) {
            interfaces.put(endpoint.service().name(), endpoint.service().fingerprintText());
            HostAccess.bindings(endpoint).forEach((id, binding) -> methods.put(endpoint.service().name() + "." + binding.method().name(), String.format("%016x", id)));
        }
        // SVC-12: if two endpoints have the same interface, the first one.
        Map<String, Endpoint> described = new HashMap<>();
        served.forEach(endpoint -> described.putIfAbsent(endpoint.service().name(), endpoint));
        return Endpoint.builder(REFLECTION).method(INTERFACES, a -> interfaces).method(METHODS, a -> methods).method(DESCRIPTION, name -> {
            Endpoint endpoint = described.get(name);
            return endpoint == null ? "" : HostAccess.description(endpoint);
        }).build();
    }

    private static void write(Writer w, Map<String, String> texts) {
        w.writeCount(texts.size());
        texts.forEach((key, value) -> {
            w.writeString(key);
            w.writeString(value);
        });
    }

    private static Map<String, String> read(Reader r) {
        int n = r.readCount(2, 128);
        Map<String, String> texts = new LinkedHashMap<>();
        for (int i = 0; i < n; i++) {
            String key = r.readString();
            if (texts.put(key, r.readString()) != null) {
                throw Failures.malformed("a key that stands there twice");
            }
        }
        return texts;
    }
}
