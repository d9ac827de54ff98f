package creo.bench.messages;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import javax.xml.datatype.XMLGregorianCalendar;

/** A message of any peer's classes as text, for comparing what two peers read. */
final class Dump {
    private Dump() {}

    static String of(Object value) throws IllegalAccessException {
        if (value instanceof byte[] bytes) {
            return Base64.getEncoder().encodeToString(bytes);
        }
        if (value instanceof XMLGregorianCalendar calendar) {
            return calendar.toGregorianCalendar().toInstant().toString();
        }
        if (value instanceof Collection<?> all) {
            List<String> items = new ArrayList<>();
            for (Object each : all) {
                items.add(of(each));
            }
            return items.toString();
        }
        if (value == null || value instanceof Instant || value.getClass().getName().startsWith("java.")) {
            return String.valueOf(value);
        }
        StringBuilder text = new StringBuilder("{");
        for (Field field : value.getClass().getDeclaredFields()) {
            if (!Modifier.isStatic(field.getModifiers())) {
                field.setAccessible(true);
                text.append(field.getName()).append('=').append(of(field.get(value))).append(' ');
            }
        }
        return text.append('}').toString();
    }
}
