package creo.conformance;

import creo.runtime.Limits;
import creo.runtime.codegen.TextCodec;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.lang.model.SourceVersion;

/** Values of generated types, by reflection: as JSON (spec/values.md), and through their codecs. */
final class Values {
    private static final long EXACT = (1L << 53) - 1;

    private Values() {}

    static Class<?> codec(String type) throws ClassNotFoundException {
        return Class.forName(name(type) + "Codec");
    }

    /** The class of a type: a keyword in its package is escaped. */
    private static String name(String type) {
        return Arrays.stream(type.split("\\.")).map(part -> SourceVersion.isKeyword(part) ? part + "_" : part).collect(Collectors.joining("."));
    }

    static Object decode(String type, byte[] bytes, Limits limits) throws Throwable {
        try {
            return codec(type).getMethod("fromBytes", byte[].class, Limits.class).invoke(null, bytes, limits);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    static byte[] encode(String type, Object value) throws Throwable {
        try {
            return (byte[]) codec(type).getMethod("toBytes", Class.forName(name(type))).invoke(null, value);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** The codec of a type for text wires. */
    @SuppressWarnings("unchecked") // The class is found by the name of its values' type.
    static TextCodec<Object> text(String type) throws ReflectiveOperationException {
        return (TextCodec<Object>) Class.forName(name(type) + "Text").getField("CODEC").get(null);
    }

    static String json(Object value) throws ReflectiveOperationException {
        if (value == null) {
            return "null";
        }
        if (value instanceof Boolean || value instanceof Byte || value instanceof Short || value instanceof Integer) {
            return value.toString();
        }
        if (value instanceof Long n) {
            return n > EXACT || n < -EXACT ? "\"" + n + "\"" : n.toString();
        }
        if (value instanceof Float f) {
            return f.isNaN() || f.isInfinite() ? "\"" + f + "\"" : shortest(f);
        }
        if (value instanceof Double d) {
            return d.isNaN() || d.isInfinite() ? "\"" + d + "\"" : d.toString();
        }
        if (value instanceof Character c) {
            return Character.isSurrogate(c) ? Integer.toString(c) : Json.quote(c.toString());
        }
        if (value instanceof String s) {
            return Json.quote(s);
        }
        if (value instanceof Instant i) {
            return '"' + text(i) + '"';
        }
        if (value instanceof BigDecimal d) {
            return '"' + d.toPlainString() + '"';
        }
        if (value instanceof byte[] bytes) {
            return '"' + Base64.getEncoder().encodeToString(bytes) + '"';
        }
        return composite(value);
    }

    /** The fewest digits that read back as the same number (VAL-3), which Float.toString does not always find. */
    private static String shortest(float f) {
        for (int digits = 1; digits < 9 && f != 0; digits++) {
            String text = new BigDecimal(f).round(new MathContext(digits)).toString();
            if (Float.parseFloat(text) == f) {
                return text;
            }
        }
        return Float.toString(f);
    }

    private static String composite(Object value) throws ReflectiveOperationException {
        List<String> parts = new ArrayList<>();
        if (value instanceof List<?> list) {
            for (Object item : list) {
                parts.add(json(item));
            }
            return "[" + String.join(",", parts) + "]";
        }
        if (value.getClass().isArray()) {
            for (int i = 0; i < Array.getLength(value); i++) {
                parts.add(json(Array.get(value, i)));
            }
            return "[" + String.join(",", parts) + "]";
        }
        if (value instanceof Map<?, ?> map) {
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                String key = json(entry.getKey());
                parts.add((key.startsWith("\"") ? key : '"' + key + '"') + ":" + json(entry.getValue()));
            }
            return "{" + String.join(",", parts) + "}";
        }
        if (value instanceof Enum<?> e) {
            return Json.quote(plain(e.name()));
        }
        Class<?> outer = value.getClass().getDeclaringClass();
        if (outer != null && outer.isSealed()) {
            return member(outer, value);
        }
        if (hasMethod(value.getClass(), "isKnown") && !hasStatic(codec(value.getClass().getName()), "FIELDS")) {
            boolean known = (Boolean) value.getClass().getMethod("isKnown").invoke(value);
            return known ? Json.quote(plain(value.toString())) : value.getClass().getMethod("number").invoke(value).toString();
        }
        return fields(value);
    }

    private static String fields(Object value) throws ReflectiveOperationException {
        List<Object> values = new ArrayList<>();
        if (value instanceof Record) {
            for (RecordComponent c : value.getClass().getRecordComponents()) {
                values.add(c.getAccessor().invoke(value));
            }
        } else {
            for (Field field : value.getClass().getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    field.setAccessible(true);
                    values.add(field.get(value));
                }
            }
        }
        String[] names = values.isEmpty() ? new String[0] : names(codec(value.getClass().getName()), "FIELDS");
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < names.length; i++) {
            if (values.get(i) != null) {
                parts.add(Json.quote(names[i]) + ":" + json(values.get(i)));
            }
        }
        return "{" + String.join(",", parts) + "}";
    }

    private static String member(Class<?> union, Object value) throws ReflectiveOperationException {
        String[] names = names(codec(union.getName()), "MEMBERS");
        int index = List.of(union.getPermittedSubclasses()).indexOf(value.getClass());
        if (index >= names.length) {
            Object unknown = value.getClass().getMethod("index").invoke(value);
            return "{\"#" + unknown + "\":" + json(value.getClass().getMethod("bytes").invoke(value)) + "}";
        }
        return "{" + Json.quote(names[index]) + ":" + json(value.getClass().getMethod("value").invoke(value)) + "}";
    }

    /** The declared names that a codec keeps for places. */
    private static String[] names(Class<?> codec, String constant) throws ReflectiveOperationException {
        Field field = codec.getDeclaredField(constant);
        field.setAccessible(true);
        return (String[]) field.get(null);
    }

    private static boolean hasStatic(Class<?> type, String name) {
        for (Field field : type.getDeclaredFields()) {
            if (field.getName().equals(name)) {
                return true;
            }
        }
        return false;
    }

    private static boolean hasMethod(Class<?> type, String name) {
        try {
            type.getMethod(name);
            return true;
        } catch (NoSuchMethodException e) {
            return false;
        }
    }

    /** The declared name of a constant: one that is a word of Java was given an underscore. */
    private static String plain(String name) {
        String without = name.endsWith("_") ? name.substring(0, name.length() - 1) : name;
        return javax.lang.model.SourceVersion.isKeyword(without) ? without : name;
    }

    private static String text(Instant i) {
        String whole = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss").withZone(ZoneOffset.UTC).format(i);
        int nanos = i.getNano();
        if (nanos == 0) {
            return whole + "Z";
        }
        String fraction = String.format("%09d", nanos);
        int digits = nanos % 1_000_000 == 0 ? 3 : nanos % 1_000 == 0 ? 6 : 9;
        return whole + "." + fraction.substring(0, digits) + "Z";
    }
}
