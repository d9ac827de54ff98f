package creo.runtime;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;

/** HTTP by hand, for what no client sends. */
final class Http {
    private Http() {}

    static String envelope(String body) {
        return "<E:Envelope xmlns:E=\"http://schemas.xmlsoap.org/soap/envelope/\"><E:Body>" + body + "</E:Body></E:Envelope>";
    }

    static String post(int port, String path, String headers, String body) throws IOException {
        return post(port, path, headers, body.getBytes(StandardCharsets.UTF_8));
    }

    static String post(int port, String path, String headers, byte[] body) throws IOException {
        return send(port, "POST " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: " + body.length + "\r\n" + headers + "\r\n", body);
    }

    /**
     * Sends bytes and returns everything received. A server that refuses a request by its head closes before it has read the body, which may reset
     * the connection after its answer.
     */
    static String send(int port, String head, byte[] body) throws IOException {
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.writeBytes(head.getBytes(StandardCharsets.ISO_8859_1));
        request.writeBytes(body);
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.setSoTimeout(30_000);
            try {
                socket.getOutputStream().write(request.toByteArray());
                socket.shutdownOutput();
            } catch (SocketException refused) {
                // Its answer is read below, and is valid despite the failure.
            }
            try {
                socket.getInputStream().transferTo(answer);
            } catch (SocketException reset) {
                if (answer.size() == 0) {
                    throw reset;
                }
            }
        }
        return answer.toString(StandardCharsets.UTF_8);
    }

    /** Reads a request with its body, and returns its head; empty at the end of the connection. */
    static String readRequest(InputStream in) throws IOException {
        String head = readHead(in);
        for (String line : head.split("\r\n")) {
            if (line.toLowerCase(java.util.Locale.ROOT).startsWith("content-length:")) {
                in.readNBytes(Integer.parseInt(line.substring(15).strip()));
            }
        }
        return head;
    }

    /** Reads the head of a request; empty at the end of the connection. */
    static String readHead(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
            int b = in.read();
            if (b < 0) {
                return "";
            }
            head.write(b);
        }
        return head.toString(StandardCharsets.ISO_8859_1);
    }
}
