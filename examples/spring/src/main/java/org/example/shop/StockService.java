package org.example.shop;

import io.micrometer.core.instrument.MeterRegistry;
import org.example.shop.api.Article;
import org.example.shop.api.NoSuchArticle;
import org.example.shop.api.Stock;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.stereotype.Service;

/** The stock by Creo: an ordinary bean, with Spring's security and metrics. */
@Service
public class StockService implements Stock {
    private final Shelf shelf;
    private final MeterRegistry metrics;

    public StockService(Shelf shelf, MeterRegistry metrics) {
        this.shelf = shelf;
        this.metrics = metrics;
    }

    @Override
    public Article find(String name) throws NoSuchArticle {
        return new Article(name, shelf.count(name).orElseThrow(() -> new NoSuchArticle(name)));
    }

    @Override
    @PreAuthorize("hasRole('PARTNER')")
    public String take(String name, int count) throws NoSuchArticle {
        find(name);
        shelf.take(name, count);
        metrics.counter("shop.taken", "article", name).increment(count);
        return SecurityContextHolder.getContext().getAuthentication().getName();
    }
}
