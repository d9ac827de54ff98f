package creo.bench.response;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.Map;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;

/**
 * REST: Jackson over HTTP/1.1, Jetty's server (its core, without servlets) and the JDK's client. Numbers and strings are JSON; coarse data is the
 * body itself, as in the paper. Readers and writers are kept.
 */
public final class RestPeer implements Peer {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final ObjectReader BLOCKS = MAPPER.readerFor(Plain.Block[].class);
    private static final ObjectReader STRINGS = MAPPER.readerFor(String[].class);

    private HttpClient shared;

    private static final class Service extends Handler.Abstract {
        @Override
        public boolean handle(Request request, Response response, Callback callback) throws IOException {
            int items;
            try (InputStream in = Content.Source.asInputStream(request)) {
                items = switch (Request.getPathInContext(request)) {
                    case "/numbers" -> Plain.received(Kind.NUMBERS, BLOCKS.readValue(in));
                    case "/strings" -> Plain.received(Kind.STRINGS, STRINGS.readValue(in));
                    default -> Received.bytes(whole(in, (int) request.getLength()));
                };
            }
            response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
            response.write(true, ByteBuffer.wrap(MAPPER.writeValueAsBytes(items)), callback);
            return true;
        }

        private static byte[] whole(InputStream in, int length) throws IOException {
            byte[] data = new byte[length];
            if (in.readNBytes(data, 0, length) < length) {
                throw new IOException("the body ends early");
            }
            return data;
        }
    }

    @Override
    public String serve() throws Exception {
        Server server = new Server();
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        server.setHandler(new Service());
        server.start();
        return Integer.toString(connector.getLocalPort());
    }

    @Override
    public Client connect(String address) {
        if (shared == null) {
            shared = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        }
        return new Sender(shared, Map.of(
            Kind.NUMBERS, request(address, "numbers", "application/json"),
            Kind.STRINGS, request(address, "strings", "application/json"),
            Kind.BYTES, request(address, "bytes", "application/octet-stream")));
    }

    private static HttpRequest.Builder request(String address, String path, String type) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + address + "/" + path)).header("Content-Type", type);
    }

    private record Sender(HttpClient http, Map<Kind, HttpRequest.Builder> requests) implements Client {
        @Override
        public Object prepare(Kind kind, int count) {
            return Plain.arrays(kind, count);
        }

        @Override
        public int call(Kind kind, Object request) throws IOException, InterruptedException {
            byte[] body = kind == Kind.BYTES ? (byte[]) request : MAPPER.writeValueAsBytes(request);
            HttpRequest post = requests.get(kind).copy().POST(HttpRequest.BodyPublishers.ofByteArray(body)).build();
            HttpResponse<byte[]> response = http.send(post, HttpResponse.BodyHandlers.ofByteArray());
            if (response.statusCode() != 200) {
                throw new IOException("status " + response.statusCode());
            }
            return MAPPER.readValue(response.body(), int.class);
        }
    }
}
