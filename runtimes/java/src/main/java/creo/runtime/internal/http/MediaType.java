package creo.runtime.internal.http;

import creo.runtime.internal.text.TextEncoding;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * A media type with its parameters.
 *
 * @param type in lower case, such as {@code text/xml}
 * @param parameters by their names in lower case
 */
public record MediaType(String type, Map<String, String> parameters) {
    /** Parses a header; null if it is not a media type. */
    public static MediaType parse(String header) {
        if (header == null) {
            return null;
        }
        int end = header.indexOf(';');
        String type = (end < 0 ? header : header.substring(0, end)).strip().toLowerCase(Locale.ROOT);
        Map<String, String> parameters = new LinkedHashMap<>();
        int p = end;
        int n = header.length();
        while (p >= 0 && p < n) {
            p = skipSpace(header, p + 1);
            if (p == n) {
                break;
            }
            int name = p;
            while (p < n && header.charAt(p) != '=' && header.charAt(p) != ';') {
                p++;
            }
            if (p == n || header.charAt(p) == ';') {
                continue;
            }
            String key = header.substring(name, p).strip().toLowerCase(Locale.ROOT);
            p = skipSpace(header, p + 1);
            StringBuilder value = new StringBuilder();
            if (p < n && header.charAt(p) == '"') {
                for (p++; p < n && header.charAt(p) != '"'; p++) {
                    p += header.charAt(p) == '\\' && p + 1 < n ? 1 : 0;
                    value.append(header.charAt(p));
                }
                p = header.indexOf(';', Math.min(p, n));
            } else {
                int to = header.indexOf(';', p);
                value.append(header.substring(p, to < 0 ? n : to).strip());
                p = to;
            }
            parameters.putIfAbsent(key, value.toString());
        }
        return new MediaType(type, parameters);
    }

    private static int skipSpace(String s, int p) {
        while (p < s.length() && (s.charAt(p) == ' ' || s.charAt(p) == '\t')) {
            p++;
        }
        return p;
    }

    public String parameter(String name) {
        return parameters.get(name);
    }

    /** Whether XML in this encoding can be read (HTTP-2). */
    public boolean isReadable() {
        String charset = parameter("charset");
        return charset == null || charset.isEmpty() || TextEncoding.named(charset) != null;
    }

    /** Whether the media type allows UTF-8. */
    public boolean isUtf8() {
        String charset = parameter("charset");
        return charset == null || charset.equalsIgnoreCase("utf-8");
    }
}
