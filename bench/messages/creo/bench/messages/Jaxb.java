package creo.bench.messages;

import jakarta.xml.bind.annotation.XmlAccessType;
import jakarta.xml.bind.annotation.XmlAccessorType;
import jakarta.xml.bind.annotation.XmlElement;
import jakarta.xml.bind.annotation.XmlRootElement;
import jakarta.xml.bind.annotation.XmlSchemaType;
import jakarta.xml.bind.annotation.XmlType;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import javax.xml.datatype.DatatypeConfigurationException;
import javax.xml.datatype.DatatypeFactory;
import javax.xml.datatype.XMLGregorianCalendar;

/** The five messages as JAXB's classes, as its compiler makes them of a schema: access by fields, calendars for instants. */
public final class Jaxb {
    private static final DatatypeFactory DATES;

    static {
        try {
            DATES = DatatypeFactory.newInstance();
        } catch (DatatypeConfigurationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @XmlAccessorType(XmlAccessType.FIELD)
    @XmlType(name = "Short", propOrder = {"identification", "text"})
    public static final class Short {
        @XmlElement(required = true) public String identification;
        @XmlElement(required = true) public String text;
    }

    @XmlAccessorType(XmlAccessType.FIELD)
    @XmlType(name = "Customer", propOrder = {"number", "title", "firstName", "lastName", "street", "city", "postcode", "country", "telephone", "email",
        "active", "newsletter", "opened", "lastOrder"})
    public static final class Customer {
        @XmlElement(required = true) public String number;
        @XmlElement(required = true) public String title;
        @XmlElement(required = true) public String firstName;
        @XmlElement(required = true) public String lastName;
        @XmlElement(required = true) public String street;
        @XmlElement(required = true) public String city;
        @XmlElement(required = true) public String postcode;
        @XmlElement(required = true) public String country;
        @XmlElement(required = true) public String telephone;
        @XmlElement(required = true) public String email;
        public boolean active;
        public boolean newsletter;
        @XmlElement(required = true) @XmlSchemaType(name = "dateTime") public XMLGregorianCalendar opened;
        @XmlElement(required = true) @XmlSchemaType(name = "dateTime") public XMLGregorianCalendar lastOrder;
    }

    @XmlAccessorType(XmlAccessType.FIELD)
    @XmlType(name = "Simple", propOrder = {"identification", "customer"})
    public static final class Simple {
        @XmlElement(required = true) public String identification;
        @XmlElement(required = true) public Customer customer;
    }

    @XmlAccessorType(XmlAccessType.FIELD)
    @XmlType(name = "Medium", propOrder = {"identification", "customers"})
    public static final class Medium {
        @XmlElement(required = true) public String identification;
        public List<Customer> customers = new ArrayList<>();
    }

    @XmlAccessorType(XmlAccessType.FIELD)
    @XmlType(name = "Product", propOrder = {"code", "name", "description", "quantity", "price", "total", "inStock", "delivery"})
    public static final class Product {
        @XmlElement(required = true) public String code;
        @XmlElement(required = true) public String name;
        @XmlElement(required = true) public String description;
        public int quantity;
        public double price;
        @XmlElement(required = true) public BigDecimal total;
        public boolean inStock;
        @XmlElement(required = true) @XmlSchemaType(name = "dateTime") public XMLGregorianCalendar delivery;
    }

    @XmlAccessorType(XmlAccessType.FIELD)
    @XmlType(name = "Complex", propOrder = {"identification", "customer", "products"})
    public static final class Complex {
        @XmlElement(required = true) public String identification;
        @XmlElement(required = true) public Customer customer;
        public List<Product> products = new ArrayList<>();
    }

    @XmlAccessorType(XmlAccessType.FIELD)
    @XmlType(name = "SimpleJpeg", propOrder = {"identification", "customer", "picture"})
    public static final class SimpleJpeg {
        @XmlElement(required = true) public String identification;
        @XmlElement(required = true) public Customer customer;
        @XmlElement(required = true) public byte[] picture;
    }

    @XmlAccessorType(XmlAccessType.FIELD)
    @XmlType(name = "echoShort")
    @XmlRootElement(name = "echoShort")
    public static final class EchoShort {
        @XmlElement(required = true) public Short message;
    }

    @XmlAccessorType(XmlAccessType.FIELD)
    @XmlType(name = "echoSimple")
    @XmlRootElement(name = "echoSimple")
    public static final class EchoSimple {
        @XmlElement(required = true) public Simple message;
    }

    @XmlAccessorType(XmlAccessType.FIELD)
    @XmlType(name = "echoMedium")
    @XmlRootElement(name = "echoMedium")
    public static final class EchoMedium {
        @XmlElement(required = true) public Medium message;
    }

    @XmlAccessorType(XmlAccessType.FIELD)
    @XmlType(name = "echoComplex")
    @XmlRootElement(name = "echoComplex")
    public static final class EchoComplex {
        @XmlElement(required = true) public Complex message;
    }

    @XmlAccessorType(XmlAccessType.FIELD)
    @XmlType(name = "echoSimpleJpeg")
    @XmlRootElement(name = "echoSimpleJpeg")
    public static final class EchoSimpleJpeg {
        @XmlElement(required = true) public SimpleJpeg message;
    }

    @XmlAccessorType(XmlAccessType.FIELD)
    @XmlType(name = "echoShortResponse")
    @XmlRootElement(name = "echoShortResponse")
    public static final class EchoShortResponse {
        @XmlElement(required = true) public Short result;
    }

    @XmlAccessorType(XmlAccessType.FIELD)
    @XmlType(name = "echoSimpleResponse")
    @XmlRootElement(name = "echoSimpleResponse")
    public static final class EchoSimpleResponse {
        @XmlElement(required = true) public Simple result;
    }

    @XmlAccessorType(XmlAccessType.FIELD)
    @XmlType(name = "echoMediumResponse")
    @XmlRootElement(name = "echoMediumResponse")
    public static final class EchoMediumResponse {
        @XmlElement(required = true) public Medium result;
    }

    @XmlAccessorType(XmlAccessType.FIELD)
    @XmlType(name = "echoComplexResponse")
    @XmlRootElement(name = "echoComplexResponse")
    public static final class EchoComplexResponse {
        @XmlElement(required = true) public Complex result;
    }

    @XmlAccessorType(XmlAccessType.FIELD)
    @XmlType(name = "echoSimpleJpegResponse")
    @XmlRootElement(name = "echoSimpleJpegResponse")
    public static final class EchoSimpleJpegResponse {
        @XmlElement(required = true) public SimpleJpeg result;
    }

    private Jaxb() {}

    static Class<?> wrapper(String message) {
        return switch (message) {
            case "short" -> EchoShort.class;
            case "simple" -> EchoSimple.class;
            case "medium" -> EchoMedium.class;
            case "complex" -> EchoComplex.class;
            default -> EchoSimpleJpeg.class;
        };
    }

    static Object wrapped(String name) {
        Object plain = Plain.message(name);
        if (plain instanceof Plain.Short p) {
            EchoShort e = new EchoShort();
            e.message = new Short();
            e.message.identification = p.identification;
            e.message.text = p.text;
            return e;
        }
        if (plain instanceof Plain.Simple p) {
            EchoSimple e = new EchoSimple();
            e.message = new Simple();
            e.message.identification = p.identification;
            e.message.customer = customer(p.customer);
            return e;
        }
        if (plain instanceof Plain.Medium p) {
            EchoMedium e = new EchoMedium();
            e.message = new Medium();
            e.message.identification = p.identification;
            p.customers.forEach(c -> e.message.customers.add(customer(c)));
            return e;
        }
        if (plain instanceof Plain.Complex p) {
            EchoComplex e = new EchoComplex();
            e.message = new Complex();
            e.message.identification = p.identification;
            e.message.customer = customer(p.customer);
            p.products.forEach(each -> e.message.products.add(product(each)));
            return e;
        }
        Plain.SimpleJpeg p = (Plain.SimpleJpeg) plain;
        EchoSimpleJpeg e = new EchoSimpleJpeg();
        e.message = new SimpleJpeg();
        e.message.identification = p.identification;
        e.message.customer = customer(p.customer);
        e.message.picture = p.picture;
        return e;
    }

    static Object message(Object wrapper) {
        if (wrapper instanceof EchoShort e) {
            return e.message;
        }
        if (wrapper instanceof EchoSimple e) {
            return e.message;
        }
        if (wrapper instanceof EchoMedium e) {
            return e.message;
        }
        return wrapper instanceof EchoComplex e ? e.message : ((EchoSimpleJpeg) wrapper).message;
    }

    private static Customer customer(Plain.Customer p) {
        Customer c = new Customer();
        c.number = p.number;
        c.title = p.title;
        c.firstName = p.firstName;
        c.lastName = p.lastName;
        c.street = p.street;
        c.city = p.city;
        c.postcode = p.postcode;
        c.country = p.country;
        c.telephone = p.telephone;
        c.email = p.email;
        c.active = p.active;
        c.newsletter = p.newsletter;
        c.opened = date(p.opened);
        c.lastOrder = date(p.lastOrder);
        return c;
    }

    private static Product product(Plain.Product p) {
        Product made = new Product();
        made.code = p.code;
        made.name = p.name;
        made.description = p.description;
        made.quantity = p.quantity;
        made.price = p.price;
        made.total = p.total;
        made.inStock = p.inStock;
        made.delivery = date(p.delivery);
        return made;
    }

    private static XMLGregorianCalendar date(Instant instant) {
        return DATES.newXMLGregorianCalendar(instant.toString());
    }
}
