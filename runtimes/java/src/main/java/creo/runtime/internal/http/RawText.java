package creo.runtime.internal.http;

import creo.runtime.Answer;
import creo.runtime.RawMessage;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Raw messages as text for a log (CALL-68). */
public final class RawText {
    private static final int ROW = 16;
    /** The media type of the binary wire over JMS. */
    private static final String BINARY = "application/vnd.creo.binary";
    private static final Answer.Header ERROR = new Answer.Header("kind", "error");

    private RawText() {}

    public static String of(RawMessage m, boolean indented) {
        StringBuilder text = new StringBuilder(256 + m.body().length);
        text.append(m.sent() ? "sent " : "received ").append(m.answer() ? "answer" : "request");
        if (!m.method().isEmpty()) {
            text.append(" of ").append(m.method());
        }
        text.append(m.sent() ? " to " : " from ").append(plain(m.peer()));
        if (m.status() > 0) {
            text.append(", status ").append(m.status());
        }
        text.append(", ").append(m.length()).append(" bytes");
        for (Answer.Header header : m.headers()) {
            line(text, plain(header.name()) + ": " + plain(header.value()));
        }
        if (m.hidden() != null) {
            line(text, "");
            line(text, "(the body is not shown: " + m.hidden() + ")");
        } else if (m.body().length > 0) {
            line(text, "");
            body(text, m.body(), isBinary(m), indented);
        }
        if (m.cut() > 0) {
            line(text, "(" + m.cut() + " more bytes)");
        }
        return text.toString();
    }

    private static void line(StringBuilder text, String line) {
        text.append("\n| ").append(line);
    }

    private static String plain(String text) {
        StringBuilder plain = new StringBuilder(text.length());
        text.chars().forEach(c -> plain.append(c < ' ' || c >= 0x7f ? '?' : (char) c));
        return plain.toString();
    }

    /** Whether the body is of the binary wire; an error over TCP is so beside tables, too. */
    private static boolean isBinary(RawMessage m) {
        List<Answer.Header> fields = m.headers();
        if (!fields.isEmpty() && fields.get(0).name().equals("wire")) {
            return fields.get(0).value().equals("binary") || fields.size() > 1 && fields.get(1).equals(ERROR);
        }
        return fields.stream().anyMatch(field -> field.name().equals("SOAPJMS_contentType") && field.value().regionMatches(true, 0, BINARY, 0, BINARY.length()));
    }

    private static void body(StringBuilder text, byte[] body, boolean binary, boolean indented) {
        String shown = binary ? null : decoded(body);
        if (shown == null) {
            for (int row = 0; row < body.length; row += ROW) {
                StringBuilder hex = new StringBuilder(String.format("%6d ", row));
                for (int i = row; i < Math.min(row + ROW, body.length); i++) {
                    hex.append(String.format(" %02x", body[i]));
                }
                line(text, hex.toString());
            }
            return;
        }
        for (String each : (indented ? Indent.of(shown) : shown).split("\r\n|\r|\n", -1)) {
            line(text, each);
        }
    }

    /** The text of a body, which may be cut within a character; null if it is none. */
    private static String decoded(byte[] body) {
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder().onMalformedInput(CodingErrorAction.REPORT);
        CharBuffer chars = CharBuffer.allocate(body.length);
        if (decoder.decode(ByteBuffer.wrap(body), chars, false).isError()) {
            return null;
        }
        String text = chars.flip().toString();
        boolean control = text.chars().anyMatch(c -> c < ' ' && c != '\t' && c != '\n' && c != '\r' || c >= 0x7f && c < 0xa0);
        return control ? null : text;
    }

    /** Line breaks and indentation, without a demand on the text: it may be cut. */
    private static final class Indent {
        private final String from;
        private final StringBuilder out = new StringBuilder();
        private int depth;

        private Indent(String from) {
            this.from = from;
        }

        static String of(String text) {
            String trimmed = text.strip();
            Indent indent = new Indent(trimmed);
            if (trimmed.startsWith("<")) {
                indent.xml();
            } else if (trimmed.startsWith("{") || trimmed.startsWith("[")) {
                indent.json();
            } else {
                return text;
            }
            return indent.out.toString();
        }

        private void line() {
            if (out.length() > 0) {
                out.append('\n').append("  ".repeat(Math.max(0, Math.min(depth, 100))));
            }
        }

        private void json() {
            for (int i = 0; i < from.length(); i++) {
                char c = from.charAt(i);
                if (c == '"') {
                    int end = i + 1;
                    while (end < from.length() && from.charAt(end) != '"') {
                        end += from.charAt(end) == '\\' ? 2 : 1;
                    }
                    end = Math.min(end + 1, from.length());
                    out.append(from, i, end);
                    i = end - 1;
                } else if (c == '{' || c == '[') {
                    int next = i + 1;
                    while (next < from.length() && from.charAt(next) <= ' ') {
                        next++;
                    }
                    out.append(c);
                    if (next < from.length() && (from.charAt(next) == '}' || from.charAt(next) == ']')) {
                        out.append(from.charAt(next));
                        i = next;
                    } else {
                        depth++;
                        line();
                    }
                } else if (c == '}' || c == ']') {
                    depth--;
                    line();
                    out.append(c);
                } else if (c == ',') {
                    out.append(c);
                    line();
                } else if (c == ':') {
                    out.append(": ");
                } else if (c > ' ') {
                    out.append(c);
                }
            }
        }

        private int end(int at) {
            String last = from.startsWith("<!--", at) ? "-->" : from.startsWith("<![CDATA[", at) ? "]]>" : ">";
            int end = from.indexOf(last, at);
            return end < 0 ? from.length() : end + last.length();
        }

        /** An element whose content is text alone stays on its line. */
        private void xml() {
            boolean inLine = false;
            for (int at = 0; at < from.length();) {
                if (from.charAt(at) != '<' || from.startsWith("<![CDATA[", at)) {
                    int end = from.charAt(at) == '<' ? end(at) : from.indexOf('<', at) < 0 ? from.length() : from.indexOf('<', at);
                    String text = from.substring(at, end);
                    if (!text.isBlank()) {
                        out.append(text);
                        inLine = true;
                    }
                    at = end;
                    continue;
                }
                int end = end(at);
                boolean closes = from.startsWith("</", at);
                depth -= closes ? 1 : 0;
                if (!(closes && inLine)) {
                    line();
                }
                out.append(from, at, end);
                boolean opens = !closes && !from.startsWith("<?", at) && !from.startsWith("<!", at) && !from.startsWith("/>", end - 2);
                depth += opens ? 1 : 0;
                inLine = opens;
                at = end;
            }
        }
    }
}
