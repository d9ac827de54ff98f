package creo.jms;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import creo.jms.broker.EmbeddedBroker;
import creo.runtime.ClientOptions;
import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.Wire;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.example.notes.NotesClient;
import org.example.notes.NotesEndpoint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls by a broker that speaks TLS. */
class TlsTest {
    private static final String PASSWORD = "a password";

    @TempDir
    private Path folder;

    private void keytool(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
        command.addAll(List.of(arguments));
        command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(folder.resolve("keytool.log").toFile()).start();
        assertEquals(0, process.waitFor());
    }

    /** Keys for a name, and a file that trusts them. */
    private void keys(String name, String host) throws IOException, InterruptedException {
        String keys = folder.resolve(name + ".p12").toString();
        String certificate = folder.resolve(name + ".crt").toString();
        keytool("-genkeypair", "-alias", "key", "-keyalg", "EC", "-dname", "CN=" + name, "-ext", "san=" + host, "-validity", "30", "-keystore", keys);
        keytool("-exportcert", "-alias", "key", "-file", certificate, "-keystore", keys);
        keytool("-importcert", "-noprompt", "-alias", name, "-file", certificate, "-keystore", folder.resolve(name + "-trusted.p12").toString());
    }

    private static void refused(JmsBroker broker) {
        ClientOptions impatient = Rig.OPTIONS.withLimits(Rig.LIMITS.withConnectTimeout(Duration.ofSeconds(2)));
        try (JmsChannel channel = JmsChannel.of(broker, Rig.ADDRESS, Wire.SOAP, impatient)) {
            NotesClient client = new NotesClient(channel);
            assertEquals(ErrorCode.UNAVAILABLE, assertThrows(CreoException.class, client::nothing).code());
        }
    }

    @Test
    void onlyWhoIsTrustedAndHasTheName() throws Exception {
        keys("right", "ip:127.0.0.1");
        keys("elsewhere", "dns:elsewhere.example.org");
        try (EmbeddedBroker broker = EmbeddedBroker.builder().tls(folder.resolve("right.p12"), PASSWORD).start();
            EmbeddedBroker misnamed = EmbeddedBroker.builder().tls(folder.resolve("elsewhere.p12"), PASSWORD).start()) {
            JmsBroker plain = JmsBroker.at("127.0.0.1", broker.port());
            JmsBroker trusted = plain.withTls(folder.resolve("right-trusted.p12"), PASSWORD);
            try (JmsHost host = JmsHost.builder().broker(trusted).address(Rig.ADDRESS).limits(Rig.LIMITS).add(NotesEndpoint.of(new Rig.Service())).start();
                JmsChannel channel = JmsChannel.of(trusted, Rig.ADDRESS, Wire.SOAP, Rig.OPTIONS)) {
                assertNotNull(host);
                assertEquals("sealed!", new NotesClient(channel).say("sealed"));
            }
            refused(plain.withTls());
            refused(plain.withTls(folder.resolve("elsewhere-trusted.p12"), PASSWORD));
            refused(plain);
            refused(JmsBroker.at("127.0.0.1", misnamed.port()).withTls(folder.resolve("elsewhere-trusted.p12"), PASSWORD));
        }
    }
}
