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
        assertArrayEquals("data".getBytes(StandardCharsets.ISO_8859_1), read.take("cid:x"));
    }

    @Test
    void transferEncodings() {
        String[][] right = {
            {"", "a=3D b \r\n", "a=3D b \r\n"},
            {"BASE64", " YWJ\r\n\tj ", "abc"},
            {"base64", "", ""},
            {"quoted-printable", "a=3Db=0d=0A", "a=b\r\n"},
            {"Quoted-Printable", "one \t\r\ntwo=\r\n three=20\nfour= \t\nfive\rsix\u00e9 ", "one\r\ntwo three \nfourfive\rsix\u00e9"},
            {"quoted-printable", "end=", "end"},
            {"quoted-printable", "=\r\n=", ""},
        };
        for (String[] each : right) {
            String headers = "Content-Transfer-Encoding: " + each[0] + "\r\nContent-ID: <x>\r\n";
            Mtom read = read(part("", "<a/>") + part(headers, each[1]) + "--b--");
            assertEquals(each[2], new String(read.take("cid:x"), StandardCharsets.ISO_8859_1), each[1]);
        }
        String[][] wrong = {
            {"base64", "YWI"}, {"base64", "YWI-"}, {"base64", "YWJ="}, {"quoted-printable", "a=3"}, {"quoted-printable", "=3G"}, {"quoted-printable", "=\u00e93"},
            {"quoted-printable", "a==\r\n"}, {"quoted-printable", "=3\r\nD"}, {"uuencode", ""},
        };
        for (String[] each : wrong) {
            Mtom read = read(part("", "<a/>") + part("Content-Transfer-Encoding: " + each[0] + "\r\nContent-ID: <x>\r\n", each[1]) + "--b--");
            assertEquals(ErrorCode.MALFORMED, assertThrows(CreoException.class, () -> read.take("cid:x"), each[1]).code());
        }
    }

    @Test
    void headersOfAPart() {
        read(part("X: " + "x".repeat(16_381) + "\r\n", "<a/>") + "--b--");
        for (String wrong : new String[] {"X\r\n", ": x\r\n", "X : x\r\n", "Content-ID: a\r\ncontent-id: a\r\n", "Content-Type: text/xml\r\nContent-Type: text/xml\r\n"}) {
            assertEquals(ErrorCode.MALFORMED, assertThrows(CreoException.class, () -> read(part(wrong, "<a/>") + "--b--"), wrong).code());
        }
        CreoException e = assertThrows(CreoException.class, () -> read(part("X: " + "x".repeat(16_382) + "\r\n", "<a/>") + "--b--"));
        assertEquals(ErrorCode.TOO_LARGE, e.code());
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
