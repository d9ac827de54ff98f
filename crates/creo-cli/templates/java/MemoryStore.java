package @JAVA@.app;

import @JAVA@.NotFound;
import @JAVA@.Series;
import @JAVA@.SeriesStore;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;

/** Keeps series in memory. The server calls it from many threads at once. */
public final class MemoryStore implements SeriesStore {
    private final ConcurrentSkipListMap<String, Series> all = new ConcurrentSkipListMap<>();

    @Override
    public void put(Series series) {
        all.put(series.name(), series);
    }

    @Override
    public Series get(String name) throws NotFound {
        Series series = all.get(name);
        if (series == null) {
            throw new NotFound(name);
        }
        return series;
    }

    @Override
    public List<String> names() {
        return List.copyOf(all.keySet());
    }
}
