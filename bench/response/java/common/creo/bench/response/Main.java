package creo.bench.response;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/** {@code serve PEER} prints an address and serves until its input ends; {@code call PEER ADDRESS} is told by its input what to do. */
public final class Main {
    private Main() {}

    public static void main(String[] args) throws Exception {
        Peer peer = (Peer) Class.forName("creo.bench.response." + args[1]).getDeclaredConstructor().newInstance();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        if (args[0].equals("serve")) {
            System.out.println(peer.serve());
            while (in.readLine() != null) {
                // Until the parent closes the pipe.
            }
        } else {
            Caller caller = new Caller(peer, args[2]);
            System.out.println("ready");
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                System.out.println(caller.obey(line.split(" ")));
            }
        }
        // Some peers leave threads running.
        System.exit(0);
    }
}
