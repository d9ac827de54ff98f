package creo.runtime.codegen;

import creo.runtime.CreoException;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * Equality, hash code and text of values that may contain arrays, which are compared by their items. For generated code: records with array
 * components use it, since arrays are otherwise equal only if they are identical.
 */
public final class Values {
    private static final int SHOWN_BYTES = 32;
    private static final int SHOWN_ITEMS = 100;

    private Values() {}

    /** The value, which must not be null. */
    public static <T> T present(T value) {
        if (value == null) {
            throw CreoException.missing();
        }
        return value;
    }

    /** Whether two numbers are equal as record components are: NaN equals itself, and 0.0 is not -0.0. */
    public static boolean equal(float a, float b) {
        return Float.compare(a, b) == 0;
    }

    /** Whether two numbers are equal as record components are: NaN equals itself, and 0.0 is not -0.0. */
    public static boolean equal(double a, double b) {
        return Double.compare(a, b) == 0;
    }

    /** Whether two values are equal; arrays are compared by items. */
    public static boolean equal(Object a, Object b) {
        if (a == b) {
            return true;
        }
        if (a == null || b == null) {
            return false;
        }
        if (a.getClass().isArray()) {
            return Arrays.deepEquals(new Object[] {a}, new Object[] {b});
        }
        if (a instanceof List<?> left && b instanceof List<?> right) {
            return equalLists(left, right);
        }
        if (a instanceof Map<?, ?> left && b instanceof Map<?, ?> right) {
            return equalMaps(left, right);
        }
        return a.equals(b);
    }

    private static boolean equalLists(List<?> a, List<?> b) {
        if (a.size() != b.size()) {
            return false;
        }
        Iterator<?> other = b.iterator();
        for (Object item : a) {
            if (!other.hasNext() || !equal(item, other.next())) {
                return false;
            }
        }
        return !other.hasNext();
    }

    private static boolean equalMaps(Map<?, ?> a, Map<?, ?> b) {
        if (a.size() != b.size()) {
            return false;
        }
        for (Map.Entry<?, ?> entry : a.entrySet()) {
            Object other = b.get(entry.getKey());
            if (!equal(entry.getValue(), other) || other == null && !b.containsKey(entry.getKey())) {
                return false;
            }
        }
        return true;
    }

    /** A hash code that agrees with {@link #equal}. */
    public static int hash(Object a) {
        if (a == null) {
            return 0;
        }
        if (a.getClass().isArray()) {
            return Arrays.deepHashCode(new Object[] {a});
        }
        if (a instanceof List<?> list) {
            int hash = 1;
            for (Object item : list) {
                hash = 31 * hash + hash(item);
            }
            return hash;
        }
        if (a instanceof Map<?, ?> map) {
            int hash = 0;
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                hash += hash(entry.getKey()) ^ hash(entry.getValue());
            }
            return hash;
        }
        return a.hashCode();
    }

    /** The text of a value; long arrays are truncated. */
    public static String text(Object a) {
        StringBuilder out = new StringBuilder();
        append(out, a);
        return out.toString();
    }

    private static void append(StringBuilder out, Object a) {
        if (a instanceof byte[] bytes) {
            out.append(bytes.length).append(" bytes");
            String before = ": ";
            for (int i = 0; i < Math.min(bytes.length, SHOWN_BYTES); i++) {
                out.append(before).append(Character.forDigit(bytes[i] >> 4 & 15, 16)).append(Character.forDigit(bytes[i] & 15, 16));
                before = "";
            }
            out.append(bytes.length > SHOWN_BYTES ? "..." : "");
        } else if (a != null && a.getClass().isArray()) {
            appendNumbers(out, a);
        } else if (a instanceof List<?> list) {
            out.append('[');
            String before = "";
            for (Object item : list) {
                out.append(before);
                append(out, item);
                before = ", ";
            }
            out.append(']');
        } else if (a instanceof Map<?, ?> map) {
            out.append('{');
            String before = "";
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                out.append(before).append(entry.getKey()).append('=');
                append(out, entry.getValue());
                before = ", ";
            }
            out.append('}');
        } else {
            out.append(a);
        }
    }

    private static void appendNumbers(StringBuilder out, Object a) {
        if (a instanceof boolean[] v) {
            cut(out, Arrays.toString(Arrays.copyOf(v, Math.min(v.length, SHOWN_ITEMS))), v.length);
        } else if (a instanceof short[] v) {
            cut(out, Arrays.toString(Arrays.copyOf(v, Math.min(v.length, SHOWN_ITEMS))), v.length);
        } else if (a instanceof char[] v) {
            cut(out, Arrays.toString(Arrays.copyOf(v, Math.min(v.length, SHOWN_ITEMS))), v.length);
        } else if (a instanceof int[] v) {
            cut(out, Arrays.toString(Arrays.copyOf(v, Math.min(v.length, SHOWN_ITEMS))), v.length);
        } else if (a instanceof long[] v) {
            cut(out, Arrays.toString(Arrays.copyOf(v, Math.min(v.length, SHOWN_ITEMS))), v.length);
        } else if (a instanceof float[] v) {
            cut(out, Arrays.toString(Arrays.copyOf(v, Math.min(v.length, SHOWN_ITEMS))), v.length);
        } else if (a instanceof double[] v) {
            cut(out, Arrays.toString(Arrays.copyOf(v, Math.min(v.length, SHOWN_ITEMS))), v.length);
        }
    }

    private static void cut(StringBuilder out, String shown, int length) {
        if (length <= SHOWN_ITEMS) {
            out.append(shown);
        } else {
            out.append(shown, 0, shown.length() - 1).append(", ... ").append(length).append(" items]");
        }
    }
}
