package creo.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.ResourceBundle;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The access log of a server (CALL-79). */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class AccessLogTest {
    /** Keeps its lines. */
    private static final class Lines implements System.Logger {
        final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
        private final Level least;

        Lines(Level least) {
            this.least = least;
        }

        @Override
        public String getName() {
            return "test";
        }

        @Override
        public boolean isLoggable(Level level) {
            return level.compareTo(least) >= 0;
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String text, Throwable thrown) {
            lines.add(level + " " + text);
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
            lines.add(level + " " + format);
        }
    }

    private static Endpoint endpoint() {
        return Calls.endpoint(text -> switch (text) {
            case "refuse" -> throw new Calls.Refused(7);
            case "fail" -> throw new IllegalStateException("secret");
            default -> text;
        });
    }

    private static Server.Builder serve(Lines log) {
        return Server.builder().add(endpoint()).interceptor(new AccessLog(log));
    }

    private static void line(Lines log, String expected) throws InterruptedException {
        String line = log.lines.take();
        assertTrue(line.matches("INFO test\\.Calls\\." + expected), line);
    }

    @Test
    void eachCallHasALine() throws Exception {
        Lines log = new Lines(System.Logger.Level.INFO);
        String peer = " \\d+\\.\\d{3} ms 127\\.0\\.0\\.1:\\d+ ";
        try (Server server = serve(log).start()) {
            String url = "http://127.0.0.1:" + server.httpPort() + "/Calls";
            try (Channel channel = Calls.connect(server)) {
                channel.call(Calls.SAY, "secret {0}", CallOptions.NONE.withMetadata("key", "secret"));
                line(log, "say result" + peer + "binary\\+tcp");
                assertThrows(Calls.Refused.class, () -> channel.call(Calls.SAY, "refuse", CallOptions.NONE));
                line(log, "say Refused" + peer + "binary\\+tcp");
                assertThrows(CreoException.class, () -> channel.call(Calls.SAY, "fail", CallOptions.NONE));
                line(log, "say internal" + peer + "binary\\+tcp");
                channel.call(Calls.NOTE, "x", CallOptions.NONE);
                line(log, "note result" + peer + "binary\\+tcp");
            }
            for (String[] each : new String[][] {{"json", "http"}, {"soap", "http"}, {"tdxml", "http"}, {"tdxml", "tcp"}}) {
                ClientOptions options = ClientOptions.DEFAULT;
                try (Channel channel = switch (each[0] + each[1]) {
                    case "jsonhttp" -> JsonChannel.open(url, options);
                    case "soaphttp" -> SoapChannel.open(url, options);
                    case "tdxmlhttp" -> TdxmlChannel.open(url, options);
                    default -> TdxmlChannel.tcp("127.0.0.1", server.port(), options);
                }) {
                    channel.call(Calls.SAY, "x", CallOptions.NONE);
                    line(log, "say result" + peer + each[0] + "\\+" + each[1]);
                }
            }
        }
        assertEquals(List.of(), List.copyOf(log.lines));
    }

    @Test
    void callsWithinTheProcessHaveLinesToo() throws Exception {
        Lines log = new Lines(System.Logger.Level.INFO);
        try (Channel channel = InProcessChannel.open(ClientOptions.DEFAULT, null, List.of(new AccessLog(log)), endpoint())) {
            channel.call(Calls.SAY, "x", CallOptions.NONE);
            line(log, "say result \\d+\\.\\d{3} ms this process binary\\+process");
        }
    }

    @Test
    void aLogThatIsOffHasNone() throws Exception {
        Lines log = new Lines(System.Logger.Level.WARNING);
        try (Server server = serve(log).start(); Channel channel = Calls.connect(server)) {
            channel.call(Calls.SAY, "x", CallOptions.NONE);
        }
        assertEquals(List.of(), List.copyOf(log.lines));
    }
}
