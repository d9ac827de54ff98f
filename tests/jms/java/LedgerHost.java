import creo.jms.JmsBroker;
import creo.jms.JmsHost;
import creo.runtime.CallContext;
import java.io.IOException;
import org.example.ledger.Ledger;
import org.example.ledger.LedgerEndpoint;
import org.example.ledger.Refused;

/**
 * A host of the ledger: {@code LedgerHost PORT FILE SESSIONS}. Appends to the file {@code begin NUMBER ID REDELIVERED TIME} when a call begins and {@code end NUMBER}
 * when it returns. Ends when its standard input does.
 */
public final class LedgerHost implements Ledger {
    private final Lines lines;

    private LedgerHost(Lines lines) {
        this.lines = lines;
    }

    public static void main(String[] arguments) throws IOException {
        JmsHost.Builder builder = JmsHost.builder()
            .broker(JmsBroker.at("127.0.0.1", Integer.parseInt(arguments[0])))
            .address("jms:queue:ledger")
            .sessions(Integer.parseInt(arguments[2]))
            .add(LedgerEndpoint.of(new LedgerHost(new Lines(arguments[1]))));
        try (JmsHost host = builder.start()) {
            System.out.println("{\"ready\": true}");
            System.out.flush();
            while (System.in.read() >= 0) {
                // Nothing is said to a host that runs.
            }
        }
    }

    @Override
    public long book(long number, int milliseconds, boolean refuse) throws Refused {
        work(number, milliseconds);
        if (refuse) {
            throw new Refused(number);
        }
        return 2 * number;
    }

    @Override
    public void note(long number, int milliseconds) {
        work(number, milliseconds);
    }

    @Override
    public void poison(long number) {
        begin(number);
        Runtime.getRuntime().halt(137);
    }

    private void begin(long number) {
        CallContext call = CallContext.current();
        lines.add("begin " + number + " " + call.id() + " " + call.isRedelivered() + " " + System.currentTimeMillis());
    }

    private void work(long number, int milliseconds) {
        begin(number);
        try {
            Thread.sleep(milliseconds);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        lines.add("end " + number);
    }
}
