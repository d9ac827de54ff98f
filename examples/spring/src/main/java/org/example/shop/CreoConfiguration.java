package org.example.shop;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.servlet.CreoServlet;
import org.example.shop.api.Article;
import org.example.shop.api.NoSuchArticle;
import org.example.shop.api.Stock;
import org.example.shop.api.StockEndpoint;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.access.AccessDeniedException;

/** Puts the stock at {@code /creo/Stock}. */
@Configuration
class CreoConfiguration {
    @Bean
    ServletRegistrationBean<CreoServlet> creo(Stock stock) {
        CreoServlet servlet = CreoServlet.builder().add(StockEndpoint.of(new Guarded(stock))).health("/health").build();
        return new ServletRegistrationBean<>(servlet, "/creo/*");
    }

    /** Tells callers of Spring's refusals by the error that Creo has for them; any other exception would be {@code internal}. */
    private record Guarded(Stock stock) implements Stock {
        @Override
        public Article find(String name) throws NoSuchArticle {
            return stock.find(name);
        }

        @Override
        public String take(String name, int count) throws NoSuchArticle {
            try {
                return stock.take(name, count);
            } catch (AccessDeniedException e) {
                throw new CreoException(ErrorCode.PERMISSION_DENIED, "only partners take articles");
            }
        }
    }
}
