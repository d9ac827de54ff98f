package bench.streams.programs;

import bench.streams.Reading;
import bench.streams.Streaming;
import bench.streams.StreamingClient;
import bench.streams.StreamingEndpoint;
import creo.runtime.Server;
import java.io.IOException;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Creo's streams over TCP, at the defaults of host and client. */
public final class CreoPeer implements Peer {
    @Override
    public int serve() throws IOException {
        return Server.builder().tcp("127.0.0.1", 0).add(StreamingEndpoint.of(new Service())).start().port();
    }

    @Override
    public Client connect(int port) {
        return new Caller(new StreamingClient("127.0.0.1", port));
    }

    private static Stream<double[]> blocksOf(long count, int length) {
        double[] block = Data.block(length);
        return LongStream.range(0, count).mapToObj(i -> block);
    }

    private static Stream<Reading> readingsOf(long count) {
        return LongStream.range(0, count).mapToObj(i -> new Reading(Data.time(i), Data.value(i), Data.flags(i)));
    }

    private static long sumOfBlocks(Stream<double[]> blocks) {
        Data.Blocks found = new Data.Blocks();
        blocks.forEach(found::add);
        return found.sum();
    }

    private static long sumOfReadings(Stream<Reading> readings) {
        Data.Readings found = new Data.Readings();
        readings.forEach(each -> found.add(each.time(), each.value(), each.flags()));
        return found.sum();
    }

    private static final class Service implements Streaming {
        @Override
        public Stream<double[]> blocks(long count, int length) {
            return blocksOf(count, length);
        }

        @Override
        public long putBlocks(Stream<double[]> blocks) {
            return sumOfBlocks(blocks);
        }

        @Override
        public Stream<Reading> readings(long count) {
            return readingsOf(count);
        }

        @Override
        public long putReadings(Stream<Reading> readings) {
            return sumOfReadings(readings);
        }
    }

    private record Caller(StreamingClient client) implements Client {
        @Override
        public long readBlocks(long count, int length) {
            return sumOfBlocks(client.blocks(count, length));
        }

        @Override
        public long writeBlocks(long count, int length) {
            return client.putBlocks(blocksOf(count, length));
        }

        @Override
        public long readReadings(long count) {
            return sumOfReadings(client.readings(count));
        }

        @Override
        public long writeReadings(long count) {
            return client.putReadings(readingsOf(count));
        }
    }
}
