package creo.runtime;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import creo.runtime.internal.http.MediaType;
import creo.runtime.internal.soap.Mtom;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Packages of an envelope and its byte strings (SOAP-20). */
class MtomTest {
    private static final MediaType TYPE = MediaType.parse("multipart/related; boundary=b; type=\"application/xop+xml\"");

    private static Mtom read(String text) {
        byte[] body = text.getBytes(StandardCharsets.ISO_8859_1);
        return Mtom.read(body, body.length, TYPE, Limits.DEFAULT);
    }

    private static String part(String headers, String content) {
        return "--b\r\n" + headers + "\r\n" + content + "\r\n";
    }

    @Test
    void aHeaderMayGoOnInFurtherLines() {
        Mtom read = read(part("Content-Type:\r\n text/xml;\r\n\tcharset=utf-8\r\n", "<a/>") + part("Content-ID:\r\n <x>\r\n", "data") + "--b--");
        assertEquals("text/xml", read.rootType().type());
        assertEquals(4, read.rootLength());
        assertArrayEquals("data".getBytes(StandardCharsets.ISO_8859_1), read.take("cid:x"));
    }

    /** What it takes to read headers of many lines grows as they do: as memory, which is what copies of the lines before would take. */
    @Test
    void manyLinesOfAHeaderAreReadOnce() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        for (int lines : new int[] {1_000, 2_000, 4_000}) {
            String text = part("X: x\r\n" + " y\r\n".repeat(lines), "<a/>") + "--b--";
            byte[] body = text.getBytes(StandardCharsets.ISO_8859_1);
            read(text);
            long before = threads.getCurrentThreadAllocatedBytes();
            Mtom.read(body, body.length, TYPE, Limits.DEFAULT);
            long taken = threads.getCurrentThreadAllocatedBytes() - before;
            assertTrue(taken < 64L * body.length, lines + " lines: " + taken + " bytes");
        }
        CreoException e = assertThrows(CreoException.class, () -> read(part("X: x\r\n" + " y\r\n".repeat(5_000), "<a/>") + "--b--"));
        assertEquals(ErrorCode.TOO_LARGE, e.code());
    }
}
