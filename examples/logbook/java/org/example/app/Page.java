package org.example.app;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Serves the page that shows the logbook, from the files of a folder. The page calls the service by JSON. */
final class Page implements AutoCloseable {
    private static final Map<String, String> FILES = Map.of("/", "text/html", "/page.js", "text/javascript", "/page.css", "text/css");

    private final HttpServer server;
    private final Path folder;
    private final ExecutorService threads = Executors.newFixedThreadPool(4);

    /** Binds its port; it answers from {@link #start} on. */
    Page(String host, int port, Path folder) throws IOException {
        this.folder = folder;
        server = HttpServer.create(new InetSocketAddress(host, port), 0);
        server.setExecutor(threads);
    }

    int port() {
        return server.getAddress().getPort();
    }

    void start(int servicePort) {
        // Entries are text of strangers. Even if some of it became part of the page, it could run no code and call no other host.
        String policy = "default-src 'none'; img-src data:; script-src 'self'; style-src 'self'; connect-src http://*:" + servicePort + "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
        server.createContext("/", exchange -> {
            try (exchange) {
                exchange.getResponseHeaders().set("Content-Security-Policy", policy);
                exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
                exchange.getResponseHeaders().set("Cache-Control", "no-cache");
                answer(exchange, servicePort);
            }
        });
        server.start();
    }

    private void answer(HttpExchange exchange, int servicePort) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String type = FILES.get(path);
        if (type == null || !exchange.getRequestMethod().equals("GET")) {
            exchange.sendResponseHeaders(type == null ? 404 : 405, -1);
            return;
        }
        String text = Files.readString(folder.resolve(path.equals("/") ? "index.html" : path.substring(1))).replace("{{servicePort}}", String.valueOf(servicePort));
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type + "; charset=utf-8");
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdown();
    }
}
