package org.example.shop;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Component;

/** What the shop has. */
@Component
public class Shelf {
    private final Map<String, Integer> counts = new ConcurrentHashMap<>(Map.of("tea", 12, "coffee", 7));

    public Optional<Integer> count(String name) {
        return Optional.ofNullable(counts.get(name));
    }

    public void take(String name, int count) {
        counts.merge(name, -count, Integer::sum);
    }
}
