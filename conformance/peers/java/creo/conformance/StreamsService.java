package creo.conformance;

import conformance.matrix.Stopped;
import conformance.matrix.Streams;
import conformance.matrix.Tick;
import creo.runtime.ItemSource;
import java.util.Iterator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** The methods with streams of {@code matrix.creo}. */
final class StreamsService implements Streams {
    @Override
    public Stream<Tick> ticks(long count) {
        return LongStream.range(0, count).mapToObj(i -> new Tick(i, "tick " + i, new double[] {i, i + 0.5}));
    }

    @Override
    public Stream<Long> stopping(int count) {
        int[] given = {0};
        return ItemSource.stream(action -> {
            if (given[0] == count) {
                throw new Stopped(count);
            }
            action.accept((long) given[0]++);
            return true;
        });
    }

    @Override
    public long sum(Stream<Long> numbers) {
        return numbers.mapToLong(n -> n).sum();
    }

    @Override
    public long first(int count, Stream<Long> numbers) throws Stopped {
        long sum = 0;
        int read = 0;
        for (Iterator<Long> each = numbers.iterator(); read < count; read++) {
            if (!each.hasNext()) {
                throw new Stopped(read);
            }
            sum += each.next();
        }
        return sum;
    }

    @Override
    public Stream<Tick> talk(Stream<Tick> asks) {
        return asks.map(ask -> new Tick(2 * ask.number(), ask.text(), ask.values()));
    }

    @Override
    public Stream<double[]> blocks(int count, int size) {
        return IntStream.range(0, count).mapToObj(i -> {
            double[] block = new double[size];
            for (int k = 0; k < size; k++) {
                block[k] = (double) i * size + k;
            }
            return block;
        });
    }

    @Override
    public double total(Stream<double[]> blocks) {
        double total = 0;
        for (Iterator<double[]> each = blocks.iterator(); each.hasNext();) {
            for (double number : each.next()) {
                total += number;
            }
        }
        return total;
    }
}
