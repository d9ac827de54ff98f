package creo.runtime.internal.http;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The cookies of one host, in memory (HTTP-43 to HTTP-45). Thread-safe. */
final class CookieJar {
    private static final int MAX_COOKIE = 4_096;
    private static final int MAX_COOKIES = 50;
    private static final int MAX_SIZE = 16_384;
    private static final long MAX_AGE = 999_999_999;
    private static final Pattern PRINTABLE = Pattern.compile("[\\x20-\\x7e]*");
    private static final Pattern AGE = Pattern.compile("(-?)0*([0-9]*)");
    private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|.*:.*");
    private static final Pattern BETWEEN = Pattern.compile("[\\t\\x20-\\x2f\\x3b-\\x40\\x5b-\\x60\\x7b-\\x7e]+");
    private static final Pattern TIME = Pattern.compile("([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?:[^0-9].*)?", Pattern.DOTALL);
    private static final Pattern DAY = Pattern.compile("([0-9]{1,2})(?:[^0-9].*)?", Pattern.DOTALL);
    private static final Pattern YEAR = Pattern.compile("([0-9]{2,4})(?:[^0-9].*)?", Pattern.DOTALL);
    private static final String MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec";

    private final String host;
    private final boolean secure;
    private final LongSupplier clock;
    private final ReentrantLock lock = new ReentrantLock();
    /** In the order in which they were first set. */
    private final Map<Key, Cookie> cookies = new LinkedHashMap<>();

    /**
     * @param host a name, or an address without brackets
     * @param secure whether requests go over TLS
     * @param clock the seconds since 1970
     */
    CookieJar(String host, boolean secure, LongSupplier clock) {
        this.host = host.toLowerCase(Locale.ROOT);
        this.secure = secure;
        this.clock = clock;
    }

    private record Key(String path, String name) {}

    /** @param end the second since 1970 in which it expires */
    private record Cookie(String value, long end) {}

    /** What attributes say, as far as they can be read. */
    private static final class Said {
        String domain = "";
        String path = "";
        boolean secure;
        String age;
        Long expires;
    }

    /** Takes the fields {@code Set-Cookie} of an answer to a request with this path. */
    void take(String path, List<String> fields) {
        for (String field : fields) {
            set(path, field);
        }
    }

    /** The value of {@code Cookie} for a request with this path; null for none. */
    String header(String path) {
        List<Map.Entry<Key, Cookie>> found = new ArrayList<>();
        lock.lock();
        try {
            dropExpired();
            for (Map.Entry<Key, Cookie> each : cookies.entrySet()) {
                if (matches(path, each.getKey().path())) {
                    found.add(Map.entry(each.getKey(), each.getValue()));
                }
            }
        } finally {
            lock.unlock();
        }
        found.sort(Comparator.comparingInt(each -> -each.getKey().path().length()));
        return found.isEmpty() ? null : String.join("; ", found.stream().map(each -> each.getKey().name() + "=" + each.getValue().value()).toList());
    }

    private void set(String requestPath, String field) {
        String[] parts = field.split(";", -1);
        int equals = parts[0].indexOf('=');
        String name = equals < 0 ? "" : trimmed(parts[0].substring(0, equals));
        if (name.isEmpty()) {
            return;
        }
        String value = trimmed(parts[0].substring(equals + 1));
        Said said = said(parts);
        String path = said.path.startsWith("/") ? said.path : defaultPath(requestPath);
        String all = name + value + path;
        if (!isOwn(said.domain) || said.secure && !secure || all.length() > MAX_COOKIE || !PRINTABLE.matcher(all).matches()) {
            return;
        }
        Key key = new Key(path, name);
        long now = clock.getAsLong();
        long end = end(said, now);
        lock.lock();
        try {
            if (end <= now) {
                cookies.remove(key);
            } else {
                cookies.put(key, new Cookie(value, end));
                makeRoom();
            }
        } finally {
            lock.unlock();
        }
    }

    private static Said said(String[] parts) {
        Said said = new Said();
        for (int i = 1; i < parts.length; i++) {
            int equals = parts[i].indexOf('=');
            String value = equals < 0 ? "" : trimmed(parts[i].substring(equals + 1));
            switch (trimmed(equals < 0 ? parts[i] : parts[i].substring(0, equals)).toLowerCase(Locale.ROOT)) {
                case "domain" -> said.domain = value;
                case "path" -> said.path = value;
                case "secure" -> said.secure = true;
                case "max-age" -> said.age = !value.isEmpty() && !value.equals("-") && AGE.matcher(value).matches() ? value : said.age;
                case "expires" -> {
                    Long date = date(value);
                    said.expires = date != null ? date : said.expires;
                }
                default -> { }
            }
        }
        return said;
    }

    private static String trimmed(String text) {
        int from = 0;
        int to = text.length();
        while (from < to && (text.charAt(from) == ' ' || text.charAt(from) == '\t')) {
            from++;
        }
        while (from < to && (text.charAt(to - 1) == ' ' || text.charAt(to - 1) == '\t')) {
            to--;
        }
        return text.substring(from, to);
    }

    /** Whether a cookie with this {@code Domain} is for the host (HTTP-44). */
    private boolean isOwn(String domain) {
        String wanted = (domain.startsWith(".") ? domain.substring(1) : domain).toLowerCase(Locale.ROOT);
        return wanted.isEmpty() || wanted.equals(host) || host.endsWith("." + wanted) && !ADDRESS.matcher(host).matches();
    }

    private static long end(Said said, long now) {
        if (said.age == null) {
            return said.expires == null ? Long.MAX_VALUE : said.expires;
        }
        Matcher age = AGE.matcher(said.age);
        if (!age.matches() || !age.group(1).isEmpty() || age.group(2).isEmpty()) {
            return Long.MIN_VALUE;
        }
        return now + (age.group(2).length() > 9 ? MAX_AGE : Long.parseLong(age.group(2)));
    }

    private void dropExpired() {
        long now = clock.getAsLong();
        cookies.values().removeIf(cookie -> cookie.end() <= now);
    }

    private void makeRoom() {
        if (!isFull()) {
            return;
        }
        dropExpired();
        while (isFull()) {
            cookies.remove(cookies.keySet().iterator().next());
        }
    }

    private boolean isFull() {
        int size = 0;
        for (Map.Entry<Key, Cookie> each : cookies.entrySet()) {
            size += each.getKey().path().length() + each.getKey().name().length() + each.getValue().value().length();
        }
        return cookies.size() > MAX_COOKIES || size > MAX_SIZE;
    }

    /** The path of a cookie that names none (RFC 6265, section 5.1.4). */
    private static String defaultPath(String path) {
        int slash = path.lastIndexOf('/');
        return slash <= 0 ? "/" : path.substring(0, slash);
    }

    /** Whether a request with this path gets a cookie with that one (RFC 6265, section 5.1.4). */
    private static boolean matches(String path, String own) {
        return path.startsWith(own) && (own.endsWith("/") || path.length() == own.length() || path.charAt(own.length()) == '/');
    }

    /** A date in seconds since 1970; null if it is none (RFC 6265, section 5.1.1). */
    private static Long date(String text) {
        Matcher time = null;
        int day = -1;
        int month = -1;
        int year = -1;
        for (String word : BETWEEN.split(text)) {
            Matcher timed = TIME.matcher(word);
            Matcher counted = DAY.matcher(word);
            Matcher dated = YEAR.matcher(word);
            if (time == null && timed.matches()) {
                time = timed;
            } else if (day < 0 && counted.matches()) {
                day = Integer.parseInt(counted.group(1));
            } else if (month < 0 && month(word) >= 0) {
                month = month(word);
            } else if (year < 0 && dated.matches()) {
                year = Integer.parseInt(dated.group(1));
            }
        }
        if (year >= 0 && year < 100) {
            year += year >= 70 ? 1900 : 2000;
        }
        if (time == null || day < 0 || month < 0 || year < 1601) {
            return null;
        }
        try {
            return LocalDateTime.of(year, month, day, Integer.parseInt(time.group(1)), Integer.parseInt(time.group(2)), Integer.parseInt(time.group(3)))
                .toEpochSecond(ZoneOffset.UTC);
        } catch (DateTimeException e) {
            return null;
        }
    }

    private static int month(String word) {
        int at = word.length() < 3 ? -1 : MONTHS.indexOf(word.substring(0, 3).toLowerCase(Locale.ROOT));
        return at < 0 || at % 4 != 0 ? -1 : at / 4 + 1;
    }
}
