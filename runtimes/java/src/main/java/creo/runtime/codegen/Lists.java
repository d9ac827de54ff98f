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
 * Lists and maps of generated code. They are deeply unmodifiable and know whether they may hold null. A constructor can therefore take them over
 * without checking each item.
 */
public final class Lists {
    private static final Frozen<?> NO_ITEMS = new Frozen<>(new Object[0], false);
    private static final FrozenMap<?, ?> NO_ENTRIES = new FrozenMap<>(new LinkedHashMap<>(), false);

    private Lists() {}

    /** An unmodifiable list of the first {@code n} items, none of them null. It takes over the array. */
    public static <T> List<T> frozen(Object[] items, int n) {
        return frozen(items, n, false);
    }

    /** An unmodifiable list of the first {@code n} items. It takes over the array. */
    public static <T> List<@Nullable T> frozenNullable(Object[] items, int n) {
        return frozen(items, n, true);
    }

    private static <T> List<T> frozen(Object[] items, int n, boolean nulls) {
        return n == 0 ? none() : new Frozen<>(n == items.length ? items : Arrays.copyOf(items, n), nulls);
    }

    /** An unmodifiable list without items. */
    @SuppressWarnings("unchecked") // The list is empty.
    public static <T> List<T> none() {
        return (List<T>) NO_ITEMS;
    }

    /** An unmodifiable map without null values, in the same order. It takes over the map. */
    public static <K, V> Map<K, V> frozen(LinkedHashMap<K, V> map) {
        return new FrozenMap<>(map, false);
    }

    /** An unmodifiable map in the same order. It takes over the map. */
    public static <K, V> Map<K, @Nullable V> frozenNullable(LinkedHashMap<K, V> map) {
        return new FrozenMap<>(map, true);
    }

    /**
     * The list itself, or a copy if it is modifiable.
     *
     * @param field the field's name, for errors
     * @throws NullPointerException for a null list or item, with the field and the item's index
     */
    public static <T> List<T> copyOf(List<T> list, String field) {
        Objects.requireNonNull(list, field);
        try {
            return isFrozen(list, false) ? list : List.copyOf(list);
        } catch (NullPointerException e) {
            throw new NullPointerException(field + "[" + new ArrayList<>(list).indexOf(null) + "]");
        }
    }

    /** As {@link #copyOf(List, String)}, applying {@code items} to each item. */
    public static <T> List<T> copyOf(List<T> list, String field, UnaryOperator<T> items) {
        return copyOf(list, field, items, false);
    }

    /** The list itself, or a copy if it is modifiable. Its items may be null. */
    public static <T> List<@Nullable T> copyOfNullable(List<T> list, String field) {
        return copyOf(list, field, UnaryOperator.identity(), true);
    }

    /** As {@link #copyOfNullable(List, String)}, applying {@code items} to each item that is not null. */
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
     * The map itself, or a copy in the same order if it is modifiable.
     *
     * @param field the field's name, for errors
     * @throws NullPointerException for a null map, key or value, with the field and the entry's index
     */
    public static <K, V> Map<K, V> copyOf(Map<K, V> map, String field) {
        return copyOf(map, field, UnaryOperator.identity());
    }

    /** As {@link #copyOf(Map, String)}, applying {@code values} to each value. */
    public static <K, V> Map<K, V> copyOf(Map<K, V> map, String field, UnaryOperator<V> values) {
        return copyOf(map, field, values, false);
    }

    /** The map itself, or a copy in the same order if it is modifiable. Its values may be null. */
    public static <K, V> Map<K, @Nullable V> copyOfNullable(Map<K, V> map, String field) {
        return copyOfNullable(map, field, UnaryOperator.identity());
    }

    /** As {@link #copyOfNullable(Map, String)}, applying {@code values} to each value that is not null. */
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

    @SuppressWarnings("unchecked") // The list holds items of type T, or the map is empty.
    private static <T> T unchecked(Object value) {
        return (T) value;
    }

    /** A list with random access: the list itself if it has it. */
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
        @SuppressWarnings("unchecked") // Generated code stores only items of type T.
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
            return new Walk<>(items);
        }

        @Override
        public Object[] toArray() {
            return Arrays.copyOf(items, items.length, Object[].class);
        }
    }

    private static final class Walk<T> implements Iterator<T> {
        private final Object[] items;
        private int next;

        Walk(Object[] items) {
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
