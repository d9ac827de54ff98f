package creo.conformance;

import java.util.LinkedHashMap;
import java.util.Map;

/** Runs every scenario of {@code conformance/scenarios.md} and prints a line for each. */
final class ClientPeer {
    /** A scenario; it throws if anything is not as it should be. */
    interface Scenario {
        void run() throws Throwable;
    }

    private ClientPeer() {}

    static void run(String host, int port, String vectors) {
        Map<String, Scenario> scenarios = new LinkedHashMap<>();
        boolean fine = true;
        try (Calls calls = new Calls(host, port, vectors); Troubles troubles = new Troubles(host, port)) {
            calls.addTo(scenarios);
            troubles.addTo(scenarios);
            for (Map.Entry<String, Scenario> entry : scenarios.entrySet()) {
                fine &= report(entry.getKey(), entry.getValue());
            }
        }
        System.exit(fine ? 0 : 1);
    }

    private static boolean report(String name, Scenario scenario) {
        try {
            scenario.run();
            System.out.println("{\"scenario\": \"" + name + "\", \"ok\": true}");
            return true;
        } catch (Throwable e) {
            StackTraceElement[] stack = e.getStackTrace();
            String where = stack.length == 0 ? "" : " at " + stack[0];
            System.out.println("{\"scenario\": \"" + name + "\", \"ok\": false, \"why\": " + Json.quote(e + where) + "}");
            return false;
        }
    }

    static void check(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }

    static void equal(Object expected, Object actual) {
        check(expected.equals(actual), "expected " + expected + ", got " + actual);
    }
}
