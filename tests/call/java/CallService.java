import call.lab.Everything;
import call.lab.LabEndpoint;
import call.lab.Lab;
import call.lab.Missing;
import call.lab.Wrong;
import call.partner.Order;
import call.partner.Orders;
import call.partner.OrdersEndpoint;
import call.partner.Price;
import call.partner.Refused;
import creo.runtime.CallContext;
import creo.runtime.Server;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.DoubleStream;

/** Serves what `creo call` calls; prints its port, and ends with its standard input. */
final class CallService {
    static final class TheLab implements Lab {
        private final List<String> touched = new CopyOnWriteArrayList<>();

        @Override
        public Everything echo(Everything value) {
            return value;
        }

        @Override
        public int length(String text) throws Wrong, Missing {
            if (text.isEmpty()) {
                throw new Missing("a text");
            }
            if (text.equals("wrong")) {
                throw new Wrong("it is \u202ewrong", new int[] {1, 2});
            }
            if (text.equals("broken")) {
                throw new IllegalStateException("secret");
            }
            return text.length();
        }

        @Override
        public String find(String text) {
            return text;
        }

        @Override
        public void nothing() {}

        @Override
        public void touch(String text) {
            touched.add(text);
        }

        @Override
        public List<String> touched() {
            return touched;
        }

        @Override
        public String metadata(String key) {
            return String.valueOf(CallContext.current().metadata().get(key));
        }

        @Override
        public void slow(int milliseconds) {
            try {
                Thread.sleep(milliseconds);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public double[] series(int count) {
            return DoubleStream.iterate(0, x -> x + 0.5).limit(count).toArray();
        }
    }

    static final class TheOrders implements Orders {
        @Override
        public Order place(String token, Order order) throws Refused {
            if (order.id() < 0) {
                throw new Refused("token " + token);
            }
            return order;
        }

        @Override
        public Price convert(Price price) {
            return price;
        }
    }

    public static void main(String[] args) throws Exception {
        Server.Builder builder = Server.builder().bind("127.0.0.1", 0).add(LabEndpoint.of(new TheLab())).add(OrdersEndpoint.of(new TheOrders()));
        if (args.length > 0) {
            builder.reflection();
        }
        try (Server server = builder.start()) {
            System.out.println(server.port());
            System.out.flush();
            while (System.in.read() >= 0) {
                // Its end is the end of the service.
            }
        }
    }
}
