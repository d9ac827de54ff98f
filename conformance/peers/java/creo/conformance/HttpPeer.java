package creo.conformance;

import static creo.conformance.Calls.error;
import static creo.conformance.ClientPeer.check;
import static creo.conformance.ClientPeer.equal;

import conformance.matrix.EchoClient;
import conformance.matrix.TroubleClient;
import conformance.values.Colour;
import conformance.values.Point;
import conformance.xml.Animal;
import conformance.xml.AnyAnimal;
import conformance.xml.Cat;
import conformance.xml.Code;
import conformance.xml.Collected;
import conformance.xml.Contact;
import conformance.xml.Dog;
import conformance.xml.Inlines;
import conformance.xml.Missing;
import conformance.xml.Named;
import conformance.xml.Names;
import conformance.xml.NamesText;
import conformance.xml.OnlyDerived;
import conformance.xml.Open;
import conformance.xml.Pair;
import conformance.xml.Partner;
import conformance.xml.PartnerClient;
import conformance.xml.Price;
import conformance.xml.Stamped;
import conformance.xml.Told;
import conformance.xml.Welcome;
import conformance.xml.Zoo;
import creo.runtime.ClientOptions;
import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.TableOptions;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs the scenarios over HTTP of {@code conformance/scenarios.md}, on the wire of its mode, and prints a line for each. */
final class HttpPeer {
    private static final List<String> SHARED = List.of("echo", "several", "add", "maybe", "declared-exception", "hidden-failure", "own-error", "after-errors", "oneway",
        "second-service", "metadata", "answer-metadata", "interceptors", "invalid-value", "big-response", "big-request", "async", "deadline", "cancel", "too-large", "parallel");

    /** How a door is made of the address of a service. */
    private interface Maker {
        Door at(String url);
    }

    private final Maker maker;
    private final Door door;
    private final ClientOptions options;
    private final Map<String, ClientPeer.Scenario> chosen = new LinkedHashMap<>();

    private HttpPeer(Maker maker, String url, ClientOptions options) {
        this.maker = maker;
        this.door = maker.at(url);
        this.options = options;
    }

    static void soap(String url, String vectors) {
        HttpPeer peer = new HttpPeer(Door::soap, url, ClientOptions.DEFAULT);
        peer.run(vectors, () -> {
            peer.add("soap-12", () -> both(peer.door, peer.options.withSoap12()));
            peer.add("mtom", () -> big(peer.door, peer.options.withMtom()));
            peer.add("mtom-12", () -> big(peer.door, peer.options.withMtom().withSoap12().withCompression()));
            peer.add("partner-12", () -> partner(peer.door, peer.options.withSoap12()));
        });
    }

    static void json(String url, String vectors) {
        HttpPeer peer = new HttpPeer(Door::json, url, ClientOptions.DEFAULT);
        peer.run(vectors, () -> StreamCalls.addLinesTo(peer.chosen, peer.door, peer.options));
    }

    /** Tables within SOAP. */
    static void tables(String url, String vectors) {
        HttpPeer peer = new HttpPeer(Door::soap, url, ClientOptions.DEFAULT.withTables(TableOptions.RECORD));
        peer.run(vectors, () -> {
            addSchemes(peer.chosen, peer.door, peer.options);
            peer.add("soap-12", () -> both(peer.door, peer.options.withSoap12()));
            peer.add("mtom", () -> big(peer.door, peer.options.withMtom()));
        });
    }

    /** Tables without SOAP. */
    static void tdxml(String url, String vectors) {
        HttpPeer peer = new HttpPeer(Door::tdxml, url, ClientOptions.DEFAULT);
        peer.run(vectors, () -> {
            addSchemes(peer.chosen, peer.door, peer.options);
            peer.add("packages", () -> big(peer.door, peer.options.withMtom()));
        });
    }

    /** The other scheme, and both with a schema. */
    static void addSchemes(Map<String, ClientPeer.Scenario> scenarios, Door door, ClientOptions options) {
        scenarios.put("aggregated", () -> schemes(door, options.withTables(TableOptions.AGGREGATED)));
        scenarios.put("schema", () -> {
            schemes(door, options.withTables(TableOptions.AGGREGATED.withSchema()));
            schemes(door, options.withTables(TableOptions.RECORD.withSchema()));
        });
    }

    static void schemes(Door door, ClientOptions options) throws Exception {
        EchoClient echo = new EchoClient(door.open("Echo", options));
        equal(3L, echo.add(1, 2));
        equal("7 x 4.0 1.0 2.0 3 4 - BLUE", echo.several(7, "x", new double[] {1.5, 2.5}, new Point(1, 2), new conformance.other.Point(3, 4), null, Colour.BLUE));
        equal(Map.of("a", 1, "b", -2), echo.counts(Map.of("a", 1, "b", -2)));
        try {
            new TroubleClient(door.open("Trouble", options)).fail("not-found");
            throw new AssertionError("no NotFound");
        } catch (conformance.values.NotFound e) {
            equal("not-found", e.description());
        }
    }

    /** SOAP over TLS, and a call each on the other wires. */
    static void tls(String url, String vectors, String certificates, String plainUrl) throws Exception {
        ClientOptions trusting = ClientOptions.DEFAULT.withTls(Certificates.client(Path.of(certificates, "service.pem")));
        ClientOptions mistaken = ClientOptions.DEFAULT.withTls(Certificates.client(Path.of(certificates, "other.pem")));
        HttpPeer peer = new HttpPeer(Door::soap, url, trusting);
        Map<String, ClientPeer.Scenario> all = new LinkedHashMap<>();
        try (Calls calls = new Calls(peer.door, vectors, trusting); Troubles troubles = new Troubles(peer.door, trusting)) {
            calls.addTo(all);
            troubles.addTo(all);
            for (String name : List.of("echo", "declared-exception", "big-response", "parallel", "async")) {
                peer.add(name, all.get(name));
            }
            peer.add("gzip", () -> big(peer.door, trusting.withCompression()));
            peer.add("json", () -> both(Door.json(url), trusting));
            peer.add("tdxml", () -> both(Door.tdxml(url), trusting));
            peer.add("untrusted", () -> fails("certificate", peer.door, mistaken, ErrorCode.UNTRUSTED_PEER));
            peer.add("wrong-name", () -> fails("certificate", Door.soap(url.replace("localhost", "127.0.0.1")), trusting, ErrorCode.UNTRUSTED_PEER));
            peer.add("plain-client",
                () -> fails("", Door.soap(url.replace("https:", "http:")), ClientOptions.DEFAULT, ErrorCode.PROTOCOL_MISMATCH, ErrorCode.UNAVAILABLE));
            peer.add("plain-service", () -> fails("TLS", Door.soap(plainUrl.replace("http:", "https:")), trusting, ErrorCode.PROTOCOL_MISMATCH));
            ClientPeer.report(peer.chosen);
        }
    }

    private static void fails(String text, Door door, ClientOptions options, ErrorCode... codes) {
        try {
            new EchoClient(door.open("Echo", options)).add(1, 2);
        } catch (CreoException e) {
            check(List.of(codes).contains(e.code()) && e.getMessage().contains(text), "another error: " + e.getMessage());
            return;
        }
        throw new AssertionError("all went well");
    }

    private void add(String name, ClientPeer.Scenario scenario) {
        chosen.put(name, scenario);
    }

    private void run(String vectors, Runnable own) {
        Map<String, ClientPeer.Scenario> all = new LinkedHashMap<>();
        try (Calls calls = new Calls(door, vectors, options); Troubles troubles = new Troubles(door, options)) {
            calls.addTo(all);
            troubles.addTo(all);
            new Seen(door, options, true).addTo(all);
            SHARED.forEach(name -> add(name, all.get(name)));
            add("gzip", () -> big(door, options.withCompression()));
            add("partner", () -> partner(door, options));
            add("unknown-method", () -> {
                CreoException e = error(ErrorCode.UNKNOWN_METHOD, () -> new EchoClient(door.open("Trouble", options)).add(1, 2));
                check(e.getMessage().contains("add"), e.getMessage());
            });
            add("wrong-path", () -> {
                CreoException e = error(ErrorCode.UNAVAILABLE, () -> new EchoClient(door.open("Nowhere", options)).add(1, 2));
                check(e.getMessage().contains("404"), e.getMessage());
            });
            add("refused", this::refused);
            add("wrong-protocol", this::wrongProtocol);
            own.run();
            ClientPeer.report(chosen);
        }
    }

    static void both(Door door, ClientOptions options) throws Exception {
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

    static void big(Door door, ClientOptions options) {
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

    static void partner(Door door, ClientOptions options) throws Exception {
        Partner partner = new PartnerClient(door.open("Partner", options));
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
        Named session = new Named("first", "b", "c", 5, "en", null);
        equal(new Welcome("welcome n", session, null), partner.welcome("n", session));
        equal(new Welcome("welcome n", null, "new"), partner.welcome("n", null));
        equal(new Stamped(new Price("stamp", BigDecimal.valueOf(7)), -7), partner.stamp(7));
        try {
            partner.stamp(0);
            throw new AssertionError("no exception");
        } catch (Told e) {
            equal("no stamp", e.text());
        }
        equal("s first note 3", partner.deliver("s", session, "note", 3));
        equal("s first - -1", partner.deliver("s", session, null, -1));
        equal(new Collected(session, "note", List.of("x", "y"), -7), partner.collect(7));
        equal(new Collected(session, null, List.of("x", "y"), -1), partner.collect(1));
        try {
            partner.collect(0);
            throw new AssertionError("no exception");
        } catch (Told e) {
            equal("nothing", e.text());
        }
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
        Map<String, String> others = Map.of("{urn:o}a", "1 & \"2\"", "{urn:p}a", "3", "b", "");
        equal(new Open("known", List.of(), others), partner.tag("known", others));
        equal(new Open("known", List.of(), Map.of()), partner.tag("known", Map.of()));
        Names names = Names.of("{urn:o}a", "{urn:creo:conformance:xml}b", List.of("{urn:p}c", "d"), List.of(), List.of("{urn:p}e", "{urn:o}f"), List.of());
        equal(names, partner.names(names));
        wrongNames(names);
        partner.notice("a text");
    }

    /** XML cannot hold a value that is not a name (XML-48). */
    private static void wrongNames(Names names) throws Exception {
        for (String wrong : List.of("", "p:a", "{}a", "{urn:o}", "{urn:o", "{urn:o}p:a", "a b", "1", "{http://www.w3.org/2000/xmlns/}a", "{urn:\u0001}a")) {
            equal("$.one", error(ErrorCode.INVALID_VALUE, () -> NamesText.toXml(names.withOne(wrong))).place());
            equal("$.first", error(ErrorCode.INVALID_VALUE, () -> NamesText.toXml(names.withFirst(wrong))).place());
            equal("$.listed[1]", error(ErrorCode.INVALID_VALUE, () -> NamesText.toXml(names.withListed(List.of("a", wrong)))).place());
        }
    }

    private void refused() throws Exception {
        Troubles.refused(port -> maker.at("http://127.0.0.1:" + port).open("Echo", options));
    }

    private void wrongProtocol() throws Exception {
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
            EchoClient client = new EchoClient(maker.at("http://127.0.0.1:" + server.getLocalPort()).open("Echo", options));
            CreoException e = error(ErrorCode.PROTOCOL_MISMATCH, () -> client.add(1, 2));
            check(e.getMessage().contains("HTTP"), e.getMessage());
        }
    }
}
