import creo.bench.echo.EchoJson;
import creo.bench.echo.Running;
import io.helidon.http.HeaderValues;
import io.helidon.webserver.WebServer;

/** The service on Helidon's web server, on virtual threads. */
public final class HelidonService {
    private HelidonService() {}

    public static void main(String[] args) throws Exception {
        WebServer server = WebServer.builder()
            .host("127.0.0.1")
            .port(0)
            .connectionOptions(options -> options.tcpNoDelay(true))
            .routing(routing -> routing.post("/Echo/echo", (request, response) -> {
                byte[] answer = EchoJson.answer(request.content().as(byte[].class));
                response.header(HeaderValues.CONTENT_TYPE_JSON);
                response.send(answer);
            }))
            .build()
            .start();
        Running.untilInputEnds("http://127.0.0.1:" + server.port() + "/Echo");
        server.stop();
        System.exit(0);
    }
}
