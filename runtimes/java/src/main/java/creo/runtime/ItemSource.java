package creo.runtime;

import creo.runtime.internal.buffer.Failures;
import java.util.Objects;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Gives the items of a stream one by one, and may throw checked exceptions: those that the method declares, and others.
 *
 * <pre>{@code
 * return ItemSource.stream(action -> {
 *     Sample next = reader.read();
 *     if (next == null) {
 *         return false;
 *     }
 *     action.accept(next);
 *     return true;
 * });
 * }</pre>
 */
@FunctionalInterface
public interface ItemSource<T> {
    /**
     * Gives the next item to the action.
     *
     * @return false if there are no more items; the action was not called then
     */
    boolean next(Consumer<? super T> action) throws Exception;

    /**
     * A sequential stream of the items of a source. Its terminal operations throw what the source throws, as it is, without declaring it.
     */
    static <T> Stream<T> stream(ItemSource<T> source) {
        Objects.requireNonNull(source, "source");
        return StreamSupport.stream(new Spliterators.AbstractSpliterator<T>(Long.MAX_VALUE, Spliterator.ORDERED) {
            @Override
            public boolean tryAdvance(Consumer<? super T> action) {
                Objects.requireNonNull(action, "action");
                try {
                    return source.next(action);
                } catch (Exception e) {
                    throw Failures.asItIs(e);
                }
            }
        }, false);
    }
}
