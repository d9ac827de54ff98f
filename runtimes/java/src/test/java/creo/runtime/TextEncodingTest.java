package creo.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import creo.runtime.internal.text.TextEncoding;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The encodings of XML-46 against those of the platform. */
class TextEncodingTest {
    private static String decoded(TextEncoding encoding, byte[] bytes) {
        TextEncoding.Decoded found = encoding.decode(bytes, 0, bytes.length);
        return new String(found.bytes(), 0, found.length(), StandardCharsets.UTF_8);
    }

    @Test
    void everyByte() {
        for (int b = 0; b < 256; b++) {
            byte[] one = {(byte) b};
            assertEquals(new String(one, StandardCharsets.ISO_8859_1), decoded(TextEncoding.ISO_8859_1, one));
            String windows = new String(one, Charset.forName("windows-1252"));
            if (windows.equals("\ufffd")) {
                assertThrows(CreoException.class, () -> decoded(TextEncoding.WINDOWS_1252, one));
            } else {
                assertEquals(windows, decoded(TextEncoding.WINDOWS_1252, one));
            }
            if (b < 128) {
                assertEquals(new String(one, StandardCharsets.US_ASCII), decoded(TextEncoding.US_ASCII, one));
            } else {
                assertThrows(CreoException.class, () -> decoded(TextEncoding.US_ASCII, one));
            }
        }
    }

    @Test
    void offsetsAreThoseOfUtf8() {
        for (TextEncoding encoding : List.of(TextEncoding.WINDOWS_1252, TextEncoding.UTF_16BE)) {
            byte[] bytes = encoding.isWide() ? "<\u00e9\u20ac\ud800x".getBytes(StandardCharsets.UTF_16BE) : new byte[] {'<', (byte) 0xe9, (byte) 0x80, (byte) 0x81};
            if (encoding.isWide()) {
                bytes[6] = (byte) 0xd8;
                bytes[7] = 0;
            }
            CreoException e = assertThrows(CreoException.class, () -> encoding.decode(bytes, 0, bytes.length));
            assertEquals(6, e.offset());
        }
    }
}
