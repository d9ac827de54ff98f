import jakarta.xml.bind.JAXBContext;
import jakarta.xml.bind.JAXBElement;
import jakarta.xml.bind.Marshaller;
import jakarta.xml.ws.BindingProvider;
import jakarta.xml.ws.WebServiceFeature;
import jakarta.xml.ws.soap.AddressingFeature;
import jakarta.xml.ws.soap.MTOMFeature;
import jakarta.xml.ws.soap.SOAPFaultException;
import java.io.StringReader;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.xml.datatype.DatatypeFactory;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamReader;
import peer.Colour;
import peer.Echo;
import peer.Echo_Service;
import peer.FailNotFoundFault;
import peer.FailRefusedFault;
import peer.Point;

/**
 * A client by CXF (wsdl2java) or by the reference implementation of JAX-WS (wsimport) calls the Java service: {@code Caller ADDRESS 1.1|1.2|mtom CASES}.
 * Prints {@code ok NAME} or {@code FAIL NAME: reason} for each case.
 */
public final class Caller {
    private static final String NAMESPACE = "http://example.org/interop";

    interface Case {
        void run() throws Exception;
    }

    private final Map<String, Throwable> failures = new LinkedHashMap<>();
    private final JAXBContext context = JAXBContext.newInstance(peer.ObjectFactory.class);
    private final Echo echo;

    Caller(Echo echo) throws Exception {
        this.echo = echo;
    }

    private static Echo port(String address, String mode) throws Exception {
        Echo_Service service = new Echo_Service(URI.create(address + "?wsdl").toURL());
        WebServiceFeature[] features = switch (mode) {
            case "mtom" -> new WebServiceFeature[] {new MTOMFeature(true, 0)};
            case "addressing" -> new WebServiceFeature[] {new AddressingFeature(true, true)};
            default -> new WebServiceFeature[0];
        };
        Echo echo = service.getPort(new QName(NAMESPACE, mode.equals("1.2") ? "EchoSoap12Port" : "EchoSoap11Port"), Echo.class, features);
        Map<String, Object> request = ((BindingProvider) echo).getRequestContext();
        for (String stack : List.of("jakarta.xml.ws.client.", "com.sun.xml.ws.")) {
            request.put(stack + "connectionTimeout", 30_000);
            request.put(stack + "receiveTimeout", 30_000);
            request.put(stack + "connect.timeout", 30_000);
            request.put(stack + "request.timeout", 30_000);
        }
        return echo;
    }

    public static void main(String[] args) throws Exception {
        Caller caller = new Caller(port(args[0], args[1]));
        caller.all(Path.of(args[2]));
        caller.finish();
    }

    /** Runs what every caller runs. */
    void all(Path cases) throws Exception {
        echoes(cases);
        others();
    }

    /** Says how each case went, and ends the program. */
    void finish() {
        failures.forEach((name, e) -> System.out.println(e == null ? "ok " + name : "FAIL " + name + ": " + e.toString().replaceAll("\\s+", " ")));
        System.exit(failures.values().stream().allMatch(e -> e == null) ? 0 : 1);
    }

    /** A name covers several cases; the first failure is reported. */
    void run(String name, Case it) {
        try {
            it.run();
            failures.putIfAbsent(name, null);
        } catch (InvocationTargetException e) {
            failures.merge(name, e.getCause(), (first, next) -> first);
        } catch (Exception | AssertionError e) {
            failures.merge(name, e, (first, next) -> first);
        }
    }

    private void echoes(Path cases) throws Exception {
        List<String> lines = Files.readAllLines(cases).stream().filter(line -> !line.startsWith("#") && !line.isEmpty()).toList();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).startsWith("= ")) {
                continue;
            }
            String[] words = lines.get(i).split(" ", 3);
            String expected = i + 1 < lines.size() && lines.get(i + 1).startsWith("= ") ? lines.get(i + 1).substring(2) : words[2];
            run(words[0], () -> echo(words[1], words[2], expected));
        }
    }

    /** Reads the value into the generated classes, calls, and writes what came back. */
    private void echo(String name, String xml, String expected) throws Exception {
        Method method = Arrays.stream(Echo.class.getMethods()).filter(m -> m.getName().equals(name)).findFirst().orElseThrow();
        Type sent = method.getGenericParameterTypes()[0];
        Object result = method.invoke(echo, read(sent, xml));
        equal(write(sent, read(sent, expected)), write(method.getGenericReturnType(), result));
    }

    private static boolean isList(Type type) {
        return type instanceof ParameterizedType list && list.getRawType() == List.class;
    }

    private static Class<?> item(Type type) {
        return (Class<?>) (isList(type) ? ((ParameterizedType) type).getActualTypeArguments()[0] : type);
    }

    private Object read(Type type, String xml) throws Exception {
        List<Object> all = new ArrayList<>();
        XMLStreamReader reader = XMLInputFactory.newFactory()
            .createXMLStreamReader(new StringReader("<m xmlns='" + NAMESPACE + "' xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'>" + xml + "</m>"));
        reader.nextTag();
        reader.nextTag();
        while (reader.isStartElement()) {
            all.add(context.createUnmarshaller().unmarshal(reader, item(type)).getValue());
        }
        if (isList(type)) {
            return all;
        }
        return all.isEmpty() ? null : all.get(0);
    }

    @SuppressWarnings("unchecked")
    private String write(Type type, Object value) throws Exception {
        StringWriter out = new StringWriter();
        Marshaller marshaller = context.createMarshaller();
        marshaller.setProperty(Marshaller.JAXB_FRAGMENT, true);
        for (Object each : isList(type) ? (List<Object>) value : value == null ? List.of() : List.of(value)) {
            marshaller.marshal(new JAXBElement<>(new QName(NAMESPACE, "v"), (Class<Object>) item(type), each), out);
        }
        return out.toString();
    }

    private void others() throws Exception {
        DatatypeFactory moments = DatatypeFactory.newInstance();
        run("several", () -> {
            Point point = new Point();
            point.setX(1.5);
            point.setY(-2.5);
            String got = echo.several(7, "text & more", List.of(0.5, 1.25), point, null, Colour.BLUE, true, -9, moments.newXMLGregorianCalendar("2026-01-02T03:04:05Z"), new BigDecimal("1.50"));
            equal("7|text & more|1.75|1.5|-2.5|-|BLUE|true|-9|2026-01-02T03:04:05Z|1.50", got);
        });
        run("answer", () -> equal(42, echo.answer()));
        run("ping", echo::ping);
        run("text", () -> equal("b".repeat(200_000), echo.text("b".repeat(200_000))));
        run("data", () -> {
            byte[] data = new byte[300_000];
            for (int i = 0; i < data.length; i++) {
                data[i] = (byte) (i * 7);
            }
            equal(true, Arrays.equals(data, echo.data(data)));
        });
        run("fault-none", () -> equal("nothing", echo.fail("nothing")));
        run("fault-not-found", () -> {
            try {
                throw new AssertionError("no fault, but " + echo.fail("not-found"));
            } catch (FailNotFoundFault e) {
                equal("what & where", e.getFaultInfo().getWhat());
            }
        });
        run("fault-refused", () -> {
            try {
                throw new AssertionError("no fault, but " + echo.fail("refused"));
            } catch (FailRefusedFault e) {
                equal(-5, e.getFaultInfo().getCode());
                equal("<no>", e.getFaultInfo().getReason());
                equal(Colour.RED, e.getFaultInfo().getColour());
                equal("[2026-01-01T00:00:00Z, 2026-11-21T10:31:56.250Z]", e.getFaultInfo().getAt().toString());
            }
        });
        run("fault-undeclared", () -> {
            try {
                throw new AssertionError("no fault, but " + echo.fail("internal"));
            } catch (SOAPFaultException e) {
                String code = e.getFault().getFaultCodeAsQName().getLocalPart();
                equal(true, code.equals("Server") || code.equals("Receiver"));
                equal("internal", ((org.w3c.dom.Element) e.getFault().getDetail().getDetailEntries().next()).getAttribute("code"));
                String all = e.getMessage() + e.getFault().getDetail().getTextContent();
                equal(false, all.contains("secret") || all.contains("Exception"));
            }
        });
        run("oneway", () -> {
            String prefix = "java " + System.nanoTime() + " ";
            echo.note(prefix + "one");
            long deadline = System.nanoTime() + 20_000_000_000L;
            while (!echo.noted(prefix).equals(List.of(prefix + "one"))) {
                equal(true, System.nanoTime() < deadline);
            }
        });
    }

    static void equal(Object wanted, Object got) {
        if (!wanted.equals(got)) {
            String w = wanted.toString();
            String g = String.valueOf(got);
            int at = 0;
            while (at < w.length() && at < g.length() && w.charAt(at) == g.charAt(at)) {
                at++;
            }
            int from = Math.max(0, at - 100);
            throw new AssertionError("expected .." + w.substring(from, Math.min(w.length(), at + 200)) + ", got .." + g.substring(from, Math.min(g.length(), at + 200)));
        }
    }
}
