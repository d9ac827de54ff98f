import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import creo.runtime.Server;
import example.moments.MomentsEndpoint;
import example.moments.beyond;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;

/**
 * A service whose WSDL has a binding of SOAP 1.2 alone, by code from our own import of that. A service answers both versions; what stands before this one
 * takes 1.2 alone, as a partner's would, and hands on what it takes.
 */
public final class MomentsService {
    private static final int LIMIT = 3_600;

    private MomentsService() {}

    public static void main(String[] args) throws Exception {
        Server server = Server.builder().bind("127.0.0.1", 0).add(MomentsEndpoint.of((at, seconds) -> {
            if (seconds > LIMIT) {
                throw new beyond(LIMIT);
            }
            return at.plusSeconds(seconds);
        })).start();
        HttpClient client = HttpClient.newHttpClient();
        HttpServer front = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        front.createContext("/", exchange -> handOn(exchange, client, server.port()));
        front.start();
        System.out.println("{\"address\": \"http://127.0.0.1:" + front.getAddress().getPort() + "/Moments\"}");
        System.in.read();
        front.stop(0);
        server.close();
    }

    private static void handOn(HttpExchange exchange, HttpClient client, int port) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        String type = exchange.getRequestHeaders().getFirst("Content-Type");
        boolean is12 = isOf12(type) && type.contains("action=\"urn:example:moments/shift\"") && !exchange.getRequestHeaders().containsKey("SOAPAction");
        if (!is12) {
            answer(exchange, 415, "text/plain", ("not SOAP 1.2: " + type).getBytes(StandardCharsets.UTF_8));
            return;
        }
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + exchange.getRequestURI())).header("Content-Type", type)
            .POST(HttpRequest.BodyPublishers.ofByteArray(body)).build();
        try {
            HttpResponse<byte[]> response = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
            String answered = response.headers().firstValue("Content-Type").orElse("");
            answer(exchange, isOf12(answered) ? response.statusCode() : 502, answered, response.body());
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private static boolean isOf12(String type) {
        return type != null && type.startsWith("application/soap+xml");
    }

    private static void answer(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }
}
