package org.example.app;

import creo.jms.JmsBroker;
import creo.jms.JmsChannel;
import creo.runtime.Wire;
import org.example.co2.DataServiceClient;

/** The same calls by a queue: {@code QueueClient BINDING HOST:PORT CSV [REPEATS]}, with the place of the broker; other bindings are those of {@link Client}. */
public final class QueueClient {
    public static void main(String[] args) throws Exception {
        Wire wire = switch (args[0]) {
            case "binary+jms" -> Wire.BINARY;
            case "tdxml+jms" -> Wire.TDXML;
            case "soap+jms" -> Wire.SOAP;
            default -> null;
        };
        if (wire == null) {
            Client.main(args);
            return;
        }
        String host = args[1].substring(0, args[1].lastIndexOf(':'));
        JmsBroker broker = JmsBroker.at(host, Integer.parseInt(args[1].substring(host.length() + 1)));
        try (JmsChannel channel = JmsChannel.of(broker, "jms:queue:co2", wire)) {
            Client.run(new DataServiceClient(channel), args);
        }
    }
}
