package creo.bench.response;

import com.google.protobuf.Message;
import com.google.protobuf.UnsafeByteOperations;
import creo.bench.gen.proto.Block;
import creo.bench.gen.proto.Bytes;
import creo.bench.gen.proto.Count;
import creo.bench.gen.proto.Numbers;
import creo.bench.gen.proto.Strings;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.function.ToIntFunction;

/**
 * gRPC over Netty, without TLS: blocking calls on one channel; calls are served on the reading thread, as its documentation advises for methods that
 * do not block; a window that suits large requests. Requests are prebuilt messages, which flatters it: they cache their sizes.
 */
public final class GrpcPeer implements Peer {
    private static final int WINDOW = 8 << 20;

    private static final String SERVICE = "response_proto.Response";
    private static final MethodDescriptor<Numbers, Count> PUT_NUMBERS = method("PutNumbers", Numbers.getDefaultInstance());
    private static final MethodDescriptor<Strings, Count> PUT_STRINGS = method("PutStrings", Strings.getDefaultInstance());
    private static final MethodDescriptor<Bytes, Count> PUT_BYTES = method("PutBytes", Bytes.getDefaultInstance());

    private ManagedChannel shared;

    /** What gRPC's compiler would generate of the interface; its program for Java is not in every registry, and is not needed for three methods. */
    private static <T extends Message> MethodDescriptor<T, Count> method(String name, T request) {
        return MethodDescriptor.<T, Count>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, name))
            .setSampledToLocalTracing(true)
            .setRequestMarshaller(ProtoUtils.marshaller(request))
            .setResponseMarshaller(ProtoUtils.marshaller(Count.getDefaultInstance()))
            .build();
    }

    private static <T> ServerCallHandler<T, Count> handler(ToIntFunction<T> items) {
        return ServerCalls.asyncUnaryCall((request, out) -> {
            out.onNext(Count.newBuilder().setItems(items.applyAsInt(request)).build());
            out.onCompleted();
        });
    }

    private static ServerServiceDefinition service() {
        return ServerServiceDefinition.builder(SERVICE)
            .addMethod(PUT_NUMBERS, handler(r -> Received.numbers(r.getBlocksCount(), i -> r.getBlocks(i).getD(), i -> r.getBlocks(i).getS())))
            .addMethod(PUT_STRINGS, handler(r -> Received.strings(r.getItemsCount(), r::getItems)))
            .addMethod(PUT_BYTES, handler(r -> Received.bytes(r.getData().size(), i -> r.getData().byteAt(i))))
            .build();
    }

    @Override
    public String serve() throws IOException {
        Server server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .directExecutor()
            .maxInboundMessageSize(Integer.MAX_VALUE)
            .flowControlWindow(WINDOW)
            .addService(service())
            .build()
            .start();
        return Integer.toString(server.getPort());
    }

    @Override
    public Client connect(String address) {
        if (shared == null) {
            shared = NettyChannelBuilder.forAddress("127.0.0.1", Integer.parseInt(address)).usePlaintext().directExecutor().flowControlWindow(WINDOW).build();
        }
        return new Sender(shared);
    }

    private record Sender(ManagedChannel channel) implements Client {
        @Override
        public Object prepare(Kind kind, int count) {
            return switch (kind) {
                case NUMBERS ->
                    Numbers.newBuilder().addAllBlocks(Data.list(count, i -> Block.newBuilder().setD(Data.d(i)).setS(Data.s(i)).build())).build();
                case STRINGS -> Strings.newBuilder().addAllItems(Data.strings(count)).build();
                case BYTES -> Bytes.newBuilder().setData(UnsafeByteOperations.unsafeWrap(Data.bytes(count))).build();
            };
        }

        @Override
        public int call(Kind kind, Object request) {
            return switch (kind) {
                case NUMBERS -> ClientCalls.blockingUnaryCall(channel, PUT_NUMBERS, CallOptions.DEFAULT, (Numbers) request).getItems();
                case STRINGS -> ClientCalls.blockingUnaryCall(channel, PUT_STRINGS, CallOptions.DEFAULT, (Strings) request).getItems();
                case BYTES -> ClientCalls.blockingUnaryCall(channel, PUT_BYTES, CallOptions.DEFAULT, (Bytes) request).getItems();
            };
        }
    }
}
