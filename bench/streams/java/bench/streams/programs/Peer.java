package bench.streams.programs;

import java.io.IOException;

/** A service and its client. */
public interface Peer {
    /** Starts the service, and returns its port on the loopback. */
    int serve() throws IOException;

    Client connect(int port) throws IOException;

    /** Each method returns when the stream has ended, with what its reader added up. */
    interface Client {
        long readBlocks(long count, int length) throws Exception;

        long writeBlocks(long count, int length) throws Exception;

        long readReadings(long count) throws Exception;

        long writeReadings(long count) throws Exception;
    }
}
