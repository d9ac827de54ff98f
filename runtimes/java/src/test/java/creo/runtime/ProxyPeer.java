package creo.runtime;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A proxy that answers plain requests itself, opens tunnels to this machine, or refuses both. */
final class ProxyPeer implements AutoCloseable {
    private final Peer peer;
    private final int refusal;
    private final List<String> heads = new CopyOnWriteArrayList<>();

    /** @param refusal the status of every answer; 0: it works */
    ProxyPeer(int refusal) throws IOException {
        this.refusal = refusal;
        this.peer = new Peer(this::serve);
    }

    int port() {
        return peer.port();
    }

    /** The heads of all requests. */
    List<String> heads() {
        return heads;
    }

    private void serve(InputStream in, OutputStream out) throws Exception {
        while (true) {
            String head = Http.readRequest(in);
            if (head.isEmpty()) {
                return;
            }
            heads.add(head);
            if (refusal > 0) {
                send(out, "HTTP/1.1 " + refusal + " No\r\nContent-Length: 0\r\n\r\n");
            } else if (head.startsWith("CONNECT ")) {
                tunnel(head.split(" ")[1], in, out);
                return;
            } else {
                send(out, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n\"proxy\"");
            }
        }
    }

    private static void send(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    private static void tunnel(String address, InputStream in, OutputStream out) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(address.substring(address.lastIndexOf(':') + 1)))) {
            send(out, "HTTP/1.1 200 Connection established\r\nVia: test\r\n\r\n");
            Thread back = new Thread(() -> {
                try {
                    socket.getInputStream().transferTo(out);
                } catch (IOException e) {
                    // One of the two has gone.
                }
            });
            back.setDaemon(true);
            back.start();
            in.transferTo(socket.getOutputStream());
        }
    }

    @Override
    public void close() throws IOException {
        peer.close();
    }
}
