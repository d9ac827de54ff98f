package creo.runtime.codegen;

import creo.runtime.CreoException;
import creo.runtime.Nullable;
import java.io.Serializable;
import java.util.AbstractList;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Lists and maps of generated code. Those that it makes cannot be changed, nor can lists and maps within them, and they say whether
 * they may hold null. So a value that was read is taken over by a constructor without a look at its items.
 */
public final class Lists {
    private static final Frozen<?> NO_ITEMS = new Frozen<>(new Object[0], false);
    private static final FrozenMap<?, ?> NO_ENTRIES = new FrozenMap<>(new LinkedHashMap<>(), false);

    private Lists() {}

    /** An unmodifiable list of the first {@code n} items, none of them null, which the array hands over. */
    public static <T> List<T> frozen(Object[] items, int n) {
        return frozen(items, n, false);
    }

    /** An unmodifiable list of the first {@code n} items, which the array hands over. */
    public static <T> List<@Nullable T> frozenNullable(Object[] items, int n) {
        return frozen(items, n, true);
    }

    private static <T> List<T> frozen(Object[] items, int n, boolean nulls) {
        return n == 0 ? none() : new Frozen<>(n == items.length ? items : Arrays.copyOf(items, n), nulls);
    }

    /** An unmodifiable list without items. */
    @SuppressWarnings("unchecked") // It holds no item of a wrong type.
    public static <T> List<T> none() {
        return (List<T>) NO_ITEMS;
    }

    /** An unmodifiable map that is handed over, with no value null; it keeps its order. */
    public static <K, V> Map<K, V> frozen(LinkedHashMap<K, V> map) {
        return new FrozenMap<>(map, false);
    }

    /** An unmodifiable map that is handed over; it keeps its order. */
    public static <K, V> Map<K, @Nullable V> frozenNullable(LinkedHashMap<K, V> map) {
        return new FrozenMap<>(map, true);
    }

    /**
     * The list, or a copy of it if it could change.
     *
     * @param field what it is, for errors
     * @throws NullPointerException for null, and for a null item, with the field and the item's index
     */
    public static <T> List<T> copyOf(List<T> list, String field) {
        Objects.requireNonNull(list, field);
        try {
            return isFrozen(list, false) ? list : List.copyOf(list);
        } catch (NullPointerException e) {
            throw new NullPointerException(field + "[" + new ArrayList<>(list).indexOf(null) + "]");
        }
    }

    /** As {@link #copyOf(List, String)}, with what {@code items} makes of each item. */
    public static <T> List<T> copyOf(List<T> list, String field, UnaryOperator<T> items) {
        return copyOf(list, field, items, false);
    }

    /** The list, or a copy of it if it could change. Its items may be null. */
    public static <T> List<@Nullable T> copyOfNullable(List<T> list, String field) {
        return copyOf(list, field, UnaryOperator.identity(), true);
    }

    /** As {@link #copyOfNullable(List, String)}, with what {@code items} makes of each item that is not null. */
    public static <T> List<@Nullable T> copyOfNullable(List<T> list, String field, UnaryOperator<T> items) {
        return copyOf(list, field, items, true);
    }

    private static <T> List<T> copyOf(List<T> list, String field, UnaryOperator<T> items, boolean nulls) {
        Objects.requireNonNull(list, field);
        if (isFrozen(list, nulls)) {
            return list;
        }
        Object[] copy = list.toArray();
        for (int i = 0; i < copy.length; i++) {
            if (copy[i] != null) {
                copy[i] = items.apply(Lists.<T>unchecked(copy[i]));
            } else if (!nulls) {
                throw new NullPointerException(field + "[" + i + "]");
            }
        }
        return frozen(copy, copy.length, nulls);
    }

    /**
     * The map, or a copy of it in the same order if it could change.
     *
     * @param field what it is, for errors
     * @throws NullPointerException for null, and for a null key or value, with the field and the entry's index
     */
    public static <K, V> Map<K, V> copyOf(Map<K, V> map, String field) {
        return copyOf(map, field, UnaryOperator.identity());
    }

    /** As {@link #copyOf(Map, String)}, with what {@code values} makes of each value. */
    public static <K, V> Map<K, V> copyOf(Map<K, V> map, String field, UnaryOperator<V> values) {
        return copyOf(map, field, values, false);
    }

    /** The map, or a copy of it in the same order if it could change. Its values may be null. */
    public static <K, V> Map<K, @Nullable V> copyOfNullable(Map<K, V> map, String field) {
        return copyOfNullable(map, field, UnaryOperator.identity());
    }

    /** As {@link #copyOfNullable(Map, String)}, with what {@code values} makes of each value that is not null. */
    public static <K, V> Map<K, @Nullable V> copyOfNullable(Map<K, V> map, String field, UnaryOperator<V> values) {
        return copyOf(map, field, values, true);
    }

    private static <K, V> Map<K, V> copyOf(Map<K, V> map, String field, UnaryOperator<V> values, boolean nulls) {
        Objects.requireNonNull(map, field);
        if (map instanceof FrozenMap<K, V> frozen && (nulls || !frozen.nulls)) {
            return map;
        }
        if (map.isEmpty()) {
            return Lists.<FrozenMap<K, V>>unchecked(NO_ENTRIES);
        }
        LinkedHashMap<K, V> copy = new LinkedHashMap<>();
        for (Map.Entry<K, V> entry : map.entrySet()) {
            V value = entry.getValue();
            if (entry.getKey() == null || value == null && !nulls) {
                throw new NullPointerException(field + "{" + copy.size() + "}." + (entry.getKey() == null ? "key" : "value"));
            }
            copy.put(entry.getKey(), value == null ? null : values.apply(value));
        }
        return new FrozenMap<>(copy, nulls);
    }

    private static boolean isFrozen(List<?> list, boolean nulls) {
        return list instanceof Frozen<?> frozen && (nulls || !frozen.nulls);
    }

    @SuppressWarnings("unchecked") // What a list of T holds; or a map without entries.
    private static <T> T unchecked(Object value) {
        return (T) value;
    }

    /** A list whose items can be had by index at once: the list itself if it is of that kind. */
    public static <T> List<T> indexed(List<T> list) {
        if (list == null) {
            throw CreoException.missing();
        }
        return list instanceof RandomAccess ? list : new ArrayList<>(list);
    }

    private static final class Frozen<T> extends AbstractList<T> implements RandomAccess, Serializable {
        private static final long serialVersionUID = 1L;

        @SuppressWarnings("serial") // All values of generated code are serializable.
        private final Object[] items;
        /** Whether items may be null. */
        private final boolean nulls;

        Frozen(Object[] items, boolean nulls) {
            this.items = items;
            this.nulls = nulls;
        }

        @Override
        @SuppressWarnings("unchecked") // Generated code puts in nothing but T.
        public T get(int index) {
            return (T) items[index];
        }

        @Override
        public int size() {
            return items.length;
        }

        @Override
        @SuppressWarnings("unchecked")
        public void forEach(Consumer<? super T> action) {
            Objects.requireNonNull(action);
            for (Object item : items) {
                action.accept((T) item);
            }
        }

        @Override
        public Iterator<T> iterator() {
            return new Items<>(items);
        }

        @Override
        public Object[] toArray() {
            return Arrays.copyOf(items, items.length, Object[].class);
        }
    }

    private static final class Items<T> implements Iterator<T> {
        private final Object[] items;
        private int next;

        Items(Object[] items) {
            this.items = items;
        }

        @Override
        public boolean hasNext() {
            return next < items.length;
        }

        @Override
        @SuppressWarnings("unchecked") // As in Frozen.get.
        public T next() {
            if (next >= items.length) {
                throw new NoSuchElementException();
            }
            return (T) items[next++];
        }
    }

    private static final class FrozenMap<K, V> extends AbstractMap<K, V> implements Serializable {
        private static final long serialVersionUID = 1L;

        private final LinkedHashMap<K, V> map;
        /** Whether values may be null. */
        private final boolean nulls;

        FrozenMap(LinkedHashMap<K, V> map, boolean nulls) {
            this.map = map;
            this.nulls = nulls;
        }

        @Override
        public int size() {
            return map.size();
        }

        @Override
        public boolean containsKey(Object key) {
            return map.containsKey(key);
        }

        @Override
        public V get(Object key) {
            return map.get(key);
        }

        @Override
        public Set<Map.Entry<K, V>> entrySet() {
            return Collections.unmodifiableMap(map).entrySet();
        }

        @Override
        public void forEach(BiConsumer<? super K, ? super V> action) {
            map.forEach(action);
        }
    }
}
