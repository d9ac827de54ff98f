import creo.runtime.ServiceSecurity;
import creo.wss.WsSecurity;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What security costs in Java (COST-39), as the JSON of a profile. Its arguments are the keys and the number of rounds. Each time is the lower quartile over rounds
 * of the thread's processor time, at two sizes of messages, through which the line goes.
 */
public final class SecurityCosts {
    private static final int MESSAGES = 50;
    private static final int[] ITEMS = {10, 500};
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private SecurityCosts() {}

    /** Works on the message of a number. */
    private interface Work {
        byte[] on(int message) throws Exception;
    }

    /** Nanoseconds for a message, and the bytes of it. */
    private record Point(double ns, double bytes) {}

    public static void main(String[] args) throws Exception {
        int rounds = Integer.parseInt(args[1]);
        PrivateKey key = SecuredCreo.key(Path.of(args[0]), "client");
        X509Certificate certificate = SecuredCreo.certificate(Path.of(args[0]), "client");
        WsSecurity signer = WsSecurity.builder().sign(key, certificate).build();
        WsSecurity encrypter = WsSecurity.builder().encryptTo(certificate).build();
        List<String> costs = new ArrayList<>();
        Point[][] points = new Point[4][ITEMS.length];
        for (int i = 0; i < ITEMS.length; i++) {
            byte[] plain = envelope(ITEMS[i]);
            double[][] times = new double[4][rounds];
            double[] bytes = new double[2];
            for (int round = 0; round < rounds; round++) {
                byte[][] signed = new byte[MESSAGES][];
                byte[][] encrypted = new byte[MESSAGES][];
                times[0][round] = time(n -> signed[n] = signer.send(plain));
                // Without a memory of signatures that came before.
                WsSecurity reader = WsSecurity.builder().trust(certificate).build();
                times[1][round] = time(n -> accepted(reader, signed[n]));
                times[2][round] = time(n -> encrypted[n] = encrypter.send(plain));
                WsSecurity decrypter = WsSecurity.builder().decrypt(key, certificate).build();
                times[3][round] = time(n -> accepted(decrypter, encrypted[n]));
                bytes = new double[] {signed[0].length, encrypted[0].length};
            }
            for (int what = 0; what < 4; what++) {
                Arrays.sort(times[what]);
                points[what][i] = new Point(times[what][rounds / 4], bytes[what / 2]);
            }
        }
        String[] names = {"sign", "verify", "encrypt", "decrypt"};
        for (int what = 0; what < 4; what++) {
            Point small = points[what][0];
            Point large = points[what][1];
            double slope = Math.max(0, (large.ns - small.ns) / (large.bytes - small.bytes));
            costs.add("\"" + names[what] + "\":{\"ns\":" + Math.round(Math.max(0, small.ns - slope * small.bytes)) + ",\"byte\":" + Math.round(slope * 100) / 100.0 + "}");
        }
        System.out.println("{" + String.join(",", costs) + ",\"error\":0.3}");
    }

    private static double time(Work work) throws Exception {
        long before = THREADS.getCurrentThreadCpuTime();
        for (int n = 0; n < MESSAGES; n++) {
            if (work.on(n).length == 0) {
                throw new AssertionError("a message without bytes");
            }
        }
        return (THREADS.getCurrentThreadCpuTime() - before) / (double) MESSAGES;
    }

    private static byte[] accepted(ServiceSecurity security, byte[] message) {
        return security.accept(message, message.length, "utf-8").envelope();
    }

    private static byte[] envelope(int items) {
        StringBuilder text = new StringBuilder("<soap:Envelope xmlns:soap=\"http://schemas.xmlsoap.org/soap/envelope/\" xmlns:n1=\"urn:creo:bench\"><soap:Body><n1:items>");
        for (int i = 0; i < items; i++) {
            text.append("<n1:item><n1:name>a name of text</n1:name><n1:count>").append(1000 + i).append("</n1:count><n1:price>12.5</n1:price></n1:item>");
        }
        return text.append("</n1:items></soap:Body></soap:Envelope>").toString().getBytes(StandardCharsets.UTF_8);
    }
}
