package creo.conformance;

import conformance.matrix.Stopped;
import conformance.matrix.Streams;
import conformance.matrix.Tick;
import creo.runtime.ItemSource;
import java.util.Arrays;
import java.util.Iterator;
import java.util.PrimitiveIterator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Gives and takes streams as {@code matrix.creo} says. */
final class StreamsService implements Streams {
    /** The tick of a number. */
    static Tick tick(long number) {
        return new Tick(number, "tick " + number, new double[] {number, number + 0.5});
    }

    @Override
    public Stream<Tick> ticks(long count) {
        return LongStream.range(0, count).mapToObj(StreamsService::tick);
    }

    @Override
    public Stream<Long> stopping(int count) {
        PrimitiveIterator.OfLong numbers = LongStream.range(0, count).iterator();
        return ItemSource.stream(action -> {
            if (!numbers.hasNext()) {
                throw new Stopped(count);
            }
            action.accept(numbers.next());
            return true;
        });
    }

    @Override
    public long sum(Stream<Long> numbers) {
        return numbers.mapToLong(Long::longValue).sum();
    }

    @Override
    public long first(int count, Stream<Long> numbers) throws Stopped {
        Iterator<Long> left = numbers.iterator();
        long sum = 0;
        for (int i = 0; i < count; i++) {
            if (!left.hasNext()) {
                throw new Stopped(i);
            }
            sum += left.next();
        }
        return sum;
    }

    @Override
    public Stream<Tick> talk(Stream<Tick> asks) {
        return asks.map(ask -> new Tick(2 * ask.number(), ask.text(), ask.values()));
    }

    @Override
    public Stream<double[]> blocks(int count, int size) {
        return IntStream.range(0, count).mapToObj(block -> {
            double[] doubles = new double[size];
            Arrays.setAll(doubles, i -> (double) ((long) block * size + i));
            return doubles;
        });
    }

    @Override
    public double total(Stream<double[]> blocks) {
        return blocks.mapToDouble(block -> Arrays.stream(block).sum()).sum();
    }
}
