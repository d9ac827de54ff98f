package creo.bench.messages;

import bench.messages.Calls;
import bench.messages.Complex;
import bench.messages.Customer;
import bench.messages.Medium;
import bench.messages.Product;
import bench.messages.Short;
import bench.messages.Simple;
import bench.messages.SimpleJpeg;
import creo.bench.Case;
import creo.runtime.RequestForm;

/** Creo's generated records and codecs, as requests of a wire. */
final class CreoPeer implements Case {
    private final RequestForm form;
    private final Object value;
    private final byte[] bytes;

    CreoPeer(RequestForm form, String message) {
        this.form = form;
        value = message(message);
        bytes = serialize();
    }

    @Override
    public byte[] serialize() {
        return Calls.write(form, value);
    }

    @Override
    public Object deserialize() {
        return Calls.read(form, value, bytes);
    }

    @Override
    public Object plain(Object decoded) {
        return decoded;
    }

    static Object message(String name) {
        Object plain = Plain.message(name);
        if (plain instanceof Plain.Short p) {
            return new Short(p.identification, p.text);
        }
        if (plain instanceof Plain.Simple p) {
            return new Simple(p.identification, customer(p.customer));
        }
        if (plain instanceof Plain.Medium p) {
            return new Medium(p.identification, p.customers.stream().map(CreoPeer::customer).toList());
        }
        if (plain instanceof Plain.Complex p) {
            return new Complex(p.identification, customer(p.customer), p.products.stream().map(CreoPeer::product).toList());
        }
        Plain.SimpleJpeg p = (Plain.SimpleJpeg) plain;
        return new SimpleJpeg(p.identification, customer(p.customer), p.picture);
    }

    private static Customer customer(Plain.Customer c) {
        return new Customer(c.number, c.title, c.firstName, c.lastName, c.street, c.city, c.postcode, c.country, c.telephone, c.email, c.active, c.newsletter,
            c.opened, c.lastOrder);
    }

    private static Product product(Plain.Product p) {
        return new Product(p.code, p.name, p.description, p.quantity, p.price, p.total, p.inStock, p.delivery);
    }
}
