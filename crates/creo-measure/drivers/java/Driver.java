package creo.runtime;

import creo.runtime.codegen.ServiceMethod;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Measures what messages cost in one warm process (COST-33). Arguments: the file of the cases, the rounds, the microseconds of a sample, the milliseconds of all
 * warming, the wires with commas between them, and the classes that hold the methods; {@code INTERFACE=PACKAGE} says where another stack's classes of an interface are.
 * A case is a line: its number,
 * {@code request} or {@code response}, {@code interface.method} in full, and the file of its binary body. It prints lines of words: {@code progress DONE ALL}, {@code noise NANOSECONDS},
 * {@code reference NANOSECONDS}, and {@code point NUMBER WIRE BYTES SERIALIZE DESERIALIZE}: the lower quartile of all slices, in nanoseconds at the clock rate at which the
 * reference takes as long as was said.
 */
public final class Driver {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int WARM_ROUNDS = 2;
    /** How often each request is written and read for compilation before anything counts; large ones for less time. */
    private static final int WARM_CALLS = 12_000;
    private static final long WARM_NANOSECONDS = 30_000_000;
    /** Of the other messages of a method, whose code is compiled already, this part. */
    private static final int AGAIN = 4;
    private static final int MANY = 200;
    private static final int SLICES = 10;
    /** The min, however long a message takes: after other messages the first call finds nothing of it in the caches. */
    private static final int LEAST = 3;
    /** Multiplications, each of which waits for the one before: some ten microseconds, that nothing but the clock's rate makes longer. */
    private static final int REFERENCE = 8_000;
    /** The clock was steady in a slice if the references around it differ by no more than this part. */
    private static final double STEADY = 0.02;
    /** Of the slices: what another program takes of a core that is shared, or the collector, is seldom taken of all. */
    private static final double QUARTER = 0.25;
    /** How often it runs for compilation before anything counts. */
    private static final int WARM_REFERENCES = 20_000;
    private static final String JAXB = "jaxb";

    /** How long the reference took before each sample that counts. */
    private static final Numbers REFERENCES = new Numbers();

    /** What the reference begins and ends with. */
    private static volatile long seed = 1;

    /** Results are stored here, which keeps the compiler from removing their computation. */
    private static volatile Object sink;

    private Driver() {}

    /** A value, as bytes and back. */
    private interface Work {
        byte[] write();

        Object read(byte[] bytes);

        /** What was read, written. */
        byte[] again(byte[] bytes);
    }

    private record Own<A>(Forms form, Forms.Message<A> message, A value) implements Work {
        @Override
        public byte[] write() {
            return form.write(message, value);
        }

        @Override
        public Object read(byte[] bytes) {
            return form.read(message, bytes);
        }

        @Override
        public byte[] again(byte[] bytes) {
            return form.write(message, form.read(message, bytes));
        }
    }

    /** Another stack with its own objects. Its document is the element in the body of Creo's SOAP message. */
    interface Stack {
        /** Its name and version. */
        String version();

        /** The objects for the body of a SOAP message. */
        Object value(byte[] soap);

        byte[] write(Object value);

        Object read(byte[] document);
    }

    private record Foreign(Stack stack, Object value) implements Work {
        @Override
        public byte[] write() {
            return stack.write(value);
        }

        @Override
        public Object read(byte[] bytes) {
            return stack.read(bytes);
        }

        @Override
        public byte[] again(byte[] bytes) {
            return stack.write(stack.read(bytes));
        }
    }

    /** As many as come. No object is made for one: the collector is not to have more to do. */
    private static final class Numbers {
        private double[] all = new double[64];
        int count;

        void add(double number) {
            if (count == all.length) {
                all = Arrays.copyOf(all, 2 * count);
            }
            all[count++] = number;
        }

        /** The number below which a share of them is, or the next above. */
        double quantile(double share) {
            if (count == 0) {
                throw new IllegalStateException("nothing was measured");
            }
            double[] sorted = Arrays.copyOf(all, count);
            Arrays.sort(sorted);
            return sorted[(int) Math.ceil(share * (count - 1))];
        }
    }

    /** One case on one wire. */
    private static final class Subject {
        final String number;
        final String wire;
        final Work work;
        final byte[] bytes;
        /** Of each way, in references. */
        final Numbers[] slices = {new Numbers(), new Numbers()};
        final int[] count = {1, 1};
        /** Of the messages of its method on its wire. */
        boolean isFirst;

        Subject(String number, String wire, Work work) {
            this.number = number;
            this.wire = wire;
            this.work = work;
            this.bytes = work.write();
            if (!Arrays.equals(work.again(bytes), bytes)) {
                throw new IllegalStateException("case " + number + " on " + wire + " does not come back as it went");
            }
        }

        long run(boolean serialize, int times) {
            long start = THREADS.getCurrentThreadCpuTime();
            if (serialize) {
                for (int i = 0; i < times; i++) {
                    sink = work.write();
                }
            } else {
                for (int i = 0; i < times; i++) {
                    sink = work.read(bytes);
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

        /**
         * A sample of about so many nanoseconds, in slices. The clock's rate changes by a fifth and more from one moment to the next, so a slice is measured by the
         * references around it, and counts if these are alike; the last one of a sample counts where none is.
         */
        void sample(boolean serialize, long wanted, boolean keep) {
            int k = serialize ? 0 : 1;
            long before = reference();
            if (keep) {
                REFERENCES.add(before);
            }
            int kept = slices[k].count;
            long all = 0;
            for (int i = 0; i < SLICES && (all < wanted || i < LEAST); i++) {
                long spent = slice(serialize, wanted / SLICES);
                all += spent;
                long after = reference();
                boolean steady = Math.abs(before - after) <= STEADY * after;
                boolean last = i == SLICES - 1 || all >= wanted && i >= LEAST - 1;
                if (keep && (steady || last && slices[k].count == kept)) {
                    slices[k].add((double) spent / count[k] / ((before + after) / 2.0));
                }
                if (spent > 2 * (wanted / SLICES)) {
                    count[k] = (int) Math.max(1, count[k] * (wanted / SLICES) / spent);
                }
                before = after;
            }
        }

        /** Grows the count until a slice is as long as was wanted. */
        private long slice(boolean serialize, long wanted) {
            int k = serialize ? 0 : 1;
            long spent = run(serialize, count[k]);
            while (spent < wanted / 2 && count[k] < 1 << 24) {
                count[k] = (int) Math.min(1 << 24, Math.max(count[k] * 2L, count[k] * wanted / Math.max(spent, 1)));
                spent = run(serialize, count[k]);
            }
            return spent;
        }
    }

    public static void main(String[] args) throws Exception {
        int rounds = Integer.parseInt(args[1]);
        long wanted = Long.parseLong(args[2]) * 1000;
        long warmInAll = Long.parseLong(args[3]) * 1_000_000;
        List<String> wires = List.of(args[4].split(","));
        Map<String, ServiceMethod<?, ?>> methods = methods(Arrays.copyOfRange(args, 5, args.length));
        Map<String, Stack> stacks = stacks(Arrays.copyOfRange(args, 5, args.length));
        List<Subject> subjects = new ArrayList<>();
        Set<String> codes = new HashSet<>();
        for (String line : Files.readAllLines(Path.of(args[0]))) {
            String[] words = line.split("\t");
            ServiceMethod<?, ?> method = methods.get(words[2]);
            if (method == null) {
                throw new IllegalArgumentException("there is no method " + words[2]);
            }
            Stack jaxb = stacks.get(words[2].substring(0, words[2].lastIndexOf('.')));
            byte[] body = Files.readAllBytes(Path.of(words[3]));
            int from = subjects.size();
            switch (words[1]) {
                case "request" -> add(subjects, words[0], Forms.Message.request(method), body, wires, jaxb);
                case "response" -> add(subjects, words[0], Forms.Message.response(method), body, wires, jaxb);
                default -> throw new IllegalArgumentException("there is no message " + words[1]);
            }
            for (Subject subject : subjects.subList(from, subjects.size())) {
                subject.isFirst = codes.add(words[1] + " " + words[2] + " " + subject.wire);
            }
        }
        String others = stacks.values().stream().map(stack -> ", " + stack.version()).distinct().collect(Collectors.joining());
        System.out.println("version " + System.getProperty("java.vm.name") + " " + Runtime.version() + others);
        int all = (rounds + WARM_ROUNDS) * subjects.size();
        int done = 0;
        // Both ways of each take their share.
        long share = warmInAll / 2 / Math.max(1, subjects.size());
        long warm = subjects.size() > MANY ? WARM_NANOSECONDS : share;
        for (int i = 0; i < WARM_REFERENCES; i++) {
            reference();
        }
        for (Subject subject : subjects) {
            subject.warm(subject.isFirst ? warm : warm / AGAIN);
        }
        for (int round = -WARM_ROUNDS; round < rounds; round++) {
            for (Subject subject : subjects) {
                subject.sample(true, wanted, round >= 0);
                subject.sample(false, wanted, round >= 0);
                if (++done % 64 == 0 || done == all) {
                    System.out.println("progress " + done + " " + all);
                }
            }
        }
        double usual = REFERENCES.quantile(0.5);
        System.out.println("noise " + noise() * usual);
        System.out.println("reference " + usual);
        for (Subject s : subjects) {
            System.out.println("point " + s.number + " " + s.wire + " " + s.bytes.length + " " + s.slices[0].quantile(QUARTER) * usual + " " + s.slices[1].quantile(QUARTER) * usual);
        }
    }

    /** The nanoseconds of a fixed amount of work now. A part of it runs first, uncounted, since a long message leaves nothing of it in the caches. */
    private static long reference() {
        THREADS.getCurrentThreadCpuTime();
        work(REFERENCE / 10);
        long start = THREADS.getCurrentThreadCpuTime();
        work(REFERENCE);
        return Math.max(1, THREADS.getCurrentThreadCpuTime() - start);
    }

    /** So many steps of fixed work. */
    private static void work(int steps) {
        long value = seed;
        for (int i = 0; i < steps; i++) {
            value = value * 6364136223846793005L + 1442695040888963407L;
        }
        seed = value;
    }

    private static <A> void add(List<Subject> subjects, String number, Forms.Message<A> message, byte[] body, List<String> wires, Stack jaxb) {
        A value = Forms.BINARY.read(message, body);
        for (Forms form : Forms.values()) {
            if (wires.contains(form.wire)) {
                subjects.add(new Subject(number, form.wire, new Own<>(form, message, value)));
            }
        }
        if (wires.contains(JAXB)) {
            if (jaxb == null) {
                throw new IllegalArgumentException("case " + number + " has no classes of JAXB");
            }
            Object theirs = jaxb.value(Forms.SOAP.write(message, value));
            byte[] back = Forms.BINARY.write(message, Forms.SOAP.read(message, inSoap(jaxb.write(theirs))));
            if (!Arrays.equals(back, body)) {
                throw new IllegalStateException("case " + number + ": JAXB's document does not hold the same values (headers of SOAP are not in it)");
            }
            subjects.add(new Subject(number, JAXB, new Foreign(jaxb, theirs)));
        }
    }

    /** A document as the body of a SOAP message. */
    private static byte[] inSoap(byte[] document) {
        String text = new String(document, StandardCharsets.UTF_8);
        String element = text.substring(text.indexOf("?>") + 2);
        String soap = "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body>" + element + "</s:Body></s:Envelope>";
        return soap.getBytes(StandardCharsets.UTF_8);
    }

    /** By interfaces. JAXB is no part of Java: its class is compiled only where it is measured. */
    private static Map<String, Stack> stacks(String[] words) throws ReflectiveOperationException {
        Map<String, Stack> stacks = new LinkedHashMap<>();
        for (String word : words) {
            int at = word.indexOf('=');
            if (at >= 0) {
                stacks.put(word.substring(0, at), (Stack) Class.forName("creo.runtime.Jaxb").getDeclaredMethod("of", String.class).invoke(null, word.substring(at + 1)));
            }
        }
        return stacks;
    }

    /** What a loop around nothing seems to cost, in references a call: no time below this means anything. */
    private static double noise() {
        double least = Double.MAX_VALUE;
        for (int round = 0; round < 20; round++) {
            int times = 100_000;
            long start = THREADS.getCurrentThreadCpuTime();
            for (int i = 0; i < times; i++) {
                sink = either(i);
            }
            least = Math.min(least, (double) (THREADS.getCurrentThreadCpuTime() - start) / times / reference());
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
            if (name.indexOf('=') >= 0) {
                continue;
            }
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
