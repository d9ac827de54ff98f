import bench.load.Load;
import bench.load.LoadEndpoint;
import com.sun.management.OperatingSystemMXBean;
import creo.jms.JmsBroker;
import creo.jms.JmsHost;
import creo.runtime.Server;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.locks.LockSupport;

/**
 * A service whose work is known. {@code CapacityService tcp} prints the port that it took; {@code CapacityService jms PORT SESSIONS} takes calls from the queue {@code load} of the broker at a port of
 * this machine. Stops when its input ends.
 */
public final class CapacityService implements Load {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final OperatingSystemMXBean PROCESS = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private CapacityService() {}

    public static void main(String[] args) throws IOException {
        if (args[0].equals("tcp")) {
            try (Server server = Server.builder().bind("127.0.0.1", 0).add(LoadEndpoint.of(new CapacityService())).start()) {
                System.out.println(server.port());
                untilInputEnds();
            }
            return;
        }
        JmsBroker broker = JmsBroker.at("127.0.0.1", Integer.parseInt(args[1]));
        int sessions = Integer.parseInt(args[2]);
        try (JmsHost host = JmsHost.builder().broker(broker).address("jms:queue:load").sessions(sessions).add(LoadEndpoint.of(new CapacityService())).start()) {
            System.out.println("ready");
            untilInputEnds();
        }
    }

    private static void untilInputEnds() throws IOException {
        while (System.in.read() >= 0) {
            // Nothing is said to a service that runs.
        }
    }

    /** Measured with the thread's processor time: an interrupted thread works as much as another. */
    @Override
    public int spin(int micros) {
        long end = THREADS.getCurrentThreadCpuTime() + micros * 1_000L;
        int rounds = 0;
        while (THREADS.getCurrentThreadCpuTime() < end) {
            rounds++;
        }
        return rounds;
    }

    @Override
    public int pause(int micros) {
        long end = System.nanoTime() + micros * 1_000L;
        for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
        return micros;
    }

    @Override
    public long processor() {
        return PROCESS.getProcessCpuTime();
    }
}
