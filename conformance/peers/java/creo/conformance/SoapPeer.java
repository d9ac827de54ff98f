package creo.conformance;

import static creo.conformance.Calls.error;
import static creo.conformance.ClientPeer.check;
import static creo.conformance.ClientPeer.equal;

import conformance.matrix.EchoClient;
import conformance.matrix.TroubleClient;
import conformance.xml.Animal;
import conformance.xml.AnyAnimal;
import conformance.xml.Cat;
import conformance.xml.Code;
import conformance.xml.Contact;
import conformance.xml.Dog;
import conformance.xml.Inlines;
import conformance.xml.Missing;
import conformance.xml.Named;
import conformance.xml.OnlyDerived;
import conformance.xml.Open;
import conformance.xml.Pair;
import conformance.xml.Partner;
import conformance.xml.PartnerClient;
import conformance.xml.Price;
import conformance.xml.Told;
import conformance.xml.Zoo;
import creo.runtime.ClientOptions;
import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs the scenarios over SOAP of {@code conformance/scenarios.md} and prints a line for each. */
final class SoapPeer {
    private static final List<String> SHARED = List.of("echo", "several", "add", "maybe", "declared-exception", "hidden-failure", "own-error", "after-errors", "oneway",
        "second-service", "metadata", "invalid-value", "big-response", "big-request", "async", "deadline", "cancel", "too-large", "parallel");

    private SoapPeer() {}

    static void run(String url, String vectors) {
        Map<String, ClientPeer.Scenario> all = new LinkedHashMap<>();
        Map<String, ClientPeer.Scenario> chosen = new LinkedHashMap<>();
        Door door = Door.soap(url);
        try (Calls calls = new Calls(door, vectors, ClientOptions.DEFAULT); Troubles troubles = new Troubles(door, ClientOptions.DEFAULT)) {
            calls.addTo(all);
            troubles.addTo(all);
            SHARED.forEach(name -> chosen.put(name, all.get(name)));
            chosen.put("soap-12", () -> both(door, ClientOptions.DEFAULT.withSoap12()));
            chosen.put("gzip", () -> big(door, ClientOptions.DEFAULT.withCompression()));
            chosen.put("mtom", () -> big(door, ClientOptions.DEFAULT.withMtom()));
            chosen.put("mtom-12", () -> big(door, ClientOptions.DEFAULT.withMtom().withSoap12().withCompression()));
            chosen.put("partner", () -> partner(new PartnerClient(door.open("Partner", ClientOptions.DEFAULT))));
            chosen.put("partner-12", () -> partner(new PartnerClient(door.open("Partner", ClientOptions.DEFAULT.withSoap12()))));
            chosen.put("unknown-method", () -> {
                CreoException e = error(ErrorCode.UNKNOWN_METHOD, () -> new EchoClient(door.open("Trouble", ClientOptions.DEFAULT)).add(1, 2));
                check(e.getMessage().contains("add"), e.getMessage());
            });
            chosen.put("wrong-path", () -> {
                CreoException e = error(ErrorCode.UNAVAILABLE, () -> new EchoClient(door.open("Nowhere", ClientOptions.DEFAULT)).add(1, 2));
                check(e.getMessage().contains("404"), e.getMessage());
            });
            chosen.put("refused", SoapPeer::refused);
            chosen.put("wrong-protocol", SoapPeer::wrongProtocol);
            ClientPeer.report(chosen);
        }
    }

    private static void both(Door door, ClientOptions options) throws Exception {
        equal(3L, new EchoClient(door.open("Echo", options)).add(1, 2));
        TroubleClient trouble = new TroubleClient(door.open("Trouble", options));
        error(ErrorCode.INTERNAL, () -> trouble.fail("internal"));
        equal("not you", error(ErrorCode.PERMISSION_DENIED, () -> trouble.fail("denied")).reason());
        try {
            trouble.fail("not-found");
            throw new AssertionError("no NotFound");
        } catch (conformance.values.NotFound e) {
            equal("not-found", e.description());
        }
    }

    private static void big(Door door, ClientOptions options) {
        TroubleClient trouble = new TroubleClient(door.open("Trouble", options));
        byte[] data = new byte[100_000];
        long sum = 0;
        for (int i = 0; i < data.length; i++) {
            data[i] = (byte) i;
            sum += i % 256;
        }
        equal(sum, trouble.sum(data));
        byte[] back = trouble.bytes(100_000);
        check(java.util.Arrays.equals(data, back), "other bytes came back");
    }

    private static void partner(Partner partner) throws Exception {
        equal(7L, partner.sum(3, 4));
        equal(new Price("first", BigDecimal.valueOf(5)), partner.quote(new Named("first", "b", "c", 5, "en", null)));
        try {
            partner.quote(new Named("missing", "b", "c", 5, null, "k"));
            throw new AssertionError("no Missing");
        } catch (Missing e) {
            equal(5, e.code());
            equal("missing", e.what());
        }
        try {
            partner.quote(new Named("told", "b", "c", 5, null, "k"));
            throw new AssertionError("no Told");
        } catch (Told e) {
            equal("told", e.text());
        }
        equal("s n -", partner.greet("s", "n", null));
        equal("s n h", partner.greet("s", "n", "h"));
        partner.ping();
        Inlines inlines = new Inlines("b", new Contact.Phone("1"), List.of(new Pair("k", 1), new Pair("l", null)), new Code.Zip(8000), "a");
        equal(inlines, partner.inlines(inlines));
        Zoo zoo = new Zoo(new AnyAnimal.Dog(new Dog("d", 2)), new OnlyDerived.Cat(Cat.of("c")), List.of(new AnyAnimal.Animal(new Animal("a"))), null);
        equal(zoo, partner.zoo(zoo));
        Open open = new Open("known", List.of("<x xmlns=\"urn:x\"><y/></x>"), Map.of("{urn:o}a", "1", "b", "2"));
        Open back = partner.open(open);
        equal(open.known(), back.known());
        equal(open.others(), back.others());
        equal(1, back.rest().size());
        partner.notice("a text");
    }

    private static void refused() throws Exception {
        int free;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = socket.getLocalPort();
        }
        CreoException e = error(ErrorCode.UNAVAILABLE, () -> new EchoClient(Door.soap("http://127.0.0.1:" + free).open("Echo", ClientOptions.DEFAULT)).add(1, 2));
        check(e.getMessage().contains("127.0.0.1:" + free), e.getMessage());
    }

    private static void wrongProtocol() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread answer = new Thread(() -> {
                try (Socket socket = server.accept()) {
                    socket.getInputStream().read();
                    socket.getOutputStream().write("SSH-2.0-nothing\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                    socket.getOutputStream().flush();
                    socket.shutdownOutput();
                    while (socket.getInputStream().read() >= 0) {
                        // The client closes.
                    }
                } catch (IOException e) {
                    // The client has gone.
                }
            });
            answer.start();
            EchoClient client = new EchoClient(Door.soap("http://127.0.0.1:" + server.getLocalPort()).open("Echo", ClientOptions.DEFAULT));
            CreoException e = error(ErrorCode.PROTOCOL_MISMATCH, () -> client.add(1, 2));
            check(e.getMessage().contains("HTTP"), e.getMessage());
        }
    }
}
