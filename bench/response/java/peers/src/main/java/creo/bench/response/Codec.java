package creo.bench.response;

import java.io.IOException;

/** Bytes of a request and back, for {@link FramedPeer}. One for each connection, so it may keep what it needs. */
interface Codec {
    Object prepare(Kind kind, int count);

    void write(Kind kind, Object request, FrameOut out) throws IOException;

    /** Makes the objects of a body, and counts them through {@link Received}. */
    int read(Kind kind, byte[] bytes, int from, int length) throws IOException;
}
