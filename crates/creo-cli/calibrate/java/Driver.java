package creo.runtime;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures what requests cost in one warm process (COST-33). Arguments: the file of the cases, the rounds, the microseconds of a sample, the milliseconds of all
 * warming, the wires with commas between them, and the classes that hold the methods. A case is a line: its number, {@code interface.method} in full, and the file of its binary
 * body. It prints lines of words: {@code progress DONE ALL}, {@code noise NANOSECONDS}, and
 * {@code point NUMBER WIRE BYTES SERIALIZE DESERIALIZE}, the least nanoseconds of all rounds.
 */
public final class Driver {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int WARM_ROUNDS = 2;
    /** How often each request is written and read before anything counts, so that its own code is compiled; large ones for a shorter while. */
    private static final int WARM_CALLS = 12_000;
    private static final long WARM_NANOSECONDS = 30_000_000;
    private static final int MANY = 200;

    /** What is made is looked at, so that none of the making can be left out. */
    private static volatile Object sink;

    private Driver() {}

    /** One case on one wire. */
    private static final class Subject<A> {
        final String number;
        final Forms form;
        final ServiceMethod<A, ?> method;
        final A value;
        final byte[] bytes;
        final double[] best = {Double.MAX_VALUE, Double.MAX_VALUE};
        final int[] count = {1, 1};

        Subject(String number, Forms form, ServiceMethod<A, ?> method, A value) {
            this.number = number;
            this.form = form;
            this.method = method;
            this.value = value;
            this.bytes = form.write(method, value);
            byte[] again = form.write(method, form.read(method, bytes));
            if (!Arrays.equals(again, bytes)) {
                throw new IllegalStateException("case " + number + " on " + form.wire + " does not come back as it went");
            }
        }

        long run(boolean serialize, int times) {
            long start = THREADS.getCurrentThreadCpuTime();
            if (serialize) {
                for (int i = 0; i < times; i++) {
                    sink = form.write(method, value);
                }
            } else {
                for (int i = 0; i < times; i++) {
                    sink = form.read(method, bytes);
                }
            }
            return THREADS.getCurrentThreadCpuTime() - start;
        }

        void warm(long nanoseconds) {
            for (boolean serialize : new boolean[] {true, false}) {
                long spent = 0;
                for (int calls = 0; calls < WARM_CALLS && spent < nanoseconds; calls += 100) {
                    spent += run(serialize, 100);
                }
            }
        }

        /** A sample of about so many nanoseconds. */
        void sample(boolean serialize, long wanted, boolean keep) {
            int k = serialize ? 0 : 1;
            long spent = run(serialize, count[k]);
            while (spent < wanted / 2 && count[k] < 1 << 24) {
                count[k] = (int) Math.min(1 << 24, Math.max(count[k] * 2L, count[k] * wanted / Math.max(spent, 1)));
                spent = run(serialize, count[k]);
            }
            if (keep) {
                best[k] = Math.min(best[k], (double) spent / count[k]);
            }
            if (spent > 2 * wanted) {
                count[k] = (int) Math.max(1, count[k] * wanted / spent);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int rounds = Integer.parseInt(args[1]);
        long wanted = Long.parseLong(args[2]) * 1000;
        long warmInAll = Long.parseLong(args[3]) * 1_000_000;
        List<String> wires = List.of(args[4].split(","));
        Map<String, ServiceMethod<?, ?>> methods = methods(Arrays.copyOfRange(args, 5, args.length));
        List<Subject<?>> subjects = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of(args[0]))) {
            String[] words = line.split("\t");
            ServiceMethod<?, ?> method = methods.get(words[1]);
            if (method == null) {
                throw new IllegalArgumentException("there is no method " + words[1]);
            }
            add(subjects, words[0], method, Files.readAllBytes(Path.of(words[2])), wires);
        }
        System.out.println("version " + System.getProperty("java.vm.name") + " " + Runtime.version());
        int all = (rounds + WARM_ROUNDS) * subjects.size();
        int done = 0;
        // Both ways of each take their share.
        long share = warmInAll / 2 / Math.max(1, subjects.size());
        long warm = subjects.size() > MANY ? WARM_NANOSECONDS : share;
        for (Subject<?> subject : subjects) {
            subject.warm(warm);
        }
        for (int round = -WARM_ROUNDS; round < rounds; round++) {
            for (Subject<?> subject : subjects) {
                subject.sample(true, wanted, round >= 0);
                subject.sample(false, wanted, round >= 0);
                if (++done % 64 == 0 || done == all) {
                    System.out.println("progress " + done + " " + all);
                }
            }
        }
        System.out.println("noise " + noise());
        for (Subject<?> s : subjects) {
            System.out.println("point " + s.number + " " + s.form.wire + " " + s.bytes.length + " " + s.best[0] + " " + s.best[1]);
        }
    }

    private static <A> void add(List<Subject<?>> subjects, String number, ServiceMethod<A, ?> method, byte[] body, List<String> wires) {
        A value = Forms.BINARY.read(method, body);
        for (Forms form : Forms.values()) {
            if (wires.contains(form.wire)) {
                subjects.add(new Subject<>(number, form, method, value));
            }
        }
    }

    /** What a loop around nothing seems to cost, a call: no time below this means anything. */
    private static double noise() {
        double least = Double.MAX_VALUE;
        for (int round = 0; round < 20; round++) {
            int times = 100_000;
            long start = THREADS.getCurrentThreadCpuTime();
            for (int i = 0; i < times; i++) {
                sink = either(i);
            }
            least = Math.min(least, (double) (THREADS.getCurrentThreadCpuTime() - start) / times);
        }
        return least;
    }

    private static Object either(int i) {
        return (i & 1) == 0 ? THREADS : Driver.class;
    }

    /** The methods that generated classes hold, by their full names. */
    private static Map<String, ServiceMethod<?, ?>> methods(String[] classes) throws Exception {
        Map<String, ServiceMethod<?, ?>> methods = new LinkedHashMap<>();
        for (String name : classes) {
            for (Field field : Class.forName(name).getDeclaredFields()) {
                if (field.getType() == ServiceMethod.class) {
                    field.setAccessible(true);
                    ServiceMethod<?, ?> method = (ServiceMethod<?, ?>) field.get(null);
                    methods.put(method.toString(), method);
                }
            }
        }
        return methods;
    }
}
