package @JAVA@.app;

import @JAVA@.SeriesStoreEndpoint;
import creo.runtime.Server;

/** Serves a {@link MemoryStore}: {@code java -jar @NAME@.jar [PORT]}. */
public final class Main {
    private Main() {}

    public static void main(String[] args) throws InterruptedException {
        int port = args.length > 0 ? Integer.parseInt(args[0]) : 7400;
        Server server = Server.builder().bind("127.0.0.1", port).add(SeriesStoreEndpoint.of(new MemoryStore())).start();
        // Calls under way are answered before the program ends.
        Runtime.getRuntime().addShutdownHook(new Thread(server::close));
        System.out.println("serving on port " + server.port());
        server.join();
    }
}
