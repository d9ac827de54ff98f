package creo.conformance;

import creo.runtime.ClientOptions;
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
        try (Calls calls = new Calls(Door.tcp(Door.Tcp.BINARY, host, port), vectors, ClientOptions.DEFAULT); Troubles troubles = new Troubles(Door.Tcp.BINARY, host, port, ClientOptions.DEFAULT)) {
            calls.addTo(scenarios);
            troubles.addTo(scenarios);
            new Seen(Door.tcp(Door.Tcp.BINARY, host, port), ClientOptions.DEFAULT, false).addTo(scenarios);
            new StreamCalls(Door.tcp(Door.Tcp.BINARY, host, port), ClientOptions.DEFAULT).addTo(scenarios);
            report(scenarios);
        }
    }

    /** The same with tables instead of the binary wire (TDX-52). */
    static void tables(String host, int port, String vectors) {
        Map<String, Scenario> scenarios = new LinkedHashMap<>();
        Door door = Door.tcp(Door.Tcp.TABLES, host, port);
        ClientOptions options = ClientOptions.DEFAULT;
        try (Calls calls = new Calls(door, vectors, options); Troubles troubles = new Troubles(Door.Tcp.TABLES, host, port, options)) {
            calls.addTo(scenarios);
            troubles.addTo(scenarios);
            new Seen(door, options, false).addTo(scenarios);
            HttpPeer.addSchemes(scenarios, door, options);
            report(scenarios);
        }
    }

    /** Runs them all, and ends the program. */
    static void report(Map<String, Scenario> scenarios) {
        boolean fine = true;
        for (Map.Entry<String, Scenario> entry : scenarios.entrySet()) {
            fine &= report(entry.getKey(), entry.getValue());
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
