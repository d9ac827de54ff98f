package org.example.app;

import creo.jms.JmsBroker;
import creo.jms.JmsHost;
import creo.runtime.CallContext;
import java.io.IOException;
import org.example.work.Done;
import org.example.work.Work;
import org.example.work.WorkEndpoint;

/**
 * A host of the work: {@code Host NAME PORT ...}, the ports of a broker of this machine and of its backup. Takes items from the queue {@code work}, four at a time, until its
 * input ends.
 */
public final class Host implements Work {
    private final String name;

    private Host(String name) {
        this.name = name;
    }

    public static void main(String[] arguments) throws IOException {
        JmsBroker broker = JmsBroker.at("127.0.0.1", Integer.parseInt(arguments[1]));
        for (int i = 2; i < arguments.length; i++) {
            broker = broker.or("127.0.0.1", Integer.parseInt(arguments[i]));
        }
        try (JmsHost host = JmsHost.builder().broker(broker).address("jms:queue:work").sessions(4).add(WorkEndpoint.of(new Host(arguments[0]))).start()) {
            System.out.println("{\"ready\": true}");
            while (System.in.read() >= 0) {
                // Nothing is said to a host that runs.
            }
        }
    }

    @Override
    public Done work(long item) {
        try {
            Thread.sleep(10);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return new Done(item, name, CallContext.current().isRedelivered());
    }
}
