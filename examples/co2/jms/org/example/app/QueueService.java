package org.example.app;

import creo.jms.broker.EmbeddedBroker;
import creo.jms.JmsBroker;
import creo.jms.JmsHost;
import creo.runtime.Endpoint;
import creo.runtime.Server;
import org.example.co2.DataServiceEndpoint;

/** The service at ports and a queue at the same time: one implementation, on a server and on a host that takes calls from a broker. */
public final class QueueService {
    /** Serves on free ports, with a broker of its own, until its input ends: as {@link Service}, and by the queue {@code co2}. */
    public static void main(String[] args) throws Exception {
        Endpoint endpoint = DataServiceEndpoint.of(new Service());
        try (Server server = Server.builder().bind("127.0.0.1", 0).http("127.0.0.1", 0).add(endpoint).start();
             EmbeddedBroker broker = EmbeddedBroker.builder().start();
             JmsHost host = JmsHost.builder().broker(JmsBroker.at("127.0.0.1", broker.port())).address("jms:queue:co2").add(endpoint).start()) {
            System.out.println("serving on tcp://127.0.0.1:" + server.port() + " and http://127.0.0.1:" + server.httpPort()
                + "/DataService, and jms:queue:co2 at the broker jms://127.0.0.1:" + broker.port());
            while (System.in.read() >= 0) {
                // Whatever is typed is of no interest, only the end of it: then host, broker and server close in order.
            }
        }
    }
}
