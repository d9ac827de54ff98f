import creo.runtime.ServiceSecurity;
import creo.wss.WsSecurity;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

/**
 * What security costs in Java (COST-39). The arguments are the folder of the keys, the number of rounds, the messages of a sample, and jobs, {@code PARTS:FILE}: an
 * envelope that is secured by {@code sign}, {@code encrypt} or both, with a comma between them. A line of the output, {@code JOB WAY BYTES NANOSECONDS}, is a sample:
 * the processor time of the thread for a message.
 */
public final class SecurityCosts {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private SecurityCosts() {}

    /** Works on the message of a number. */
    private interface Work {
        byte[] on(int message);
    }

    /** A message, and who writes it. */
    private record Job(boolean isSigned, boolean isEncrypted, byte[] plain, WsSecurity writer) {}

    public static void main(String[] args) throws Exception {
        Path keys = Path.of(args[0], "keys.p12");
        int rounds = Integer.parseInt(args[1]);
        int count = Integer.parseInt(args[2]);
        PrivateKey key = SecuredCreo.key(keys, "client");
        X509Certificate certificate = SecuredCreo.certificate(keys, "client");
        List<Job> jobs = new ArrayList<>();
        for (int i = 3; i < args.length; i++) {
            String[] words = args[i].split(":", 2);
            List<String> parts = List.of(words[0].split(","));
            WsSecurity.Builder writer = WsSecurity.builder();
            if (parts.contains("sign")) {
                writer.sign(key, certificate);
            }
            if (parts.contains("encrypt")) {
                writer.encryptTo(certificate);
            }
            jobs.add(new Job(parts.contains("sign"), parts.contains("encrypt"), Files.readAllBytes(Path.of(words[1])), writer.build()));
        }
        for (int round = 0; round < rounds; round++) {
            for (int number = 0; number < jobs.size(); number++) {
                Job job = jobs.get(number);
                byte[][] secured = new byte[count][];
                double written = time(count, n -> secured[n] = job.writer.send(job.plain));
                // Without a memory of signatures that came before.
                WsSecurity.Builder builder = WsSecurity.builder();
                if (job.isSigned) {
                    builder.trust(certificate);
                }
                if (job.isEncrypted) {
                    builder.decrypt(key, certificate);
                }
                ServiceSecurity reader = builder.build();
                double read = time(count, n -> reader.accept(secured[n], secured[n].length, "utf-8").envelope());
                System.out.println(number + " write " + secured[0].length + " " + Math.round(written));
                System.out.println(number + " read " + secured[0].length + " " + Math.round(read));
            }
        }
    }

    private static double time(int count, Work work) {
        long before = THREADS.getCurrentThreadCpuTime();
        for (int n = 0; n < count; n++) {
            if (work.on(n).length == 0) {
                throw new AssertionError("a message without bytes");
            }
        }
        return (THREADS.getCurrentThreadCpuTime() - before) / (double) count;
    }
}
