package creo.servlet;

import creo.runtime.Authenticator;
import creo.runtime.Endpoint;
import creo.runtime.Limits;
import creo.runtime.ServerInterceptor;
import creo.runtime.spi.HostedHttp;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/**
 * Serves interfaces over HTTP in a servlet container: SOAP, JSON and tables, {@code ?wsdl} and {@code ?openapi}.
 *
 * <pre>{@code
 * CreoServlet servlet = CreoServlet.builder().add(DataServiceEndpoint.of(new MyDataService())).build();
 * servletContext.addServlet("creo", servlet).addMapping("/creo/*");
 * }</pre>
 *
 * <p>Then {@code DataService} is at {@code /creo/DataService}, beneath the path of the application. A method runs on the container's request thread
 * and thus finds what filters have bound to it: the security context, a transaction, a trace. The request's principal becomes that of the call. If
 * the service runs its max number of calls, a request waits on its thread.
 */
public final class CreoServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final byte[] UP = "{\"status\":\"UP\"}".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] DOWN = "{\"status\":\"DOWN\"}".getBytes(StandardCharsets.US_ASCII);

    private final transient HostedHttp http;
    private final String health;

    private CreoServlet(Builder builder) {
        http = builder.http.start();
        health = builder.health;
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Whether it accepts calls, since the container has not ended the servlet. */
    public boolean isServing() {
        return http.isServing();
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        ServletExchange exchange = new ServletExchange(request, response);
        if (exchange.path().equals(health) && (exchange.method().equals("GET") || exchange.method().equals("HEAD"))) {
            byte[] body = isServing() ? UP : DOWN;
            int sent = exchange.method().equals("HEAD") ? 0 : body.length;
            exchange.answer(new HostedHttp.Answer(isServing() ? 200 : 503, "application/json", List.of(), body, body.length, sent));
            return;
        }
        http.serve(exchange);
    }

    /** Drains: refuses further calls, and returns when those in progress are answered, at the latest after the drain time. */
    @Override
    public void destroy() {
        http.close();
    }

    /** Configures a servlet. */
    public static final class Builder {
        private final HostedHttp.Builder http = HostedHttp.builder();
        private String health;

        private Builder() {}

        /** Adds an interface; its path is its name beneath that of the servlet, such as {@code /DataService}. */
        public Builder add(Endpoint endpoint) {
            http.add(endpoint);
            return this;
        }

        /** Adds an interface with the given path beneath that of the servlet. */
        public Builder add(Endpoint endpoint, String path) {
            http.add(endpoint, path);
            return this;
        }

        public Builder limits(Limits limits) {
            http.limits(limits);
            return this;
        }

        /** Sets the authenticator, which replaces the request's principal. */
        public Builder authenticator(Authenticator authenticator) {
            http.authenticator(authenticator);
            return this;
        }

        /** Adds an interceptor: it sees the beginning of a call after those added before, and the end before them. */
        public Builder interceptor(ServerInterceptor interceptor) {
            http.interceptor(interceptor);
            return this;
        }

        /**
         * Allows web pages to call (CORS), unless a filter of the application handles that.
         *
         * @param origins of the pages, such as {@code https://example.org}; {@code *} is any
         */
        public Builder cors(String... origins) {
            http.cors(origins);
            return this;
        }

        /** A path beneath that of the servlet where GET answers 200 and {@code {"status":"UP"}} while calls are accepted, and then 503. */
        public Builder health(String path) {
            health = Objects.requireNonNull(path, "path");
            return this;
        }

        /**
         * Makes the servlet, to be added to one container only.
         *
         * @throws IllegalStateException if the code of an interface was generated without a text wire
         * @throws IllegalArgumentException if two requests at one path cannot be distinguished
         */
        public CreoServlet build() {
            return new CreoServlet(this);
        }
    }
}
