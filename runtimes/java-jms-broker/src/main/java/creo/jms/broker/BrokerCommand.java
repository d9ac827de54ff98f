package creo.jms.broker;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** The command line of {@link EmbeddedBroker}. */
final class BrokerCommand {
    private static final String USAGE = """
        creo.jms.broker.EmbeddedBroker: a message broker for services and clients over JMS and AMQP 1.0.

          --host HOST          the address to bind to; 127.0.0.1 where nothing is said
          --port PORT          the port, 0 for a free one; 5672 where nothing is said
          --data FOLDER        where persistent messages outlive the broker; without it nothing does
          --backup             stands by for the broker that has the same folder, and serves when that is gone
          --user NAME          who may send and consume; the password is in the environment as CREO_BROKER_PASSWORD.
                               Without a user the broker is open, and binds to the loopback address alone
          --keys FILE          speaks TLS with the keys of a PKCS #12 file, whose password is in CREO_BROKER_KEYS_PASSWORD
          --memory MIB         how much of messages may be in memory
          --deliveries N       how often a message is delivered before it goes to the queue DLQ; 5 where nothing is said
          --join HOST:PORT     joins another broker; may be said several times
          --until-input-ends   ends when its standard input does

        Its first line says where it listens: {"host": "127.0.0.1", "port": 5672}
        """;

    private BrokerCommand() {}

    static void run(String[] arguments) throws InterruptedException {
        EmbeddedBroker.Builder builder = EmbeddedBroker.builder();
        boolean untilInputEnds = false;
        try {
            String host = "127.0.0.1";
            int port = 5672;
            for (int i = 0; i < arguments.length; i++) {
                switch (arguments[i]) {
                    case "--help" -> {
                        System.out.print(USAGE);
                        return;
                    }
                    case "--until-input-ends" -> untilInputEnds = true;
                    case "--host" -> host = value(arguments, ++i);
                    case "--port" -> port = number(arguments, ++i);
                    case "--data" -> builder.data(Path.of(value(arguments, ++i)));
                    case "--backup" -> builder.backup();
                    case "--user" -> builder.credentials(value(arguments, ++i), secret("CREO_BROKER_PASSWORD"));
                    case "--keys" -> builder.tls(Path.of(value(arguments, ++i)), secret("CREO_BROKER_KEYS_PASSWORD"));
                    case "--memory" -> builder.memory(number(arguments, ++i) * 1024L * 1024);
                    case "--deliveries" -> builder.deliveries(number(arguments, ++i));
                    case "--join" -> {
                        String other = value(arguments, ++i);
                        int colon = other.lastIndexOf(':');
                        if (colon < 1) {
                            throw new IllegalArgumentException("--join takes HOST:PORT, not " + other);
                        }
                        builder.join(other.substring(0, colon), Integer.parseInt(other.substring(colon + 1)));
                    }
                    default -> throw new IllegalArgumentException("unknown: " + arguments[i]);
                }
            }
            builder.bind(host, port);
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage() + "\n\n" + USAGE);
            System.exit(2);
        }
        serve(builder, untilInputEnds);
    }

    private static void serve(EmbeddedBroker.Builder builder, boolean untilInputEnds) throws InterruptedException {
        EmbeddedBroker broker;
        try {
            broker = builder.start();
        } catch (IllegalArgumentException | IllegalStateException e) {
            System.err.println(e.getMessage());
            System.exit(1);
            return;
        }
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            asked.countDown();
            try {
                ended.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }));
        System.out.println("{\"host\": \"" + broker.host() + "\", \"port\": " + broker.port() + "}");
        System.out.flush();
        if (untilInputEnds) {
            Thread input = new Thread(() -> {
                try {
                    while (System.in.read() >= 0) {
                        // A running broker produces no output.
                    }
                } catch (IOException e) {
                    System.err.println("the standard input cannot be read: " + e.getMessage());
                }
                asked.countDown();
            });
            input.setDaemon(true);
            input.start();
        }
        asked.await();
        try {
            broker.close();
        } finally {
            ended.countDown();
        }
    }

    private static String value(String[] arguments, int at) {
        if (at >= arguments.length) {
            throw new IllegalArgumentException("a value is missing after " + arguments[at - 1]);
        }
        return arguments[at];
    }

    private static int number(String[] arguments, int at) {
        try {
            return Integer.parseInt(value(arguments, at));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(arguments[at - 1] + " takes a number, not " + arguments[at], e);
        }
    }

    private static String secret(String name) {
        String secret = System.getenv(name);
        if (secret == null || secret.isEmpty()) {
            throw new IllegalArgumentException("the environment has no " + name);
        }
        return secret;
    }
}
