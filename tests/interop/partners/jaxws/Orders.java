package partner;

import jakarta.jws.Oneway;
import jakarta.jws.WebMethod;
import jakarta.jws.WebParam;
import jakarta.jws.WebResult;
import jakarta.jws.WebService;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.xml.datatype.DatatypeFactory;
import partner.Types.Busy;
import partner.Types.BusyException;
import partner.Types.Company;
import partner.Types.Goods;
import partner.Types.Labour;
import partner.Types.Missing;
import partner.Types.NotFoundException;
import partner.Types.Order;
import partner.Types.Party;
import partner.Types.Person;
import partner.Types.Price;
import partner.Types.State;

/** A partner's service, written code first: CXF or the reference implementation of JAX-WS makes the WSDL. */
@WebService(name = "Orders", serviceName = "OrderService", portName = "OrdersPort", targetNamespace = "http://partner.example.org/orders")
public class Orders {
    private final List<String> notes = Collections.synchronizedList(new ArrayList<>());

    /** Returns its argument. */
    @WebResult(name = "order")
    public Order echo(@WebParam(name = "order") Order order) {
        return order;
    }

    /** What arrived, in words. */
    @WebResult(name = "text")
    public String describe(@WebParam(name = "order") Order order) {
        return order.toString();
    }

    /** An order that the service thinks out. */
    @WebResult(name = "order")
    public Order sample() throws Exception {
        DatatypeFactory moments = DatatypeFactory.newInstance();
        Order order = new Order();
        order.number = 17;
        order.language = "de-AT";
        order.customer = new Company("Creo & Co", "AT-1", "U123");
        order.state = State.IN_STOCK;
        order.created = moments.newXMLGregorianCalendar("2026-11-21T10:31:56.25+01:00");
        order.due = moments.newXMLGregorianCalendar("2026-12-24");
        order.total = new Price("EUR", new BigDecimal("1234567890123456789.10"));
        order.quantity = new BigInteger("42");
        order.remark = null;
        order.weight = 0.5;
        order.codes = List.of(3, -1, 4);
        order.tags = List.of("new", "<hot>");
        order.lines = List.of(new Goods("bolt", 100), new Labour("assembly", 1.5), new Goods("nut", 200));
        order.checksum = new byte[] {(byte) 0xca, (byte) 0xfe};
        return order;
    }

    /** Parties of every type, in the order that was asked for. */
    @WebResult(name = "party")
    public List<Party> parties(@WebParam(name = "kind") List<String> kinds) {
        List<Party> all = new ArrayList<>();
        for (String kind : kinds) {
            all.add(
                switch (kind) {
                    case "person" -> new Person("Ada", "AT-2", "Lovelace");
                    case "company" -> new Company("Creo", "AT-3", "U456");
                    default -> new Party("plain", "AT-4");
                }
            );
        }
        return all;
    }

    /** Gives back the bytes. */
    @WebResult(name = "bytes")
    public byte[] attach(@WebParam(name = "bytes") byte[] bytes) {
        return bytes;
    }

    /** Throws by its argument. */
    @WebResult(name = "name")
    public String find(@WebParam(name = "name") String name) throws NotFoundException, BusyException {
        switch (name) {
            case "nobody" -> throw new NotFoundException("there is no nobody", new Missing(name, 404));
            case "busy" -> throw new BusyException("come back later", new Busy(30, new Person("Bob", "AT-5", "Busy")));
            case "broken" -> throw new IllegalStateException("it broke");
            default -> {
                return name;
            }
        }
    }

    @WebResult(name = "greeting")
    public String greet(@WebParam(name = "session", header = true) String session, @WebParam(name = "name") String name) {
        return name + " in " + session;
    }

    @WebMethod
    public void ping() {
        // There is nothing to do.
    }

    @Oneway
    public void note(@WebParam(name = "text") String text) {
        notes.add(text);
    }

    @WebResult(name = "note")
    public List<String> noted(@WebParam(name = "prefix") String prefix) {
        synchronized (notes) {
            return notes.stream().filter(note -> note.startsWith(prefix)).toList();
        }
    }
}
