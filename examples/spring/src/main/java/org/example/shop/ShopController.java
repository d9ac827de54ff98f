package org.example.shop;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** The page that the shop had before. */
@RestController
class ShopController {
    private final Shelf shelf;

    ShopController(Shelf shelf) {
        this.shelf = shelf;
    }

    @GetMapping("/articles/{name}")
    String article(@PathVariable("name") String name) {
        return name + ": " + shelf.count(name).orElse(0);
    }
}
