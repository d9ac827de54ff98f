package creo.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.codegen.LogText;
import creo.runtime.internal.http.ServiceErrors;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.List;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.Test;

/** Log lines: text of peers and of handlers' exceptions cannot start a line. */
class LogTextTest {
    private static final String FORGED = "a\r\nNov 27, 2026 1:00:00 PM service.Login check\nINFO: admin logged in\u2028\u0085\u001b[2J\u202e";
    private static final String ESCAPED = "a\\u000d\\u000aNov 27, 2026 1:00:00 PM service.Login check\\u000aINFO: admin logged in\\u2028\\u0085\\u001b[2J\\u202e";

    private static String printed(Throwable failure) {
        StringWriter out = new StringWriter();
        failure.printStackTrace(new PrintWriter(out, true));
        return out.toString();
    }

    /** Lines that are neither of a trace nor one of the given. */
    private static List<String> others(String text, String... known) {
        return Arrays.stream(text.split("\\R")).filter(line -> !line.startsWith("\t") && !Arrays.asList(known).contains(line)).toList();
    }

    @Test
    void textStaysOnItsLine() {
        assertEquals(ESCAPED, LogText.of(FORGED));
        assertEquals("null", LogText.of((String) null));
        assertEquals("x".repeat(LogText.MAX_LENGTH) + "...", LogText.of("x".repeat(LogText.MAX_LENGTH + 1)));
    }

    @Test
    void aFailureThatForgesNothingIsItself() {
        Exception plain = new IllegalStateException("fine", new RuntimeException("as well"));
        plain.addSuppressed(new RuntimeException());
        assertSame(plain, LogText.of(plain));
        assertSame(null, LogText.of((Throwable) null));
    }

    @Test
    void messagesOfFailuresStayOnTheirLines() {
        Exception failure = new IllegalStateException("fine", new RuntimeException(FORGED, new Error(FORGED)));
        failure.addSuppressed(new RuntimeException(FORGED));
        String text = printed(LogText.of(failure));
        assertEquals(List.of(), others(text, "java.lang.IllegalStateException: fine", "Caused by: java.lang.RuntimeException: " + ESCAPED, "Caused by: java.lang.Error: " + ESCAPED));
        assertTrue(text.contains("\tSuppressed: java.lang.RuntimeException: " + ESCAPED), text);
        // The trace of each is present.
        assertEquals(printed(failure).split("\tat ").length, text.split("\tat ").length);
        assertTrue(text.contains("at creo.runtime") && text.contains("LogTextTest.messagesOfFailuresStayOnTheirLines(LogTextTest.java:"), text);
    }

    @Test
    void failuresThatFailThemselvesAreLogged() {
        RuntimeException broken = new RuntimeException() {
            private static final long serialVersionUID = 1L;

            @Override
            public String getMessage() {
                throw new IllegalStateException("no message");
            }

            @Override
            public synchronized Throwable getCause() {
                throw new IllegalStateException("no cause");
            }
        };
        assertTrue(printed(LogText.of(new Exception(FORGED, broken))).contains("Caused by: " + broken.getClass().getName()));
        // Circles, and more causes than a log can bear.
        Exception first = new Exception(FORGED);
        Exception second = new Exception("second", first);
        first.initCause(second);
        first.addSuppressed(second);
        assertEquals(List.of(), others(printed(LogText.of(first)), "java.lang.Exception: " + ESCAPED, "Caused by: java.lang.Exception: second",
            "Caused by: [CIRCULAR REFERENCE: java.lang.Exception: second]", "Caused by: [CIRCULAR REFERENCE: java.lang.Exception: " + ESCAPED + "]"));
        Throwable deep = new Exception("innermost");
        for (int i = 0; i < 10_000; i++) {
            deep = new Exception("cause", deep);
        }
        String text = printed(LogText.of(deep));
        assertEquals(LogText.MAX_FAILURES - 1, text.split("Caused by: ").length - 1);
    }

    /** A service's log of a failing method, as the JDK's formatter prints it. */
    @Test
    void aHandlerCannotForgeLines() {
        try (HeardLog log = new HeardLog()) {
            CreoException told = ServiceErrors.internal("Store.get", new IllegalArgumentException("no file " + FORGED));
            assertFalse(told.getMessage().contains("no file"), told.getMessage());
            String reference = told.getMessage().replaceAll(".*reference ([0-9a-f]{8}).*", "$1");
            assertEquals(1, log.records.size());
            String logged = new SimpleFormatter().format(log.records.remove());
            List<String> lines = others(logged);
            assertEquals(3, lines.size(), logged);
            assertTrue(lines.get(1).endsWith("Store.get failed (reference " + reference + ")"), lines.get(1));
            assertEquals("java.lang.IllegalArgumentException: no file " + ESCAPED, lines.get(2));
        }
    }
}
