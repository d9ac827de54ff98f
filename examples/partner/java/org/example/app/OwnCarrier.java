package org.example.app;

import creo.runtime.Server;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.example.carrier.Address;
import org.example.carrier.Carrier;
import org.example.carrier.CarrierEndpoint;
import org.example.carrier.Event;
import org.example.carrier.Parcel;
import org.example.carrier.State;
import org.example.carrier.UnknownParcel;
import org.example.carrier.bookResponse;

/** Our own service with the partner's interface: partners call it over SOAP, our own programs over the binary wire. */
public final class OwnCarrier implements Carrier {
    // Calls come from many threads at the same time.
    private final AtomicInteger orders = new AtomicInteger();
    private final Map<String, List<Event>> parcels = new ConcurrentHashMap<>();

    /** Serves both wires on the port that is given, or on a free one for 0, until its input ends. */
    public static void main(String[] args) throws Exception {
        int port = args.length > 0 ? Integer.parseInt(args[0]) : 8080;
        try (Server server = Server.builder().bind("127.0.0.1", port).add(CarrierEndpoint.of(new OwnCarrier())).start()) {
            System.out.println("http://127.0.0.1:" + server.port() + "/Carrier");
            while (System.in.read() >= 0) {
                // Only the end of the input counts.
            }
        }
    }

    @Override
    public bookResponse book(Address from, Address to, List<Parcel> parcel) {
        BigDecimal kilograms = parcel.stream().map(Parcel::kilograms).reduce(BigDecimal.ZERO, BigDecimal::add);
        String number = "O-" + orders.incrementAndGet();
        parcels.put(number, List.of(new Event(Instant.now(), from.city(), State.booked)));
        return new bookResponse(number, kilograms.add(new BigDecimal("3.50")), "2026-12-02");
    }

    @Override
    public List<Event> track(String number) throws UnknownParcel {
        List<Event> events = parcels.get(number);
        if (events == null) {
            throw new UnknownParcel(number);
        }
        return events;
    }
}
