package creo.jms.broker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.apache.activemq.artemis.api.core.ActiveMQShutdownException;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.TransportConfiguration;
import org.apache.activemq.artemis.core.config.ClusterConnectionConfiguration;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.ha.SharedStoreBackupPolicyConfiguration;
import org.apache.activemq.artemis.core.config.ha.SharedStorePrimaryPolicyConfiguration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyAcceptor;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyAcceptorFactory;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyConnectorFactory;
import org.apache.activemq.artemis.core.remoting.impl.netty.TransportConstants;
import org.apache.activemq.artemis.core.security.CheckType;
import org.apache.activemq.artemis.core.security.Role;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.core.server.cluster.impl.MessageLoadBalancingType;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.core.settings.impl.AddressFullMessagePolicy;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.apache.activemq.artemis.spi.core.security.ActiveMQSecurityManager;

/**
 * An Apache Artemis message broker within this program. {@code EmbeddedBroker.builder().start()} makes one that other programs of this machine can
 * reach and that keeps everything in memory. One port accepts Artemis's own protocol, used by the hosts and channels of {@code creo.jms}, and AMQP
 * 1.0, used by clients of other languages. Queues are created when first named. After five failed deliveries a message goes to the queue {@link
 * #DEAD_LETTERS} (JMS-13).
 *
 * <p>Without a user and a password, anyone who can reach the port may send and consume: such a broker binds only to the loopback address. No user can
 * administer it through messages.
 *
 * <p>As a separate program: {@code java -cp ... creo.jms.broker.EmbeddedBroker --port 5672 --data dir}; see {@code --help}.
 */
public final class EmbeddedBroker implements AutoCloseable {
    /** The queue for messages that cannot be delivered. */
    public static final String DEAD_LETTERS = "DLQ";

    /** The default number of deliveries before a message goes to {@link #DEAD_LETTERS}. */
    public static final int DEFAULT_DELIVERIES = 5;

    /**
     * By default the broker logs every message at info level. Unless the JDK's log is configured otherwise, only warnings are logged. This reference
     * keeps the level.
     */
    private static final Logger LOG = Logger.getLogger("org.apache.activemq");
    private static final Logger SERVER_LOG = Logger.getLogger("org.apache.activemq.artemis.core.server");

    private static final List<String> INTENDED = List.of("AMQ222147", "AMQ222166", "AMQ222232");
    private static final String UNTIDY = "AMQ222222";

    private static final int MIB = 1024 * 1024;
    private static final String ACCEPTOR = "door";

    private final EmbeddedActiveMQ broker;
    private final String host;
    private final int port;

    private EmbeddedBroker(EmbeddedActiveMQ broker, String host, int port) {
        this.broker = broker;
        this.host = host;
        this.port = port;
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Runs a broker until the program ends. */
    public static void main(String[] arguments) throws InterruptedException {
        BrokerCommand.run(arguments);
    }

    /** The bound address. */
    public String host() {
        return host;
    }

    /** The port that it listens on. */
    public int port() {
        return port;
    }

    /** The number of messages in a queue, including those being delivered; 0 if there is no such queue. */
    public long messages(String queue) {
        if (!isServing()) {
            return 0;
        }
        org.apache.activemq.artemis.core.server.Queue found = broker.getActiveMQServer().locateQueue(SimpleString.of(queue));
        return found == null ? 0 : found.getMessageCount();
    }

    /** Whether it accepts messages: always, except for a {@link Builder#backup backup} whose broker is alive. */
    public boolean isServing() {
        return broker.getActiveMQServer().isActive();
    }

    /** Waits until a {@link Builder#backup backup} accepts messages; false on timeout. */
    public boolean awaitServing(long time, TimeUnit unit) throws InterruptedException {
        return broker.getActiveMQServer().waitForActivation(time, unit);
    }

    /** Waits until this many brokers, including this one, are joined; false on timeout. */
    public boolean awaitCluster(int brokers, long time, TimeUnit unit) throws InterruptedException {
        try {
            return broker.waitClusterForming(20, TimeUnit.MILLISECONDS, (int) Math.max(1, unit.toMillis(time) / 20), brokers);
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("the broker does not say who is with it", e);
        }
    }

    /** Accepts no further messages, closes the connections, and ends once everything persistent is in its folder. */
    @Override
    public void close() {
        try {
            broker.stop();
        } catch (Exception e) {
            throw new IllegalStateException("the broker did not end in order", e);
        }
    }

    /** Configures a broker. */
    public static final class Builder {
        private String host = "127.0.0.1";
        private int port;
        private Path data;
        private String user;
        private String password;
        private Path keyStore;
        private String keyStorePassword;
        private long memory = Math.max(16L * MIB, Math.min(512L * MIB, Runtime.getRuntime().maxMemory() / 4));
        private int deliveries = DEFAULT_DELIVERIES;
        private boolean backup;
        private final List<String> others = new ArrayList<>();

        private Builder() {}

        /** The address and the port, 0 for a free one; by default a free port of {@code 127.0.0.1}. */
        public Builder bind(String host, int port) {
            this.host = Objects.requireNonNull(host, "host");
            if (port < 0 || port > 65_535) {
                throw new IllegalArgumentException("a port is from 0 to 65535, not " + port);
            }
            this.port = port;
            return this;
        }

        /**
         * A folder, created if necessary, in which persistent messages survive the broker. Only one broker can use it at a time; another one waits
         * five seconds and then fails to start. Without a folder no message survives.
         */
        public Builder data(Path folder) {
            data = Objects.requireNonNull(folder, "folder");
            return this;
        }

        /**
         * Makes it a backup for the broker with the same folder. It starts at once but accepts no messages while the other is alive. When that has
         * ended or was killed, it continues with the folder's content, at its own port. The other may then return as the backup of this one. Callers
         * and hosts need both addresses. Messages that are not persistent are lost with their broker.
         *
         * <p>Both must reach the folder's disk, and its locks must work for both. Only the holder of the lock serves the messages.
         */
        public Builder backup() {
            backup = true;
            return this;
        }

        /** The user and password required to send and consume. Without TLS the password is sent unencrypted. */
        public Builder credentials(String user, String password) {
            if (user.isEmpty() || password.isEmpty()) {
                throw new IllegalArgumentException("neither the user nor the password may be empty");
            }
            this.user = user;
            this.password = password;
            return this;
        }

        /** Accepts only TLS, with the keys of a PKCS #12 file. */
        public Builder tls(Path keyStore, String password) {
            this.keyStore = Objects.requireNonNull(keyStore, "keyStore");
            this.keyStorePassword = Objects.requireNonNull(password, "password");
            return this;
        }

        /**
         * The max bytes of messages in memory, by default a quarter of the program's and at most 512 MiB. Further messages go to the folder, or are
         * refused without one.
         */
        public Builder memory(long bytes) {
            if (bytes < MIB) {
                throw new IllegalArgumentException("a broker needs at least 1 MiB, not " + bytes + " bytes");
            }
            memory = bytes;
            return this;
        }

        /** The max number of deliveries before a message goes to the dead letters; at least one. */
        public Builder deliveries(int most) {
            if (most < 1) {
                throw new IllegalArgumentException("a message is delivered at least once, not " + most + " times");
            }
            deliveries = most;
            return this;
        }

        /**
         * Joins another broker, which must join this one likewise: messages of a queue without a consumer here go where there is one. The port of
         * each is set by {@link #bind}; credentials, if any, are the same on all.
         */
        public Builder join(String host, int port) {
            others.add("tcp://" + bracketed(host) + ":" + port);
            return this;
        }

        /**
         * Starts the broker; it serves when this returns.
         *
         * @throws IllegalArgumentException without credentials on an address that others can reach, or for a backup without a folder and a port
         * @throws IllegalStateException if the port is taken, the folder is in use, or the keys cannot be read
         */
        public EmbeddedBroker start() {
            if (user == null && !isLoopback(host)) {
                throw new IllegalArgumentException("a broker without credentials binds to the loopback address alone, not to " + host);
            }
            if (backup && (data == null || port == 0)) {
                throw new IllegalArgumentException("a backup needs the folder of its broker, and a fixed port");
            }
            quieten();
            EmbeddedActiveMQ broker = new EmbeddedActiveMQ().setConfiguration(configuration()).setSecurityManager(new Doorkeeper(user, password));
            try {
                broker.start();
                return new EmbeddedBroker(broker, host, backup ? port : portOf(broker));
            } catch (Exception e) {
                try {
                    broker.stop();
                } catch (Exception further) {
                    e.addSuppressed(further);
                }
                throw new IllegalStateException("the broker does not start at " + bracketed(host) + ":" + port + ": " + e.getMessage(), e);
            }
        }

        private static void quieten() {
            if (LOG.getLevel() == null) {
                LOG.setLevel(Level.WARNING);
            }
            if (SERVER_LOG.getFilter() == null) {
                SERVER_LOG.setFilter(Builder::isNews);
            }
        }

        /**
         * Whether a record says anything. The broker warns of every queue that expired messages are not kept, which is intended (JMS-10); of a backup that ends
         * while it waits; and of pages that it still tidied when it was closed, which it does the next time.
         */
        private static boolean isNews(LogRecord record) {
            String text = record.getMessage();
            return text == null || INTENDED.stream().noneMatch(text::startsWith) && !(text.startsWith(UNTIDY) && record.getThrown() instanceof ActiveMQShutdownException);
        }

        private int portOf(EmbeddedActiveMQ broker) throws IOException {
            // Artemis reports an acceptor that could not bind, and a folder in use, only in the log.
            if (!broker.getActiveMQServer().isActive() || !(broker.getActiveMQServer().getRemotingService().getAcceptor(ACCEPTOR) instanceof NettyAcceptor acceptor)
                || !acceptor.isStarted() || acceptor.getActualPort() <= 0) {
                throw new IOException(data == null ? "the port is in use, or the keys cannot be read" : "the port or the folder is in use, or the keys cannot be read");
            }
            return acceptor.getActualPort();
        }

        private Configuration configuration() {
            Configuration c = new ConfigurationImpl();
            c.setName("creo");
            c.setJMXManagementEnabled(false);
            c.setSecurityEnabled(true);
            // It would react to a slow disk by halting the program.
            c.setCriticalAnalyzer(false);
            c.setGlobalMaxSize(memory);
            storage(c);
            c.addAcceptorConfiguration(new TransportConfiguration(NettyAcceptorFactory.class.getName(), acceptor(), ACCEPTOR));
            c.addAddressSetting("#", new AddressSettings()
                .setDefaultAddressRoutingType(RoutingType.ANYCAST)
                .setDefaultQueueRoutingType(RoutingType.ANYCAST)
                // An automatically deleted queue without consumers would lose messages sent before it exists again.
                .setAutoDeleteQueues(false)
                .setAutoDeleteAddresses(true)
                .setMaxDeliveryAttempts(deliveries)
                .setDeadLetterAddress(SimpleString.of(DEAD_LETTERS))
                .setRedistributionDelay(0)
                .setAddressFullMessagePolicy(data == null ? AddressFullMessagePolicy.FAIL : AddressFullMessagePolicy.PAGE));
            c.addQueueConfiguration(QueueConfiguration.of(DEAD_LETTERS).setAddress(DEAD_LETTERS).setRoutingType(RoutingType.ANYCAST).setDurable(true));
            if (!others.isEmpty()) {
                cluster(c);
            }
            return c;
        }

        private void storage(Configuration c) {
            c.setPersistenceEnabled(data != null);
            if (data == null) {
                return;
            }
            try {
                Files.createDirectories(data);
            } catch (IOException e) {
                throw new UncheckedIOException("the broker's folder " + data + " cannot be made", e);
            }
            c.setBindingsDirectory(data.resolve("bindings").toString());
            c.setJournalDirectory(data.resolve("journal").toString());
            c.setNodeManagerLockDirectory(data.resolve("journal").toString());
            c.setPagingDirectory(data.resolve("paging").toString());
            c.setLargeMessagesDirectory(data.resolve("large").toString());
            c.setJournalType(JournalType.NIO);
            c.setJournalLockAcquisitionTimeout(backup ? -1 : 5_000);
            // A backup takes over from a closed broker as it does from a killed one.
            c.setHAPolicyConfiguration(backup ? new SharedStoreBackupPolicyConfiguration().setAllowFailBack(false).setFailoverOnServerShutdown(true)
                : new SharedStorePrimaryPolicyConfiguration().setFailoverOnServerShutdown(true));
            // Deliveries are counted even by a broker that is killed: otherwise a request that kills it would be redelivered forever (JMS-13).
            c.setPersistDeliveryCountBeforeDelivery(true);
            c.setMaxDiskUsage(-1);
            c.setMinDiskFree(64L * MIB);
        }

        private Map<String, Object> acceptor() {
            Map<String, Object> parameters = new HashMap<>();
            parameters.put(TransportConstants.HOST_PROP_NAME, host);
            parameters.put(TransportConstants.PORT_PROP_NAME, port);
            parameters.put(TransportConstants.PROTOCOLS_PROP_NAME, "CORE,AMQP");
            // JDK sockets: no native library is unpacked and loaded.
            parameters.put(TransportConstants.USE_EPOLL_PROP_NAME, false);
            parameters.put(TransportConstants.USE_KQUEUE_PROP_NAME, false);
            if (keyStore != null) {
                parameters.put(TransportConstants.SSL_ENABLED_PROP_NAME, true);
                parameters.put(TransportConstants.KEYSTORE_TYPE_PROP_NAME, "PKCS12");
                parameters.put(TransportConstants.KEYSTORE_PATH_PROP_NAME, keyStore.toString());
                parameters.put(TransportConstants.KEYSTORE_PASSWORD_PROP_NAME, keyStorePassword);
                parameters.put(TransportConstants.ENABLED_PROTOCOLS_PROP_NAME, "TLSv1.3,TLSv1.2");
            }
            return parameters;
        }

        private void cluster(Configuration c) {
            if (port == 0 || keyStore != null) {
                throw new IllegalArgumentException("a broker that joins others needs a fixed port, and no TLS");
            }
            try {
                c.addConnectorConfiguration("self", new TransportConfiguration(NettyConnectorFactory.class.getName(),
                    Map.of(TransportConstants.HOST_PROP_NAME, host, TransportConstants.PORT_PROP_NAME, port)));
                List<String> names = new ArrayList<>();
                for (String other : others) {
                    names.add("other" + names.size());
                    c.addConnectorConfiguration(names.get(names.size() - 1), other);
                }
                c.setClusterUser("creo-cluster");
                c.setClusterPassword(password == null ? "creo-cluster" : password);
                c.addClusterConfiguration(new ClusterConnectionConfiguration()
                    .setName("creo")
                    .setConnectorName("self")
                    .setStaticConnectors(names)
                    .setMessageLoadBalancingType(MessageLoadBalancingType.ON_DEMAND)
                    .setMaxHops(1)
                    .setRetryInterval(200));
            } catch (Exception e) {
                throw new IllegalArgumentException("no brokers to join: " + others, e);
            }
        }
    }

    private static String bracketed(String host) {
        return host.indexOf(':') >= 0 && !host.startsWith("[") ? "[" + host + "]" : host;
    }

    private static boolean isLoopback(String host) {
        try {
            InetAddress[] all = InetAddress.getAllByName(host);
            for (InetAddress one : all) {
                if (!one.isLoopbackAddress()) {
                    return false;
                }
            }
            return all.length > 0;
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("no such address: " + host, e);
        }
    }

    /** Admits users with the credentials, or everyone if there are none; admits no one to the administration. */
    private static final class Doorkeeper implements ActiveMQSecurityManager {
        private final byte[] user;
        private final byte[] password;

        Doorkeeper(String user, String password) {
            this.user = user == null ? null : user.getBytes(StandardCharsets.UTF_8);
            this.password = password == null ? null : password.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public boolean validateUser(String name, String secret) {
            return user == null || name != null && secret != null
                && MessageDigest.isEqual(user, name.getBytes(StandardCharsets.UTF_8)) & MessageDigest.isEqual(password, secret.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public boolean validateUserAndRole(String name, String secret, Set<Role> roles, CheckType check) {
            return check != CheckType.MANAGE && check != CheckType.VIEW && check != CheckType.EDIT && validateUser(name, secret);
        }
    }
}
