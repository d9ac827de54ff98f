package creo.jms;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A broker's addresses, credentials and TLS options. Immutable: each {@code with} method returns a changed copy.
 *
 * <pre>{@code
 * JmsBroker.at("live.example.org", 61616).or("backup.example.org", 61616).withCredentials("orders", password).withTls()
 * }</pre>
 */
public final class JmsBroker {
    /** The address of one broker, or of one of a pair. */
    record Place(String host, int port) {
        Place {
            Objects.requireNonNull(host, "host");
            if (port < 1 || port > 65_535) {
                throw new IllegalArgumentException("a port is from 1 to 65535, not " + port);
            }
        }

        @Override
        public String toString() {
            return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
        }
    }

    /** PKCS #12 key files; null for the JDK's. */
    record Tls(Path trusted, String trustedPassword, Path keys, String keysPassword) {}

    private final List<Place> places;
    private final ConnectionFactory foreign;
    private final String user;
    private final String password;
    private final Tls tls;

    private JmsBroker(List<Place> places, ConnectionFactory foreign, String user, String password, Tls tls) {
        this.places = places;
        this.foreign = foreign;
        this.user = user;
        this.password = password;
        this.tls = tls;
    }

    /** An Artemis broker at a host and port. */
    public static JmsBroker at(String host, int port) {
        return new JmsBroker(List.of(new Place(host, port)), null, null, null, null);
    }

    /** A broker of any Jakarta Messaging provider, by its factory. */
    public static JmsBroker of(ConnectionFactory factory) {
        return new JmsBroker(List.of(), Objects.requireNonNull(factory, "factory"), null, null, null);
    }

    /** Adds an address: that of a backup, or of another broker of the cluster. Connecting tries them in turn. */
    public JmsBroker or(String host, int port) {
        checkOwn();
        List<Place> more = new ArrayList<>(places);
        more.add(new Place(host, port));
        return new JmsBroker(List.copyOf(more), null, user, password, tls);
    }

    /** Sets the user. Without TLS, the password is sent unencrypted. */
    public JmsBroker withCredentials(String user, String password) {
        return new JmsBroker(places, foreign, Objects.requireNonNull(user, "user"), Objects.requireNonNull(password, "password"), tls);
    }

    /** Uses TLS with the JDK's trusted certificates. The certificate and the host name are always verified. */
    public JmsBroker withTls() {
        checkOwn();
        return new JmsBroker(places, null, user, password, new Tls(null, null, null, null));
    }

    /** Uses TLS and trusts the certificates of a PKCS #12 file. The certificate and the host name are always verified. */
    public JmsBroker withTls(Path trusted, String filePassword) {
        checkOwn();
        return new JmsBroker(places, null, user, password,
            new Tls(Objects.requireNonNull(trusted, "trusted"), filePassword, tls == null ? null : tls.keys(), tls == null ? null : tls.keysPassword()));
    }

    /** Sets this side's certificate and key from a PKCS #12 file; with {@link #withTls}. */
    public JmsBroker withKeys(Path keys, String filePassword) {
        checkOwn();
        return new JmsBroker(places, null, user, password,
            new Tls(tls == null ? null : tls.trusted(), tls == null ? null : tls.trustedPassword(), Objects.requireNonNull(keys, "keys"), filePassword));
    }

    private void checkOwn() {
        if (foreign != null) {
            throw new IllegalArgumentException("what a factory of another provider connects to, and how, is set there");
        }
    }

    /**
     * Connects a host without prefetching: messages queued after the current call belong to other hosts (JMS-13).
     *
     * @param limit the max time for connecting to one address
     */
    Connector forHost(Duration limit) {
        return connector(limit, 0);
    }

    /**
     * Connects a client with prefetching: all answers are its own, and requesting each would take another round trip to the broker.
     *
     * @param limit the max time for connecting to one address
     */
    Connector forClient(Duration limit) {
        return connector(limit, ArtemisFactory.MUCH);
    }

    /**
     * Connects a client for streams. A provider's own factory decides for itself how much it prefetches.
     *
     * @param limit the max time for connecting to one address
     * @param window the bytes of messages that each consumer may prefetch
     */
    Connector forStreams(Duration limit, int window) {
        return connector(limit, window);
    }

    private Connector connector(Duration limit, int window) {
        List<ConnectionFactory> factories = foreign != null ? List.of(foreign) : places.stream().map(place -> ArtemisFactory.of(place, tls, limit, window)).toList();
        return new Turns(factories, user, password);
    }

    /** Tries the addresses in turn, beginning with the last successful one (JMS-17). For one thread at a time. */
    private static final class Turns implements Connector {
        private final List<ConnectionFactory> factories;
        private final String user;
        private final String password;
        private int last;

        Turns(List<ConnectionFactory> factories, String user, String password) {
            this.factories = factories;
            this.user = user;
            this.password = password;
        }

        @Override
        public Connection connect() throws JMSException {
            JMSException failure = null;
            for (int i = 0; i < factories.size(); i++) {
                int at = (last + i) % factories.size();
                try {
                    Connection made = user == null ? factories.get(at).createConnection() : factories.get(at).createConnection(user, password);
                    last = at;
                    return made;
                } catch (JMSSecurityException e) {
                    // Another address would refuse the credentials too.
                    throw e;
                } catch (JMSException e) {
                    failure = e;
                }
            }
            throw failure;
        }
    }

    /** Makes connections. */
    interface Connector {
        Connection connect() throws JMSException;
    }

    /** The address for messages. */
    @Override
    public String toString() {
        if (foreign != null) {
            return "the broker";
        }
        return String.join(" or ", places.stream().map(Place::toString).toList());
    }
}
