package creo.conformance;

import static creo.conformance.Calls.error;
import static creo.conformance.ClientPeer.check;

import conformance.matrix.AnswerAsyncClient;
import conformance.matrix.AnswerClient;
import creo.runtime.ClientOptions;
import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;

/** Runs the scenarios over TLS of {@code conformance/scenarios.md} and prints a line for each. */
final class TlsPeer {
    private TlsPeer() {}

    static void run(String host, int port, String vectors, String certificates, int plainPort) throws Exception {
        ClientOptions trusting = ClientOptions.DEFAULT.withTls(Certificates.client(Path.of(certificates, "service.pem")));
        ClientOptions mistaken = ClientOptions.DEFAULT.withTls(Certificates.client(Path.of(certificates, "other.pem")));
        Map<String, ClientPeer.Scenario> all = new LinkedHashMap<>();
        Map<String, ClientPeer.Scenario> chosen = new LinkedHashMap<>();
        try (Calls calls = new Calls(Door.tcp(Door.Tcp.BINARY, host, port), vectors, trusting); Troubles troubles = new Troubles(Door.Tcp.BINARY, host, port, trusting)) {
            calls.addTo(all);
            troubles.addTo(all);
            new StreamCalls(Door.tcp(Door.Tcp.BINARY, host, port), trusting).addTo(all);
            for (String name : new String[] {"echo", "declared-exception", "big-response", "big-request", "parallel", "deadline", "async", "streams", "streams-talk"}) {
                chosen.put("tls-" + name, all.get(name));
            }
            chosen.put("tls-untrusted", () -> fails(ErrorCode.UNTRUSTED_PEER, "certificate", host, port, mistaken));
            chosen.put("tls-wrong-name", () -> fails(ErrorCode.UNTRUSTED_PEER, "certificate", "127.0.0.1", port, trusting));
            chosen.put("tls-plain-client", () -> fails(ErrorCode.PROTOCOL_MISMATCH, "TLS", host, port, ClientOptions.DEFAULT));
            chosen.put("tls-plain-service", () -> fails(ErrorCode.PROTOCOL_MISMATCH, "TLS", host, plainPort, trusting));
            ClientPeer.report(chosen);
        }
    }

    private static void fails(ErrorCode code, String text, String host, int port, ClientOptions options) throws Exception {
        try (AnswerClient client = new AnswerClient(host, port, options)) {
            said(error(code, client::answer), text);
        }
        try (AnswerAsyncClient client = new AnswerAsyncClient(host, port, options)) {
            client.answer().get();
            throw new AssertionError("no " + code);
        } catch (ExecutionException e) {
            check(e.getCause() instanceof CreoException c && c.code() == code, "the asynchronous client: " + e.getCause());
            said((CreoException) e.getCause(), text);
        }
    }

    private static void said(CreoException e, String text) {
        check(e.getMessage().contains(text), e.getMessage());
    }
}
