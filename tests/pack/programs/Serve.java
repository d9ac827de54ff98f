import creo.runtime.Server;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.example.common.Point;
import org.example.lab.Lab;
import org.example.lab.LabEndpoint;
import org.example.lab.NotFound;
import org.example.lab.Sample;
import org.example.stock.Item;
import org.example.stock.StockEndpoint;

/** The services lab and stock on one port, as their developers generated them. It ends with its standard input. */
final class Serve {
    public static void main(String[] args) throws Exception {
        Map<String, Sample> samples = new ConcurrentHashMap<>();
        Lab lab = new Lab() {
            @Override
            public void put(String name, Sample sample) {
                samples.put(name, sample);
            }

            @Override
            public Sample get(String name) throws NotFound {
                Sample sample = samples.get(name);
                if (sample == null) {
                    throw new NotFound(name);
                }
                return sample;
            }
        };
        Server server = Server.builder()
                .bind("127.0.0.1", 0)
                .add(LabEndpoint.of(lab))
                .add(StockEndpoint.of((name, at) -> new Item(name, new Point(at.y(), at.x()), 7)))
                .start();
        System.out.println(server.port());
        while (System.in.read() >= 0) {}
        server.close();
    }
}
