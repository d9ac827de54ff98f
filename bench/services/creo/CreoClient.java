import bench.messages.Complex;
import bench.messages.Customer;
import bench.messages.Medium;
import bench.messages.MessagesClient;
import bench.messages.Product;
import bench.messages.Short;
import bench.messages.Simple;
import bench.messages.SimpleJpeg;
import creo.bench.messages.Plain;
import creo.runtime.Channel;
import creo.runtime.ClientOptions;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Creo's client. It is told by its input what to call and how long: {@code MESSAGE CONNECTIONS SECONDS} a line; it answers {@code CALLS SECONDS}. */
public final class CreoClient {
    private CreoClient() {}

    public static void main(String[] args) throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            return thread;
        });
        try (MessagesClient client = new MessagesClient(Channel.soap(args[0], ClientOptions.DEFAULT))) {
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
            System.out.println("ready");
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String[] words = line.split(" ");
                Callable<Object> call = call(client, words[0]);
                long start = System.nanoTime();
                long end = start + (long) (Double.parseDouble(words[2]) * 1e9);
                List<Future<Long>> all = new ArrayList<>();
                for (int i = 0; i < Integer.parseInt(words[1]); i++) {
                    all.add(threads.submit(() -> {
                        long calls = 0;
                        for (; System.nanoTime() < end; calls++) {
                            call.call();
                        }
                        return calls;
                    }));
                }
                long calls = 0;
                for (Future<Long> each : all) {
                    calls += each.get();
                }
                System.out.println(calls + " " + (System.nanoTime() - start) / 1e9);
            }
        }
    }

    /** A call of the message, checked once. */
    private static Callable<Object> call(MessagesClient client, String name) throws Exception {
        Object plain = Plain.message(name);
        if (plain instanceof Plain.Short p) {
            Short m = new Short(p.identification, p.text);
            return checked(() -> client.echoShort(m), new Short("RESPONSE", m.text()));
        }
        if (plain instanceof Plain.Simple p) {
            Simple m = new Simple(p.identification, customer(p.customer));
            return checked(() -> client.echoSimple(m), new Simple("RESPONSE", m.customer()));
        }
        if (plain instanceof Plain.Medium p) {
            Medium m = new Medium(p.identification, p.customers.stream().map(CreoClient::customer).toList());
            return checked(() -> client.echoMedium(m), new Medium("RESPONSE", m.customers()));
        }
        if (plain instanceof Plain.Complex p) {
            Complex m = new Complex(p.identification, customer(p.customer), p.products.stream().map(CreoClient::product).toList());
            return checked(() -> client.echoComplex(m), new Complex("RESPONSE", m.customer(), m.products()));
        }
        Plain.SimpleJpeg p = (Plain.SimpleJpeg) plain;
        SimpleJpeg m = new SimpleJpeg(p.identification, customer(p.customer), p.picture);
        return checked(() -> client.echoSimpleJpeg(m), new SimpleJpeg("RESPONSE", m.customer(), m.picture()));
    }

    private static Callable<Object> checked(Callable<Object> call, Object expected) throws Exception {
        Object answer = call.call();
        if (!answer.equals(expected)) {
            throw new AssertionError("got " + answer + ", expected " + expected);
        }
        return call;
    }

    private static Customer customer(Plain.Customer c) {
        return new Customer(c.number, c.title, c.firstName, c.lastName, c.street, c.city, c.postcode, c.country, c.telephone, c.email, c.active, c.newsletter,
            c.opened, c.lastOrder);
    }

    private static Product product(Plain.Product p) {
        return new Product(p.code, p.name, p.description, p.quantity, p.price, p.total, p.inStock, p.delivery);
    }
}
