package org.example.app;

import creo.runtime.Limits;
import creo.runtime.Server;
import java.nio.file.Path;
import org.example.logbook.LogbookEndpoint;

/**
 * Serves the logbook and its page until its input ends: {@code Service DATABASE WEB [PORT [PAGE_PORT [HOST]]]}.
 *
 * <p>The database is an URL of JDBC, such as {@code jdbc:sqlite:logbook.db} or {@code jdbc:postgresql://localhost/logbook?user=ann}. With {@code -}, it is in the environment, as
 * {@code LOGBOOK_DATABASE}: there, other users of the machine cannot see its password. Port 0 is any free port.
 */
public final class Service {
    /** Programs and pages wait in calls. */
    private static final int MAX_CALLS = 512;

    public static void main(String[] args) throws Exception {
        String database = args[0].equals("-") ? System.getenv("LOGBOOK_DATABASE") : args[0];
        int port = args.length > 2 ? Integer.parseInt(args[2]) : 7500;
        int pagePort = args.length > 3 ? Integer.parseInt(args[3]) : 7501;
        String host = args.length > 4 ? args[4] : "127.0.0.1";
        try (Store store = new Store(database); Page page = new Page(host, pagePort, Path.of(args[1]))) {
            try (Server server = Server.builder()
                .bind(host, port)
                .limits(Limits.DEFAULT.withMaxConcurrency(MAX_CALLS))
                .cors("http://" + host + ":" + page.port(), "http://localhost:" + page.port())
                .add(LogbookEndpoint.of(new LogbookService(store)))
                .start()) {
                page.start(server.port());
                System.out.println("serving on " + host + ":" + server.port() + ", the page is http://" + host + ":" + page.port() + "/");
                while (System.in.read() >= 0) {
                    // Only the end of the input counts.
                }
            }
        }
    }
}
