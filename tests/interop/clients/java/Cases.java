import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** Runs cases, and says how each went. */
final class Cases {
    interface Case {
        void run() throws java.lang.Exception;
    }

    private final Map<String, Case> cases = new LinkedHashMap<>();

    Cases add(String name, Case it) {
        cases.put(name, it);
        return this;
    }

    /** The exit code: 0 if all went well. */
    int run() {
        int code = 0;
        for (Map.Entry<String, Case> each : cases.entrySet()) {
            try {
                each.getValue().run();
                System.out.println("ok " + each.getKey());
            } catch (java.lang.Exception | AssertionError e) {
                System.out.println("FAIL " + each.getKey() + ": " + e.toString().replaceAll("\\s+", " "));
                code = 1;
            }
        }
        return code;
    }

    static void equal(Object wanted, Object got) {
        if (wanted == null ? got != null : !wanted.equals(got)) {
            throw new AssertionError("expected " + wanted + ", got " + got);
        }
    }

    /** Asks again, for at most 20 seconds: a oneway call may be under way. */
    static void until(Object wanted, Supplier<Object> ask) {
        long deadline = System.nanoTime() + 20_000_000_000L;
        while (!wanted.equals(ask.get())) {
            equal(true, System.nanoTime() < deadline);
        }
    }

    static byte[] pattern(int count) {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = (byte) (i * 7);
        }
        return bytes;
    }
}
