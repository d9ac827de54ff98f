package creo.bench.messages;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The five messages in plain classes, for peers without their own. The values are the same in every language. */
public final class Plain {
    public static final String NAMESPACE = "urn:creo:bench:messages";

    private static final String[] TITLES = {"Mr", "Mrs", "Ms", "Dr"};
    private static final String[] FIRST = {"James", "Mary", "Zoë", "Robert", "Patricia", "John", "Jennifer", "Michael"};
    private static final String[] LAST = {"Smith", "Nguyen", "Müller", "O'Brien", "Williams", "Papadopoulos", "Brown", "Taylor"};
    private static final String[] STREETS = {"Collins Street", "Flinders Lane", "Swanston Street", "Glenferrie Road", "St Kilda Road"};
    private static final String[] CITIES = {"Melbourne", "Sydney", "Brisbane", "Adelaide", "Perth", "Hobart"};
    private static final String[] COUNTRIES = {"Australia", "New Zealand", "Singapore"};
    private static final String[] KINDS = {"Small", "Large", "Folding", "Portable", "Heavy"};
    private static final String[] THINGS = {"table", "lamp", "monitor", "printer", "keyboard", "chair", "cabinet"};
    private static final String[] TEXTS = {
        "Delivered in parts, with tools & screws", "Two years of warranty", "Made of recycled aluminium and oak", "Ships within two working days",
    };

    public static final class Short {
        public String identification;
        public String text;
    }

    public static final class Customer {
        public String number;
        public String title;
        public String firstName;
        public String lastName;
        public String street;
        public String city;
        public String postcode;
        public String country;
        public String telephone;
        public String email;
        public boolean active;
        public boolean newsletter;
        public Instant opened;
        public Instant lastOrder;
    }

    public static final class Simple {
        public String identification;
        public Customer customer;
    }

    public static final class Medium {
        public String identification;
        public List<Customer> customers = new ArrayList<>();
    }

    public static final class Product {
        public String code;
        public String name;
        public String description;
        public int quantity;
        public double price;
        public BigDecimal total;
        public boolean inStock;
        public Instant delivery;
    }

    public static final class Complex {
        public String identification;
        public Customer customer;
        public List<Product> products = new ArrayList<>();
    }

    public static final class SimpleJpeg {
        public String identification;
        public Customer customer;
        public byte[] picture;
    }

    private Plain() {}

    public static Object message(String name) {
        switch (name) {
            case "short" -> {
                Short m = new Short();
                m.identification = "REQUEST";
                m.text = "The quick brown fox jumps over the lazy dog, 50 ch";
                return m;
            }
            case "simple" -> {
                Simple m = new Simple();
                m.identification = "REQUEST";
                m.customer = customer(7);
                return m;
            }
            case "medium" -> {
                Medium m = new Medium();
                m.identification = "REQUEST";
                for (int i = 0; i < 20; i++) {
                    m.customers.add(customer(i));
                }
                return m;
            }
            case "complex" -> {
                Complex m = new Complex();
                m.identification = "REQUEST";
                m.customer = customer(7);
                for (int i = 0; i < 50; i++) {
                    m.products.add(product(i));
                }
                return m;
            }
            case "jpeg" -> {
                SimpleJpeg m = new SimpleJpeg();
                m.identification = "REQUEST";
                m.customer = customer(7);
                m.picture = picture();
                return m;
            }
            default -> throw new IllegalArgumentException(name);
        }
    }

    static Customer customer(int i) {
        Customer c = new Customer();
        c.number = "C" + (10_000_000 + i * 7919);
        c.title = TITLES[i % 4];
        c.firstName = FIRST[i % 8];
        c.lastName = LAST[i * 3 % 8];
        c.street = i * 37 % 200 + 1 + " " + STREETS[i % 5];
        c.city = CITIES[i % 6];
        c.postcode = Integer.toString(10_000 + i * 613);
        c.country = COUNTRIES[i % 3];
        c.telephone = "+61 3 " + (9000 + i) + " " + (1000 + i * 97);
        c.email = "customer" + i + "@example.org";
        c.active = i % 3 != 0;
        c.newsletter = i % 2 == 0;
        c.opened = Instant.ofEpochSecond(1_000_000_000 + i * 86_413L);
        c.lastOrder = Instant.ofEpochSecond(1_600_000_000 + i * 3_607L, i * 37 % 1000 * 1_000_000L);
        return c;
    }

    static Product product(int i) {
        Product p = new Product();
        int cents = i * 1237 + 995;
        p.code = "P-" + (100_000 + i * 31);
        p.name = KINDS[i % 5] + " " + THINGS[i % 7];
        p.description = TEXTS[i % 4];
        p.quantity = i * 7 % 20 + 1;
        p.price = cents / 100.0;
        p.total = BigDecimal.valueOf((long) cents * p.quantity, 2);
        p.inStock = i % 4 != 1;
        p.delivery = Instant.ofEpochSecond(1_650_000_000 + i * 43_200L);
        return p;
    }

    /** 14 kB that no compressor makes smaller, as a picture is. */
    static byte[] picture() {
        byte[] bytes = new byte[14 * 1024];
        int x = 1;
        for (int i = 0; i < bytes.length; i++) {
            x = x * 1_103_515_245 + 12_345;
            bytes[i] = (byte) (x >>> 16);
        }
        return bytes;
    }
}
