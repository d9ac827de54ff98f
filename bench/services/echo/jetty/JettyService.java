import creo.bench.echo.EchoJson;
import creo.bench.echo.Running;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Promise;

/** The service on the core of Jetty, without servlets. */
public final class JettyService {
    /** Does not block, so Jetty runs it on the thread that reads. */
    private static final class Echo extends Handler.Abstract.NonBlocking {
        private static final int MAX_REQUEST = 1 << 20;

        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            if (!Request.getPathInContext(request).equals("/Echo/echo")) {
                return false;
            }
            Content.Source.asByteArrayAsync(request, MAX_REQUEST, Promise.Invocable.from(InvocationType.NON_BLOCKING, body -> {
                byte[] answer = EchoJson.answer(body);
                response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
                response.write(true, ByteBuffer.wrap(answer), callback);
            }, callback::failed));
            return true;
        }
    }

    private JettyService() {}

    public static void main(String[] args) throws Exception {
        HttpConfiguration configuration = new HttpConfiguration();
        configuration.setSendServerVersion(false);
        Server server = new Server();
        // A selector for each processor is faster here than its default of half as many.
        ServerConnector connector = new ServerConnector(server, -1, Runtime.getRuntime().availableProcessors(), new HttpConnectionFactory(configuration));
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        server.setHandler(new Echo());
        server.start();
        Running.untilInputEnds("http://127.0.0.1:" + connector.getLocalPort() + "/Echo");
        server.stop();
    }
}
