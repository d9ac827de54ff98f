package creo.runtime;

import creo.runtime.internal.tcp.TcpFrames;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/** A client that writes frames byte by byte, as no real one would. */
final class Raw implements AutoCloseable {
    static final String PREAMBLE = "4352454f 01 01 0000";

    /** A frame of a server. */
    record Frame(int kind, int flags, int id, byte[] body) {
        /** The code of an error frame. */
        ErrorCode code() {
            return ErrorCode.of(body[0]);
        }
    }

    private final Socket socket;
    private final DataInputStream in;

    Raw(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(20_000);
        in = new DataInputStream(socket.getInputStream());
    }

    /** Continues with a connection that was opened elsewhere. */
    Raw(Socket opened) throws IOException {
        socket = opened;
        socket.setSoTimeout(20_000);
        in = new DataInputStream(socket.getInputStream());
    }

    Raw send(String hex) throws IOException {
        return send(HexFormat.of().parseHex(hex.replace(" ", "")));
    }

    Raw send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        return this;
    }

    /** A frame of any content. */
    static String frame(int kind, int flags, int id, String rest) {
        String hex = rest.replace(" ", "");
        return String.format("%08x%02x%02x%08x", 6 + hex.length() / 2, kind, flags, id) + hex;
    }

    static String request(int flags, int id, long method, int milliseconds, String rest) {
        return frame(TcpFrames.REQUEST, flags, id, String.format("%016x%08x", method, milliseconds) + rest);
    }

    static String text(String s) {
        byte[] bytes = s.getBytes(StandardCharsets.UTF_8);
        return String.format("%02x", bytes.length) + HexFormat.of().formatHex(bytes);
    }

    void preamble() throws IOException {
        byte[] preamble = in.readNBytes(8);
        if (!HexFormat.of().formatHex(preamble).equals("4352454f01010000")) {
            throw new IOException("not a preamble: " + new String(preamble, StandardCharsets.ISO_8859_1));
        }
    }

    /** Reads the preamble of a client, and answers it. */
    void greet() throws IOException {
        in.readNBytes(8);
        send(PREAMBLE);
    }

    Frame next() throws IOException {
        int length = in.readInt();
        int kind = in.readUnsignedByte();
        int flags = in.readUnsignedByte();
        int id = in.readInt();
        return new Frame(kind, flags, id, in.readNBytes(length - 6));
    }

    /** The next answers, by their ids: calls are answered in any order. */
    Map<Integer, Frame> next(int answers) throws IOException {
        Map<Integer, Frame> all = new TreeMap<>();
        for (int i = 0; i < answers; i++) {
            Frame frame = next();
            all.put(frame.id(), frame);
        }
        return all;
    }

    /** All that comes until the server closes. */
    byte[] rest() throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        in.transferTo(all);
        return all.toByteArray();
    }

    void endOutput() throws IOException {
        socket.shutdownOutput();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
