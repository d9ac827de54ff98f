package creo.conformance;

import static creo.conformance.Calls.error;
import static creo.conformance.ClientPeer.check;
import static creo.conformance.ClientPeer.equal;

import conformance.matrix.EchoAsyncClient;
import conformance.matrix.EchoClient;
import conformance.xml.PartnerClient;
import conformance.xml.PartnerEndpoint;
import creo.jms.broker.EmbeddedBroker;
import creo.jms.JmsBroker;
import creo.jms.JmsChannel;
import creo.jms.JmsHost;
import creo.runtime.CallOptions;
import creo.runtime.ClientOptions;
import creo.runtime.CreoException;
import creo.runtime.Endpoint;
import creo.runtime.ErrorCode;
import creo.runtime.TableOptions;
import creo.runtime.Wire;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The scenarios over JMS of {@code conformance/scenarios.md}: {@code client-jms WIRE HOST PORT VECTORS}, and the service for them: {@code service-jms}. */
public final class JmsPeer {
    private static final String MATRIX = "jms:queue:creo.matrix";
    private static final List<String> SHARED = List.of("echo", "several", "add", "maybe", "declared-exception", "hidden-failure", "own-error", "after-errors",
        "second-service", "metadata", "answer-metadata", "interceptors", "invalid-value", "big-response", "big-request", "async", "deadline", "cancel", "too-large", "parallel");

    private final JmsBroker broker;
    private final String host;
    private final int port;
    private final Wire wire;
    private final ClientOptions options = ClientOptions.DEFAULT;
    private final Map<String, ClientPeer.Scenario> chosen = new LinkedHashMap<>();

    private JmsPeer(String wire, String host, int port) {
        this.broker = JmsBroker.at(host, port);
        this.host = host;
        this.port = port;
        this.wire = Wire.valueOf(wire.toUpperCase(Locale.ROOT));
    }

    public static void main(String[] arguments) throws IOException {
        switch (arguments.length == 0 ? "" : arguments[0]) {
            case "service-jms" -> serve();
            case "client-jms" -> new JmsPeer(arguments[1], arguments[2], Integer.parseInt(arguments[3])).run(arguments[4]);
            default -> {
                System.err.println("arguments: service-jms | client-jms WIRE HOST PORT VECTORS");
                System.exit(2);
            }
        }
    }

    private static void serve() throws IOException {
        try (EmbeddedBroker broker = EmbeddedBroker.builder().start()) {
            JmsHost matrix = host(broker, MATRIX, ServicePeer.matrix());
            JmsHost partner = host(broker, "jms:queue:creo.partner", List.of(PartnerEndpoint.of(new PartnerService())));
            System.out.println("{\"broker\": " + broker.port() + "}");
            System.out.flush();
            while (System.in.read() >= 0) {
                // Nothing is said to a service that runs.
            }
            matrix.close();
            partner.close();
        }
    }

    private static JmsHost host(EmbeddedBroker broker, String address, List<Endpoint> endpoints) {
        JmsHost.Builder builder = JmsHost.builder().broker(JmsBroker.at(broker.host(), broker.port())).address(address).sessions(8).interceptor(ServicePeer::answer);
        endpoints.forEach(builder::add);
        return builder.start();
    }

    private JmsChannel open(String address, ClientOptions options) {
        return JmsChannel.of(broker, address, wire, options);
    }

    /** Every interface at one queue, but for that which has its own. */
    private Door door() {
        return (service, options) -> open(service.equals("Partner") ? "jms:queue:creo.partner" : MATRIX, options);
    }

    private void run(String vectors) {
        Map<String, ClientPeer.Scenario> all = new LinkedHashMap<>();
        Door door = door();
        try (Calls calls = new Calls(door, vectors, options); Troubles troubles = new Troubles(door, options)) {
            calls.addTo(all);
            troubles.addTo(all);
            new Seen(door, options, false).addTo(all);
            SHARED.forEach(name -> chosen.put(name, all.get(name)));
            chosen.put("oneway", calls::onewayInAnyOrder);
            chosen.put("gzip", () -> HttpPeer.big(door, options.withCompression()));
            chosen.put("partner", () -> HttpPeer.partner(door, options));
            chosen.put("unknown-method", this::unknownMethod);
            chosen.put("target-service", this::targetService);
            chosen.put("address", this::address);
            chosen.put("shared-reply", this::sharedReply);
            chosen.put("no-consumer", this::noConsumer);
            chosen.put("reconnect", () -> Troubles.reconnect(host, port, this::at));
            chosen.put("second-broker", this::secondBroker);
            chosen.put("refused", () -> Troubles.refused(this::at));
            chosen.put("wrong-protocol", this::wrongProtocol);
            switch (wire) {
                case SOAP -> {
                    chosen.put("soap-12", () -> HttpPeer.both(door, options.withSoap12()));
                    chosen.put("mtom", () -> HttpPeer.big(door, options.withMtom()));
                    chosen.put("mtom-12", () -> HttpPeer.big(door, options.withMtom().withSoap12().withCompression()));
                    chosen.put("partner-12", () -> HttpPeer.partner(door, options.withSoap12()));
                    chosen.put("tables", () -> {
                        HttpPeer.schemes(door, options.withTables(TableOptions.RECORD));
                        HttpPeer.schemes(door, options.withTables(TableOptions.AGGREGATED));
                    });
                }
                case TDXML -> {
                    HttpPeer.addSchemes(chosen, door, options);
                    chosen.put("packages", () -> HttpPeer.big(door, options.withMtom()));
                }
                case BINARY -> StreamCalls.addResultsTo(chosen, door, options);
            }
            ClientPeer.report(chosen);
        }
    }

    private void unknownMethod() throws Exception {
        try (JmsChannel channel = open(MATRIX, options)) {
            error(ErrorCode.UNKNOWN_METHOD, () -> new PartnerClient(channel).sum(3, 4));
        }
    }

    private void targetService() throws Exception {
        try (JmsChannel right = open(MATRIX + "?targetService=conformance.matrix.Echo", options);
                JmsChannel wrong = open(MATRIX + "?targetService=conformance.matrix.Trouble", options)) {
            equal(3L, new EchoClient(right).add(1, 2));
            error(ErrorCode.UNKNOWN_METHOD, () -> new EchoClient(wrong).add(1, 2));
        }
    }

    private void address() throws Exception {
        try (JmsChannel channel = open(MATRIX + "?deliveryMode=NON_PERSISTENT&priority=9&timeToLive=60000&something=else", options)) {
            equal(3L, new EchoClient(channel).add(1, 2));
        }
        for (String wrong : List.of("jms:jndi:x", "jms:queue:q?priority=10", "jms:queue:q?jndiURL=x")) {
            error(ErrorCode.INVALID_VALUE, () -> open(wrong, options).close());
        }
    }

    private void sharedReply() throws Exception {
        String address = MATRIX + "?replyToName=creo.replies.java." + wire.name().toLowerCase(Locale.ROOT);
        try (JmsChannel first = open(address, options); JmsChannel second = open(address, options)) {
            EchoAsyncClient one = new EchoAsyncClient(first);
            EchoAsyncClient other = new EchoAsyncClient(second);
            List<CompletableFuture<Long>> ones = new ArrayList<>();
            List<CompletableFuture<Long>> others = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                ones.add(one.add(i, 1000));
                others.add(other.add(i, 2000));
            }
            for (int i = 0; i < 10; i++) {
                equal(i + 1000L, ones.get(i).get());
                equal(i + 2000L, others.get(i).get());
            }
        }
    }

    private void noConsumer() throws Exception {
        try (JmsChannel channel = open("jms:queue:creo.nobody", options)) {
            EchoClient echo = new EchoClient(channel);
            error(ErrorCode.DEADLINE_EXCEEDED, () -> echo.with(CallOptions.NONE.withDeadline(Duration.ofMillis(300))).add(1, 2));
        }
    }

    private JmsChannel at(int otherPort) {
        return JmsChannel.of(JmsBroker.at("127.0.0.1", otherPort), MATRIX, wire, options);
    }

    /** The first place is a relay, the second the broker itself: which is called when the relay is gone. */
    private void secondBroker() throws Exception {
        try (Troubles.Relay relay = new Troubles.Relay(host, port);
             JmsChannel channel = JmsChannel.of(JmsBroker.at("127.0.0.1", relay.port()).or(host, port), MATRIX, wire, options)) {
            EchoClient client = new EchoClient(channel);
            equal(3L, client.add(1, 2));
            relay.leave();
            try {
                equal(7L, client.add(3, 4));
            } catch (CreoException e) {
                check(e.code() == ErrorCode.UNAVAILABLE, "expected unavailable, got " + e.getMessage());
            }
            equal(11L, client.add(5, 6));
        }
    }

    private void wrongProtocol() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread answer = new Thread(() -> {
                while (!server.isClosed()) {
                    try (Socket socket = server.accept()) {
                        if (socket.getInputStream().read() >= 0) {
                            socket.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                            socket.getOutputStream().flush();
                        }
                    } catch (IOException e) {
                        // The client has gone, or the scenario is over.
                    }
                }
            });
            answer.start();
            String where = "127.0.0.1:" + server.getLocalPort();
            try (JmsChannel channel = at(server.getLocalPort())) {
                new EchoClient(channel).add(1, 2);
                throw new AssertionError("all went well");
            } catch (CreoException e) {
                check(List.of(ErrorCode.PROTOCOL_MISMATCH, ErrorCode.UNAVAILABLE).contains(e.code()) && e.getMessage().contains(where), "another error: " + e.getMessage());
            }
        }
    }
}
