package partner;

import jakarta.xml.bind.annotation.XmlAccessType;
import jakarta.xml.bind.annotation.XmlAccessorType;
import jakarta.xml.bind.annotation.XmlAttribute;
import jakarta.xml.bind.annotation.XmlElement;
import jakarta.xml.bind.annotation.XmlElementWrapper;
import jakarta.xml.bind.annotation.XmlElements;
import jakarta.xml.bind.annotation.XmlEnum;
import jakarta.xml.bind.annotation.XmlEnumValue;
import jakarta.xml.bind.annotation.XmlList;
import jakarta.xml.bind.annotation.XmlSchemaType;
import jakarta.xml.bind.annotation.XmlSeeAlso;
import jakarta.xml.bind.annotation.XmlType;
import jakarta.xml.bind.annotation.XmlValue;
import jakarta.xml.bind.annotation.adapters.HexBinaryAdapter;
import jakarta.xml.bind.annotation.adapters.XmlJavaTypeAdapter;
import jakarta.xml.ws.WebFault;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import javax.xml.datatype.XMLGregorianCalendar;

/** The types of the partner's service. */
public final class Types {
    private Types() {}

    /** Attributes, things that are nothing, a choice that comes again, lists, simple content, dates. */
    @XmlAccessorType(XmlAccessType.FIELD)
    public static class Order {
        @XmlAttribute(required = true)
        public int number;

        @XmlAttribute
        public String language;

        @XmlElement(required = true)
        public Party customer;

        @XmlElement(required = true)
        public State state;

        @XmlElement(required = true)
        @XmlSchemaType(name = "dateTime")
        public XMLGregorianCalendar created;

        @XmlSchemaType(name = "date")
        public XMLGregorianCalendar due;

        @XmlElement(required = true)
        public Price total;

        @XmlSchemaType(name = "positiveInteger")
        public BigInteger quantity;

        @XmlElement(required = true, nillable = true)
        public String remark;

        public Double weight;

        @XmlList
        public List<Integer> codes = new ArrayList<>();

        @XmlElementWrapper(name = "tags")
        @XmlElement(name = "tag")
        public List<String> tags = new ArrayList<>();

        @XmlElements({@XmlElement(name = "goods", type = Goods.class), @XmlElement(name = "labour", type = Labour.class)})
        public List<Object> lines = new ArrayList<>();

        @XmlJavaTypeAdapter(HexBinaryAdapter.class)
        @XmlSchemaType(name = "hexBinary")
        public byte[] checksum;

        @Override
        public String toString() {
            return String.join(
                "|",
                String.valueOf(number),
                language,
                String.valueOf(customer),
                String.valueOf(state),
                String.valueOf(created),
                String.valueOf(due),
                String.valueOf(total),
                String.valueOf(quantity),
                remark,
                String.valueOf(weight),
                String.valueOf(codes),
                String.valueOf(tags),
                String.valueOf(lines),
                checksum == null ? "null" : HexFormat.of().formatHex(checksum)
            );
        }
    }

    @XmlEnum
    public enum State {
        @XmlEnumValue("in-stock")
        IN_STOCK,
        @XmlEnumValue("sold out")
        SOLD_OUT,
        @XmlEnumValue("1")
        FIRST
    }

    @XmlAccessorType(XmlAccessType.FIELD)
    public static class Price {
        @XmlAttribute(required = true)
        public String currency;

        @XmlValue
        public BigDecimal amount;

        public Price() {}

        public Price(String currency, BigDecimal amount) {
            this.currency = currency;
            this.amount = amount;
        }

        @Override
        public String toString() {
            return amount.toPlainString() + currency;
        }
    }

    @XmlSeeAlso({Person.class, Company.class})
    @XmlAccessorType(XmlAccessType.FIELD)
    public static class Party {
        @XmlElement(required = true)
        public String name;

        @XmlAttribute
        public String id;

        public Party() {}

        public Party(String name, String id) {
            this.name = name;
            this.id = id;
        }

        @Override
        public String toString() {
            return getClass().getSimpleName() + " " + name + " " + id;
        }
    }

    @XmlAccessorType(XmlAccessType.FIELD)
    public static class Person extends Party {
        @XmlElement(required = true)
        public String family;

        public Person() {}

        public Person(String name, String id, String family) {
            super(name, id);
            this.family = family;
        }

        @Override
        public String toString() {
            return super.toString() + " " + family;
        }
    }

    @XmlAccessorType(XmlAccessType.FIELD)
    public static class Company extends Party {
        @XmlElement(required = true)
        public String taxNumber;

        public Company() {}

        public Company(String name, String id, String taxNumber) {
            super(name, id);
            this.taxNumber = taxNumber;
        }

        @Override
        public String toString() {
            return super.toString() + " " + taxNumber;
        }
    }

    @XmlAccessorType(XmlAccessType.FIELD)
    public static class Goods {
        @XmlElement(required = true)
        public String article;

        public int count;

        public Goods() {}

        public Goods(String article, int count) {
            this.article = article;
            this.count = count;
        }

        @Override
        public String toString() {
            return count + " " + article;
        }
    }

    @XmlAccessorType(XmlAccessType.FIELD)
    public static class Labour {
        @XmlElement(required = true)
        public String work;

        public double hours;

        public Labour() {}

        public Labour(String work, double hours) {
            this.work = work;
            this.hours = hours;
        }

        @Override
        public String toString() {
            return hours + " h " + work;
        }
    }

    @XmlAccessorType(XmlAccessType.FIELD)
    @XmlType(name = "Missing")
    public static class Missing {
        @XmlElement(required = true)
        public String what;

        public int code;

        public Missing() {}

        public Missing(String what, int code) {
            this.what = what;
            this.code = code;
        }
    }

    @XmlAccessorType(XmlAccessType.FIELD)
    public static class Busy {
        public int seconds;
        public Party by;

        public Busy() {}

        public Busy(int seconds, Party by) {
            this.seconds = seconds;
            this.by = by;
        }
    }

    @WebFault(name = "NotFound", targetNamespace = "http://partner.example.org/orders")
    public static class NotFoundException extends Exception {
        private static final long serialVersionUID = 1;
        private final transient Missing info;

        public NotFoundException(String message, Missing info) {
            super(message);
            this.info = info;
        }

        public Missing getFaultInfo() {
            return info;
        }
    }

    @WebFault(name = "Busy", targetNamespace = "http://partner.example.org/orders")
    public static class BusyException extends Exception {
        private static final long serialVersionUID = 1;
        private final transient Busy info;

        public BusyException(String message, Busy info) {
            super(message);
            this.info = info;
        }

        public Busy getFaultInfo() {
            return info;
        }
    }
}
