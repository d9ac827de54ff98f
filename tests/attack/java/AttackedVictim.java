import creo.runtime.CallContext;
import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.example.attack.Color;
import org.example.attack.Fault;
import org.example.attack.Label;
import org.example.attack.Node;
import org.example.attack.Nothing;
import org.example.attack.Options;
import org.example.attack.Reading;
import org.example.attack.Refused;
import org.example.attack.Shape;
import org.example.attack.Sparse;
import org.example.attack.Victim;

/** The methods that are attacked. */
final class AttackedVictim implements Victim {
    private final Gates gates;

    AttackedVictim(Gates gates) {
        this.gates = gates;
    }

    @Override
    public String echo(String text) {
        gates.hear(text);
        return text;
    }

    @Override
    public byte[] blob(int size) {
        byte[] bytes = new byte[size];
        for (int i = 0; i < size; i++) {
            bytes[i] = (byte) (i % 251);
        }
        return bytes;
    }

    @Override
    public int size(byte[] bytes) {
        return bytes.length;
    }

    @Override
    public int readings(List<Reading> readings) {
        return readings.size();
    }

    @Override
    public int maps(List<Map<String, String>> maps) {
        return maps.size();
    }

    @Override
    public int labels(List<Label> labels) {
        return labels.size();
    }

    @Override
    public int sparse(List<Sparse> items) {
        return items.size();
    }

    @Override
    public int nothings(List<Nothing> items) {
        return items.size();
    }

    @Override
    public Map<String, Integer> table(Map<String, Integer> table) {
        return table;
    }

    @Override
    public Node node(Node node) {
        return node;
    }

    @Override
    public double sum(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        return sum;
    }

    @Override
    public BigDecimal decimal(BigDecimal value) {
        return value;
    }

    @Override
    public Instant time(Instant value) {
        return value;
    }

    @Override
    public Options options(Options value) {
        return value;
    }

    @Override
    public Shape shape(Shape value) {
        return value;
    }

    @Override
    public Color color(Color value) {
        return value;
    }

    @Override
    public void fail(Fault fault) throws Refused {
        switch (fault) {
            case REFUSED -> throw new Refused("declared");
            case SECRET -> throw new IllegalStateException("password=hunter2");
            case FORGED_LINES -> throw new IllegalStateException("first\r\nSEVERE forged line\nSEVERE forged line\u001b[31m");
            case FORGED_ERROR -> throw new CreoException(ErrorCode.PERMISSION_DENIED, "first\r\nSEVERE forged line\u001b[31m");
            case STACK_OVERFLOW -> descend(0);
            case LINKAGE -> throw new LinkageError("password=hunter2");
            case HOSTILE_MESSAGE -> throw new HostileException();
            case INTERRUPTED -> Thread.currentThread().interrupt();
            case HEAP -> {
                List<byte[]> all = new ArrayList<>();
                while (true) {
                    all.add(new byte[1_000_000]);
                }
            }
        }
    }

    private static int descend(int depth) {
        return descend(depth + 1) + 1;
    }

    @Override
    public void hold(String gate) {
        gates.pass(gate);
    }

    @Override
    public void note(String text) {
        gates.hear(text);
    }

    @Override
    public String metadata(String key) {
        return String.valueOf(CallContext.current().metadata().get(key));
    }

    /** Throws again when it is asked what it is. */
    private static final class HostileException extends RuntimeException {
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new IllegalStateException("of getMessage");
        }

        @Override
        public String toString() {
            throw new IllegalStateException("of toString");
        }
    }
}
