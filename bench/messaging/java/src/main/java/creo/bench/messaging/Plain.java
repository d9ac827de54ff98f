package creo.bench.messaging;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/** An item that Java serializes: a plain class with its defaults, as the papers have it. */
final class Plain implements Serializable {
    private static final long serialVersionUID = 1L;

    private int number;
    private long stamp;
    private double amount;
    private String code;
    private String name;
    private String note;

    static Plain of(int number) {
        Plain item = new Plain();
        item.number = number;
        item.stamp = Fields.stamp(number);
        item.amount = Fields.amount(number);
        item.code = Fields.code(number);
        item.name = Fields.name(number);
        item.note = Fields.note(number);
        return item;
    }

    static void check(List<Plain> items) {
        for (int i = 0; i < items.size(); i++) {
            Plain item = items.get(i);
            Fields.check(i, item.number, item.stamp, item.amount, item.code, item.name, item.note);
        }
    }

    static byte[] serialize(List<Plain> items) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(64 + items.size() * Fields.PAYLOAD);
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(items);
        }
        return bytes.toByteArray();
    }

    static List<Plain> deserialize(byte[] bytes) throws IOException, ClassNotFoundException {
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
            List<?> read = (List<?>) in.readObject();
            List<Plain> items = new ArrayList<>(read.size());
            for (Object item : read) {
                items.add((Plain) item);
            }
            return items;
        }
    }
}
