package creo.servlet;

import creo.runtime.CallContext;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.Principal;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.example.notes.Full;
import org.example.notes.Notes;
import org.example.notes.NotesEndpoint;

/** A service in a container, with a filter that identifies the caller and binds it to the thread. */
final class Rig implements AutoCloseable {
    /** What the filter has bound to the thread. */
    static final ThreadLocal<String> BOUND = new ThreadLocal<>();

    /** The service of the tests. */
    static final class Service implements Notes {
        final Map<String, String> seen = new ConcurrentHashMap<>();
        final Semaphore began = new Semaphore(0);
        final CountDownLatch go = new CountDownLatch(1);

        @Override
        public String say(String text) throws Full {
            if (text.equals("full")) {
                throw new Full(3);
            }
            if (text.equals("wait")) {
                began.release();
                try {
                    go.await();
                } catch (InterruptedException e) {
                    seen.put("interrupted", "yes");
                    throw new IllegalStateException(e);
                }
            }
            CallContext context = CallContext.current();
            return text + " " + (context.principal() == null ? "nobody" : context.principal().getName()) + " " + BOUND.get() + " " + context.metadata().get("color");
        }

        @Override
        public byte[] echo(byte[] bytes) {
            return bytes;
        }

        @Override
        public int sleep(int milliseconds) {
            try {
                Thread.sleep(milliseconds);
                return milliseconds;
            } catch (InterruptedException e) {
                seen.put("interrupted", "yes");
                return -1;
            }
        }

        @Override
        public void note(String text) {
            try {
                go.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            seen.put("note", text + " " + BOUND.get());
            began.release();
        }
    }

    final Service service = new Service();
    final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    final CreoServlet servlet;
    final Container container;

    Rig(Container.Kind kind) throws Exception {
        this(kind, CreoServlet.builder(), "/creo/*");
    }

    Rig(Container.Kind kind, CreoServlet.Builder builder, String mapping) throws Exception {
        Filter filter = (request, response, chain) -> {
            String user = ((HttpServletRequest) request).getHeader("X-User");
            BOUND.set(user);
            try {
                chain.doFilter(user == null ? request : new HttpServletRequestWrapper((HttpServletRequest) request) {
                    @Override
                    public Principal getUserPrincipal() {
                        return () -> user;
                    }
                }, response);
            } finally {
                BOUND.remove();
            }
        };
        servlet = builder.add(NotesEndpoint.of(service)).health("/health").build();
        container = kind.start(servlet, mapping, filter);
    }

    String url(String path) {
        return "http://127.0.0.1:" + container.port() + "/app" + path;
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(url(path)));
    }

    HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    HttpRequest.Builder json(String method, String body) {
        return request("/creo/Notes/" + method).header("Content-Type", "application/json").POST(HttpRequest.BodyPublishers.ofString(body));
    }

    @Override
    public void close() throws IOException {
        service.go.countDown();
        container.close();
    }
}
