package bench.orders.programs;

import com.google.protobuf.Message;
import creo.bench.workloads.proto.Item;
import creo.bench.workloads.proto.Key;
import creo.bench.workloads.proto.Order;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;

/** The same service on gRPC, on the threads that read, which is the quickest way that it has. Its method is what its compiler would generate. */
public final class GrpcShop {
    private static final String SERVICE = "bench.orders.Shop";
    private static final MethodDescriptor<Key, Order> GET = MethodDescriptor.<Key, Order>newBuilder()
        .setType(MethodDescriptor.MethodType.UNARY)
        .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, "Get"))
        .setRequestMarshaller(ProtoUtils.marshaller(Key.getDefaultInstance()))
        .setResponseMarshaller(ProtoUtils.marshaller(Order.getDefaultInstance()))
        .build();

    private GrpcShop() {}

    public static void main(String[] args) throws Exception {
        ServerServiceDefinition service =
            ServerServiceDefinition.builder(SERVICE).addMethod(GET, ServerCalls.asyncUnaryCall((key, out) -> answer(out, order(key.getId())))).build();
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        Shop.untilInputEnds(NettyServerBuilder.forAddress(address).directExecutor().addService(service).build().start().getPort());
    }

    private static Order order(long id) {
        Instant placed = Shop.placed(id);
        Order.Builder order = Order.newBuilder()
            .setId(id)
            .setCustomer(Shop.CUSTOMER)
            .setPlaced(creo.bench.workloads.proto.Instant.newBuilder().setSeconds(placed.getEpochSecond()).setNanoseconds(placed.getNano()));
        for (int i = 0; i < Shop.ITEMS; i++) {
            Item.Builder item = Item.newBuilder().setSku(Shop.sku(id, i)).setQuantity(i + 1).setPrice(Shop.price(id, i));
            if (Shop.note(i) != null) {
                item.setNote(Shop.note(i));
            }
            order.addItems(item);
        }
        return order.putTags("channel", "téléphone").putTags("campaign", Shop.campaign(id)).build();
    }

    private static <T extends Message> void answer(StreamObserver<T> out, T message) {
        out.onNext(message);
        out.onCompleted();
    }
}
