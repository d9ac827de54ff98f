import call.lab.Everything;
import call.lab.LabEndpoint;
import call.lab.Lab;
import call.lab.Live;
import call.lab.LiveEndpoint;
import call.lab.Missing;
import call.lab.Wrong;
import call.partner.Order;
import call.partner.Orders;
import call.partner.OrdersEndpoint;
import call.partner.Price;
import call.partner.Receipt;
import call.partner.Refused;
import creo.runtime.CallContext;
import creo.runtime.ClientCertificates;
import creo.runtime.ItemSource;
import creo.runtime.Server;
import java.io.File;
import java.io.FileInputStream;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

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

    static final class TheLive implements Live {
        @Override
        public Stream<double[]> samples(int count) throws Missing {
            if (count == 0) {
                throw new Missing("a count");
            }
            int sent = Math.abs(count);
            return ItemSource.stream(new ItemSource<double[]>() {
                private int next;

                @Override
                public boolean next(Consumer<? super double[]> action) throws Missing {
                    if (next == sent && count < 0) {
                        throw new Missing("the rest");
                    }
                    if (next == sent) {
                        return false;
                    }
                    action.accept(new double[] {next, next + 0.5});
                    next++;
                    return true;
                }
            });
        }

        @Override
        public long sum(int first, Stream<Long> numbers) throws Wrong {
            Iterator<Long> each = numbers.iterator();
            long sum = first;
            while (each.hasNext()) {
                long number = each.next();
                if (number < 0) {
                    throw new Wrong("it is negative", new int[0]);
                }
                sum += number;
            }
            return sum;
        }

        @Override
        public Stream<String> talk(Stream<String> words) {
            return words.map(word -> word.toUpperCase(Locale.ROOT));
        }

        @Override
        public Stream<Byte> bytes(Stream<Byte> bytes) {
            return bytes.map(b -> (byte) (b + 1));
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
        public Receipt confirm(long number) {
            return new Receipt(number, number == 0 ? null : "noted", number == 0 ? 3 : null);
        }

        @Override
        public Price convert(Price price) {
            return price;
        }
    }

    /** With the keys and the trusted certificates of a folder. */
    private static SSLContext context(File folder) throws Exception {
        char[] password = "testing".toCharArray();
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(KeyStore.getInstance(new File(folder, "service.p12"), password), password);
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        try (FileInputStream in = new FileInputStream(new File(folder, "ca.pem"))) {
            trusted.setCertificateEntry("ca", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    public static void main(String[] args) throws Exception {
        Server.Builder builder = Server.builder().bind("127.0.0.1", 0).add(LabEndpoint.of(new TheLab())).add(LiveEndpoint.of(new TheLive())).add(OrdersEndpoint.of(new TheOrders()));
        for (String arg : args) {
            if (arg.equals("reflection")) {
                builder.reflection();
            } else if (arg.equals("need")) {
                builder.clientCertificates(ClientCertificates.NEED);
            } else {
                builder.tls(context(new File(arg)));
            }
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
