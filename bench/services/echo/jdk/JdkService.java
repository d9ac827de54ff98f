import com.sun.net.httpserver.HttpServer;
import creo.bench.echo.EchoJson;
import creo.bench.echo.Running;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;

/** The service on the HTTP server of the JDK, on the thread that reads, which is its default, or on a pool of as many threads as the argument says. */
public final class JdkService {
    private JdkService() {}

    public static void main(String[] args) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 1024);
        server.createContext("/Echo/echo", exchange -> {
            byte[] answer;
            try (InputStream in = exchange.getRequestBody()) {
                answer = EchoJson.answer(in.readAllBytes());
            }
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, answer.length);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(answer);
            }
        });
        if (args.length > 0) {
            server.setExecutor(Executors.newFixedThreadPool(Integer.parseInt(args[0])));
        }
        server.start();
        Running.untilInputEnds("http://127.0.0.1:" + server.getAddress().getPort() + "/Echo");
        System.exit(0);
    }
}
