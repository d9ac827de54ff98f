package creo.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import javax.net.ssl.SSLSocket;

/**
 * A client that requests new keys after every 128 KiB, in a separate virtual machine, since the JDK reads that limit only once. It sends everything
 * before it reads: a socket of the JDK loses data if one thread requests new keys while another reads.
 */
final class KeyUpdateClient {
    private static final int CHUNK = 10_000;

    private KeyUpdateClient() {}

    /** What it sends and expects. */
    static byte[] data(int size) {
        byte[] data = new byte[size];
        new Random(size).nextBytes(data);
        return data;
    }

    /** Starts a client that sends this many bytes, and on request reads this many. */
    static Process start(Path folder, Keys server, int port, int up, int down) throws Exception {
        Path properties = Files.writeString(folder.resolve("security.properties"), "jdk.tls.keyLimits=AES/GCM/NoPadding KeyUpdate 2^17\n");
        Path classes = Path.of(KeyUpdateClient.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        return new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Djava.security.properties=" + properties,
            "-cp", classes.toString(), KeyUpdateClient.class.getName(), Integer.toString(port), server.file.toString(), Integer.toString(up),
            Integer.toString(down)).redirectErrorStream(true).start();
    }

    /** Requests reading from a client, and waits until it has read everything. */
    static void finish(Process client) throws Exception {
        client.getOutputStream().close();
        String said = new String(client.getInputStream().readAllBytes());
        assertEquals(0, client.waitFor(), said);
    }

    public static void main(String[] args) throws Exception {
        byte[] data = data(Integer.parseInt(args[2]));
        try (SSLSocket socket = TlsClient.connectNarrow(Integer.parseInt(args[0]), Keys.context(null, Keys.load(Path.of(args[1]))), "TLSv1.3")) {
            for (int i = 0; i < data.length; i += CHUNK) {
                socket.getOutputStream().write(data, i, Math.min(CHUNK, data.length - i));
            }
            System.in.readAllBytes();
            byte[] got = socket.getInputStream().readNBytes(Integer.parseInt(args[3]));
            socket.shutdownOutput();
            if (!Arrays.equals(data(Integer.parseInt(args[3])), got) || socket.getInputStream().read() >= 0) {
                throw new IOException("other bytes came back");
            }
        }
    }
}
