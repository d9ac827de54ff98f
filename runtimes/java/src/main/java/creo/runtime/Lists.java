package creo.runtime;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.function.Consumer;

/** Lists and maps of generated code. */
public final class Lists {
    private static final List<?> EMPTY = new Frozen<>(new Object[0]);

    private Lists() {}

    /** An unmodifiable list of the first {@code n} items, which the array hands over. Items may be null. */
    @SuppressWarnings("unchecked") // An empty list holds no item of a wrong type.
    public static <T> List<T> frozen(Object[] items, int n) {
        if (n == 0) {
            return (List<T>) EMPTY;
        }
        return new Frozen<>(n == items.length ? items : Arrays.copyOf(items, n));
    }

    /** An unmodifiable list without items. */
    public static <T> List<T> none() {
        return frozen(new Object[0], 0);
    }

    /** An unmodifiable view of a map that is handed over; keeps its order. */
    public static <K, V> Map<K, V> frozen(Map<K, V> map) {
        return Collections.unmodifiableMap(map);
    }

    /** A list whose items can be had by index at once: the list itself if it is of that kind. */
    public static <T> List<T> indexed(List<T> list) {
        if (list == null) {
            throw CreoException.missing();
        }
        return list instanceof RandomAccess ? list : new ArrayList<>(list);
    }

    private static final class Frozen<T> extends AbstractList<T> implements RandomAccess {
        private final Object[] items;

        Frozen(Object[] items) {
            this.items = items;
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
}
