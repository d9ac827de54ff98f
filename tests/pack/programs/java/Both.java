package both;

import org.example.lab.LabClient;
import org.example.lab.NotFound;
import org.example.lab.Sample;
import org.example.lab.common.Point;
import org.example.stock.Item;
import org.example.stock.StockClient;
import org.example.twin.Lab2Client;

/** Uses three packages: Both PORT TWIN-PORT. */
public final class Both {
    private Both() {}

    public static void main(String[] args) throws NotFound {
        int port = Integer.parseInt(args[0]);
        try (LabClient lab = new LabClient("127.0.0.1", port);
                StockClient stock = new StockClient("127.0.0.1", port);
                Lab2Client twin = new Lab2Client("127.0.0.1", Integer.parseInt(args[1]))) {
            lab.put("java", new Sample(new Point(1, 2), 3.5, "creo_java"));
            Sample sample = lab.get("java");
            System.out.println(sample.at().x() + " " + sample.at().y() + " " + sample.value() + " " + sample.note());
            Item item = stock.find("bolt", new org.example.stock.common.Point(4, 5));
            System.out.println(item.name() + " " + item.at().x() + " " + item.at().y() + " " + item.count());
            System.out.println(twin.twice(new org.example.twin.Sample(new long[] {21})).values()[0]);
            try {
                lab.get("nothing");
            } catch (NotFound e) {
                System.out.println("no " + e.name());
            }
        }
    }
}
