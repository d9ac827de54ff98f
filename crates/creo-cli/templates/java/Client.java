package @JAVA@.app;

import @JAVA@.NotFound;
import @JAVA@.Series;
import @JAVA@.SeriesStoreClient;
import java.util.Arrays;

/** Calls every method of the service: {@code java -cp @NAME@.jar @JAVA@.app.Client HOST PORT}. */
public final class Client {
    private Client() {}

    public static void main(String[] args) throws NotFound {
        String host = args.length > 0 ? args[0] : "127.0.0.1";
        int port = args.length > 1 ? Integer.parseInt(args[1]) : 7400;
        try (SeriesStoreClient store = new SeriesStoreClient(host, port)) {
            store.put(new Series("java", new double[] {1.0, 2.5, 4.0}));
            System.out.println("java: " + Arrays.toString(store.get("java").values()));
            System.out.println("series: " + String.join(", ", store.names()));
            try {
                store.get("nothing");
            } catch (NotFound e) {
                System.out.println("there is no series " + e.name());
            }
        }
    }
}
