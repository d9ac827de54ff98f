package bench.streams.programs;

import bench.streams.grpc.Count;
import bench.streams.grpc.Reading;
import com.google.protobuf.Message;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.CallStreamObserver;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;

/**
 * gRPC over Netty, without TLS, with a window of 8 MiB: the asynchronous stub, on the threads that read, which is the quickest way that it has. A writer stops while the transport is
 * not ready for more.
 */
public final class GrpcPeer implements Peer {
    private static final int WINDOW = 8 << 20;

    private static final String SERVICE = "streams_proto.Streaming";
    private static final MethodDescriptor<Count, Reading> READINGS =
        method(MethodDescriptor.MethodType.SERVER_STREAMING, "Readings", Count.getDefaultInstance(), Reading.getDefaultInstance());
    private static final MethodDescriptor<Reading, Count> PUT_READINGS =
        method(MethodDescriptor.MethodType.CLIENT_STREAMING, "PutReadings", Reading.getDefaultInstance(), Count.getDefaultInstance());

    /** What gRPC's compiler would generate of the interface; its program for Java is not in every registry, and is not needed for two methods. */
    private static <Q extends Message, A extends Message> MethodDescriptor<Q, A> method(MethodDescriptor.MethodType type, String name, Q request, A answer) {
        return MethodDescriptor.<Q, A>newBuilder()
            .setType(type)
            .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, name))
            .setRequestMarshaller(ProtoUtils.marshaller(request))
            .setResponseMarshaller(ProtoUtils.marshaller(answer))
            .build();
    }

    @Override
    public int serve() throws IOException {
        ServerServiceDefinition service = ServerServiceDefinition.builder(SERVICE)
            .addMethod(READINGS, ServerCalls.asyncServerStreamingCall((request, out) -> new Writer(request.getCount()).to((ServerCallStreamObserver<Reading>) out)))
            .addMethod(PUT_READINGS, ServerCalls.asyncClientStreamingCall(Adder::new))
            .build();
        return NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .directExecutor()
            .flowControlWindow(WINDOW)
            .addService(service)
            .build()
            .start()
            .getPort();
    }

    @Override
    public Client connect(int port) {
        return new Caller(NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().directExecutor().flowControlWindow(WINDOW).build());
    }

    /** Writes readings as fast as the transport takes them. */
    private static final class Writer {
        private final long count;
        private long next;

        Writer(long count) {
            this.count = count;
        }

        void to(CallStreamObserver<Reading> out) {
            out.setOnReadyHandler(() -> write(out));
        }

        private void write(CallStreamObserver<Reading> out) {
            for (; next < count && out.isReady(); next++) {
                out.onNext(Reading.newBuilder().setTime(Data.time(next)).setValue(Data.value(next)).setFlags(Data.flags(next)).build());
            }
            if (next == count) {
                next++;
                out.onCompleted();
            }
        }
    }

    /** Adds up what a client writes. */
    private static final class Adder implements StreamObserver<Reading> {
        private final Data.Readings found = new Data.Readings();
        private final StreamObserver<Count> out;

        Adder(StreamObserver<Count> out) {
            this.out = out;
        }

        @Override
        public void onNext(Reading each) {
            found.add(each.getTime(), each.getValue(), each.getFlags());
        }

        @Override
        public void onError(Throwable problem) {
            // The client has gone: nobody waits for the sum.
        }

        @Override
        public void onCompleted() {
            out.onNext(Count.newBuilder().setCount(found.sum()).build());
            out.onCompleted();
        }
    }

    private record Caller(ManagedChannel channel) implements Client {
        @Override
        public long readBlocks(long count, int length) {
            throw new UnsupportedOperationException("gRPC has structs alone");
        }

        @Override
        public long writeBlocks(long count, int length) {
            throw new UnsupportedOperationException("gRPC has structs alone");
        }

        @Override
        public long readReadings(long count) throws Exception {
            CompletableFuture<Long> sum = new CompletableFuture<>();
            Data.Readings found = new Data.Readings();
            ClientCalls.asyncServerStreamingCall(channel.newCall(READINGS, CallOptions.DEFAULT), Count.newBuilder().setCount(count).build(), new StreamObserver<Reading>() {
                @Override
                public void onNext(Reading each) {
                    found.add(each.getTime(), each.getValue(), each.getFlags());
                }

                @Override
                public void onError(Throwable problem) {
                    sum.completeExceptionally(problem);
                }

                @Override
                public void onCompleted() {
                    sum.complete(found.sum());
                }
            });
            return sum.get();
        }

        @Override
        public long writeReadings(long count) throws Exception {
            CompletableFuture<Long> sum = new CompletableFuture<>();
            ClientCalls.asyncClientStreamingCall(channel.newCall(PUT_READINGS, CallOptions.DEFAULT), new ClientResponseObserver<Reading, Count>() {
                @Override
                public void beforeStart(ClientCallStreamObserver<Reading> out) {
                    new Writer(count).to(out);
                }

                @Override
                public void onNext(Count answer) {
                    sum.complete(answer.getCount());
                }

                @Override
                public void onError(Throwable problem) {
                    sum.completeExceptionally(problem);
                }

                @Override
                public void onCompleted() {
                    // The sum has come before.
                }
            });
            return sum.get();
        }
    }
}
