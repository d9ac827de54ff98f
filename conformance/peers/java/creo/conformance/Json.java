package creo.conformance;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** As much JSON as the peer needs: objects, arrays, strings; numbers stay texts. */
final class Json {
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    static Object parse(String text) {
        return new Json(text).value();
    }

    @SuppressWarnings("unchecked") // The harness writes objects where the peer expects them; another value fails here.
    static Map<String, Object> object(String text) {
        return (Map<String, Object>) parse(text);
    }

    private char next() {
        while (Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return text.charAt(at);
    }

    private Object value() {
        switch (next()) {
            case '{' -> {
                Map<String, Object> object = new LinkedHashMap<>();
                at++;
                while (next() != '}') {
                    String name = string();
                    next();
                    at++;
                    object.put(name, value());
                    if (next() == ',') {
                        at++;
                        next();
                    }
                }
                at++;
                return object;
            }
            case '[' -> {
                List<Object> array = new ArrayList<>();
                at++;
                while (next() != ']') {
                    array.add(value());
                    if (next() == ',') {
                        at++;
                    }
                }
                at++;
                return array;
            }
            case '"' -> {
                return string();
            }
            default -> {
                int start = at;
                while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) {
                    at++;
                }
                return text.substring(start, at);
            }
        }
    }

    private String string() {
        StringBuilder out = new StringBuilder();
        at++;
        while (text.charAt(at) != '"') {
            char c = text.charAt(at++);
            if (c != '\\') {
                out.append(c);
                continue;
            }
            char escape = text.charAt(at++);
            switch (escape) {
                case 'n' -> out.append('\n');
                case 't' -> out.append('\t');
                case 'r' -> out.append('\r');
                case 'b' -> out.append('\b');
                case 'f' -> out.append('\f');
                case 'u' -> {
                    out.append((char) Integer.parseInt(text.substring(at, at + 4), 16));
                    at += 4;
                }
                default -> out.append(escape);
            }
        }
        at++;
        return out.toString();
    }

    /** A string between quotes, in ASCII. */
    static String quote(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < 0x20 || c > 0x7e) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append('"').toString();
    }
}
