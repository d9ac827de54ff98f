package bench.orders.programs;

import bench.orders.ShopEndpoint;
import bench.workloads.Item;
import bench.workloads.Order;
import creo.runtime.Server;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Creo's service of the benchmark of orders, which makes a new order for each call: prints its port, and ends with its input. */
public final class Shop {
    static final int ITEMS = 5;
    static final String CUSTOMER = "Jürgen Müller";

    private Shop() {}

    public static void main(String[] args) throws Exception {
        Server creo = Server.builder().tcp("127.0.0.1", 0).add(ShopEndpoint.of(Shop::order)).start();
        untilInputEnds(creo.port());
    }

    private static Order order(long id) {
        List<Item> items = new ArrayList<>();
        for (int i = 0; i < ITEMS; i++) {
            items.add(new Item(sku(id, i), i + 1, price(id, i), note(i)));
        }
        return new Order(id, CUSTOMER, placed(id), items, Map.of("channel", "téléphone", "campaign", campaign(id)));
    }

    static String sku(long id, int item) {
        return "SKU-" + (id * 7919 + item) % 1_000_000;
    }

    static double price(long id, int item) {
        return (id % 1000 * 1237 + item) / 100.0;
    }

    static String note(int item) {
        return item % 3 == 0 ? "gift wrapping, s'il vous plaît" : null;
    }

    static Instant placed(long id) {
        return Instant.ofEpochSecond(1_760_000_000L).plusMillis(id * 37);
    }

    static String campaign(long id) {
        return "autumn-" + id % 5;
    }

    static void untilInputEnds(int port) throws Exception {
        System.out.println(port);
        while (System.in.read() >= 0) {
            // Only its end matters.
        }
        System.exit(0);
    }
}
