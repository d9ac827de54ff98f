import creo.runtime.Limits;
import creo.runtime.Server;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.StringJoiner;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.example.attack.Control;
import org.example.attack.ControlEndpoint;
import org.example.attack.VictimEndpoint;

/**
 * The attacked service. Its arguments are limits, such as {@code frameTimeout=2000}, {@code split=true} for separate ports for TCP and HTTP, and
 * {@code keystore=FILE} for additional TLS ports. It writes its ports, and ends with its standard input, or by a signal.
 */
public final class AttackedService {
    private AttackedService() {}

    public static void main(String[] args) throws Exception {
        // A busy machine may need long for a TLS handshake: attacks on the time itself set their own.
        Limits limits = Limits.DEFAULT.withPreambleTimeout(Duration.ofMinutes(1));
        SSLContext tls = null;
        boolean split = false;
        for (String argument : args) {
            int equals = argument.indexOf('=');
            String name = argument.substring(0, equals);
            String value = argument.substring(equals + 1);
            if (name.equals("keystore")) {
                tls = tls(Path.of(value));
            } else if (name.equals("split")) {
                split = Boolean.parseBoolean(value);
            } else {
                limits = AttackedLimits.with(limits, name, Long.parseLong(value));
            }
        }
        Gates gates = new Gates();
        Server plain = server(limits, gates, null, split);
        Server secure = tls == null ? null : server(limits, gates, tls, split);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            // These calls end when the service has begun to stop.
            Thread opener = new Thread(() -> gates.open("until-stopped"));
            Thread closer = new Thread(plain::close);
            closer.start();
            opener.start();
            if (secure != null) {
                secure.close();
            }
            join(closer);
        }));
        StringJoiner ports = new StringJoiner(", ", "{", "}");
        ports.add("\"tcp\": " + plain.port()).add("\"http\": " + plain.httpPort());
        if (secure != null) {
            ports.add("\"tls\": " + secure.port()).add("\"https\": " + secure.httpPort());
        }
        System.out.println(ports);
        System.out.flush();
        while (System.in.read() >= 0) {
            // Nothing is said to a service that runs.
        }
        System.exit(0);
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Server server(Limits limits, Gates gates, SSLContext tls, boolean split) {
        Server.Builder builder = Server.builder();
        if (split) {
            builder.tcp("127.0.0.1", 0).http("127.0.0.1", 0);
        } else {
            builder.bind("127.0.0.1", 0);
        }
        builder.limits(limits).add(VictimEndpoint.of(new AttackedVictim(gates))).add(ControlEndpoint.of(new GatesControl(gates)));
        return tls == null ? builder.start() : builder.tls(tls).start();
    }

    private static SSLContext tls(Path file) throws Exception {
        char[] password = "attack".toCharArray();
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, password);
        }
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, password);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
    }

    private record GatesControl(Gates gates) implements Control {
        @Override
        public long usedHeap() {
            System.gc();
            return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        }

        @Override
        public int heard(String mark) {
            return gates.heard(mark);
        }

        @Override
        public int held(String gate) {
            return gates.held(gate);
        }

        @Override
        public void open(String gate) {
            gates.open(gate);
        }
    }
}
