import bench.echo.Echo;
import bench.echo.EchoClient;
import bench.echo.EchoEndpoint;
import creo.runtime.ClientOptions;
import creo.runtime.Interceptor;
import creo.runtime.Server;
import java.util.Arrays;

/**
 * The service and the Java client of the benchmark of interceptors. {@code serve} prints the ports of two hosts, of which the second has an interceptor, and ends with its input.
 * {@code call PORT PORT BLOCKS CALLS} prints a line for each block: what was measured, the nanoseconds of all its calls, and those that 99 of 100 calls took at most.
 */
public final class Interceptors {
    private static final int WARM = 20_000;

    private Interceptors() {}

    public static void main(String[] args) throws Exception {
        if (args[0].equals("serve")) {
            Echo echo = s -> s;
            Server plain = Server.builder().tcp("127.0.0.1", 0).add(EchoEndpoint.of(echo)).start();
            Server intercepted = Server.builder().tcp("127.0.0.1", 0).add(EchoEndpoint.of(echo)).interceptor(call -> outcome -> {}).start();
            System.out.println(plain.port() + " " + intercepted.port());
            while (System.in.read() >= 0) {
                // Only its end matters.
            }
            System.exit(0);
        }
        int plain = Integer.parseInt(args[1]);
        Interceptor interceptor = call -> outcome -> {};
        String[] names = {"none", "client", "service"};
        EchoClient[] clients = {
            new EchoClient("127.0.0.1", plain),
            new EchoClient("127.0.0.1", plain, ClientOptions.DEFAULT.withInterceptor(interceptor)),
            new EchoClient("127.0.0.1", Integer.parseInt(args[2])),
        };
        int blocks = Integer.parseInt(args[3]);
        int calls = Integer.parseInt(args[4]);
        for (int i = 0; i < 3 * WARM; i++) {
            clients[i % 3].echo("warm");
        }
        for (int i = 0; i < 3 * blocks; i++) {
            // Another one is first in each block.
            int which = (i + i / 3) % 3;
            System.out.println(names[which] + " " + measure(clients[which], calls));
        }
        System.exit(0);
    }

    private static String measure(EchoClient client, int calls) {
        long[] times = new long[calls];
        for (int i = 0; i < calls; i++) {
            long start = System.nanoTime();
            client.echo("Hello");
            times[i] = System.nanoTime() - start;
        }
        long total = Arrays.stream(times).sum();
        Arrays.sort(times);
        return total + " " + times[calls * 99 / 100];
    }
}
