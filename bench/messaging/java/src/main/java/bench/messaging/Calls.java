package bench.messaging;

import creo.runtime.ResponseForm;
import java.util.List;

/** The answers of {@code items} in the forms of the wires; its method is known in this package alone. */
public final class Calls {
    private Calls() {}

    public static byte[] write(ResponseForm form, List<Item> items) {
        return form.write(MessagingMethods.ITEMS, items);
    }

    public static List<Item> read(ResponseForm form, byte[] bytes) {
        return form.read(MessagingMethods.ITEMS, bytes);
    }
}
