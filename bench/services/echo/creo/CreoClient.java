import bench.echo.EchoClient;
import creo.bench.messages.Load;
import creo.runtime.Channel;
import creo.runtime.ClientOptions;
import creo.runtime.JsonChannel;
import creo.runtime.TcpChannel;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * Creo's blocking client. Its arguments are a wire and the service's address. Its input says how long to call on how many connections, each with a thread and a client of its
 * own: {@code CONNECTIONS SECONDS} a line; it answers {@code CALLS SECONDS TIMES...}, as {@link Load} says.
 */
public final class CreoClient {
    /** Every fiftieth of the calls: the last is the 99th percentile. */
    private static final int TIMES = 50;

    private CreoClient() {}

    public static void main(String[] args) throws Exception {
        Load load = new Load(TIMES);
        List<Callable<Object>> calls = new ArrayList<>();
        System.out.println("ready");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ");
            int connections = Integer.parseInt(words[0]);
            while (calls.size() < connections) {
                calls.add(call(new EchoClient(channel(args[0], args[1]))));
            }
            System.out.println(load.run(calls.subList(0, connections), Double.parseDouble(words[1])));
        }
        System.exit(0);
    }

    private static Channel channel(String wire, String address) {
        if (wire.equals("json")) {
            return JsonChannel.open(address, ClientOptions.DEFAULT);
        }
        int colon = address.lastIndexOf(':');
        return TcpChannel.open(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)), ClientOptions.DEFAULT);
    }

    /** A call that is checked, each time: comparing two characters costs nothing beside it. */
    private static Callable<Object> call(EchoClient client) {
        return () -> {
            String answer = client.echo("hi");
            if (!answer.equals("hi")) {
                throw new AssertionError("got " + answer);
            }
            return answer;
        };
    }
}
