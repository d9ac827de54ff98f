package bench.streams.programs;

/** The values that are sent, by the formulas of every language, and what a reader adds up. */
final class Data {
    private static final long START = 1_700_000_000_000L;

    private Data() {}

    static double[] block(int length) {
        double[] made = new double[length];
        for (int i = 0; i < length; i++) {
            made[i] = i * 0.5 + 1;
        }
        return made;
    }

    static long time(long i) {
        return START + i;
    }

    static double value(long i) {
        return i % 1000 * 0.5;
    }

    static int flags(long i) {
        return (int) (i & 7);
    }

    /** What blocks add up to: the bits of all doubles, as whole numbers. */
    static final class Blocks {
        private long bits;

        void add(double[] block) {
            long sum = 0;
            for (double each : block) {
                sum += Double.doubleToRawLongBits(each);
            }
            bits += sum;
        }

        void add(long sum) {
            bits += sum;
        }

        long sum() {
            return bits;
        }
    }

    /** What readings add up to: times, flags, and twice the values, which are halves. */
    static final class Readings {
        private long whole;
        private double values;

        void add(long time, double value, int flags) {
            whole += time + flags;
            values += value;
        }

        long sum() {
            return whole + (long) (2 * values);
        }
    }
}
