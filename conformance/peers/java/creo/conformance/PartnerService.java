package creo.conformance;

import conformance.xml.Collected;
import conformance.xml.Inlines;
import conformance.xml.Missing;
import conformance.xml.Named;
import conformance.xml.Names;
import conformance.xml.Open;
import conformance.xml.Partner;
import conformance.xml.Price;
import conformance.xml.Stamped;
import conformance.xml.Told;
import conformance.xml.Welcome;
import conformance.xml.Zoo;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

/** The service whose messages look as a partner wants them. */
final class PartnerService implements Partner {
    @Override
    public long sum(int left, int right) {
        return (long) left + right;
    }

    /** Returns a price with the request's first name and its id; throws for the names {@code missing} and {@code told}. */
    @Override
    public Price quote(Named request) throws Missing, Told {
        switch (request.first()) {
            case "missing" -> throw new Missing(request.id(), request.first());
            case "told" -> throw new Told(request.first());
            default -> {
                return new Price(request.first(), BigDecimal.valueOf(request.id()));
            }
        }
    }

    @Override
    public String greet(String session, String name, String hint) {
        return session + " " + name + " " + (hint == null ? "-" : hint);
    }

    /** Returns the session, and a hint unless there is one. */
    @Override
    public Welcome welcome(String name, Named session) {
        return new Welcome("welcome " + name, session, session == null ? "new" : null);
    }

    /** Throws for 0. */
    @Override
    public Stamped stamp(long number) throws Told {
        if (number == 0) {
            throw new Told("no stamp");
        }
        return new Stamped(new Price("stamp", BigDecimal.valueOf(number)), -number);
    }

    /** Throws for 0. */
    @Override
    public Collected collect(long number) throws Told {
        if (number == 0) {
            throw new Told("nothing");
        }
        return new Collected(new Named("first", "b", "c", 5, "en", null), number > 1 ? "note" : null, List.of("x", "y"), -number);
    }

    @Override
    public String deliver(String session, Named item, String note, int count) {
        return session + " " + item.first() + " " + (note == null ? "-" : note) + " " + count;
    }

    @Override
    public void ping() {
        // There is nothing to do.
    }

    @Override
    public Inlines inlines(Inlines value) {
        return value;
    }

    @Override
    public Zoo zoo(Zoo value) {
        return value;
    }

    @Override
    public Open open(Open value) {
        return value;
    }

    @Override
    public Names names(Names value) {
        return value;
    }

    @Override
    public Open tag(String known, Map<String, String> others) {
        return new Open(known, List.of(), others);
    }

    @Override
    public void notice(String text) {
        // Never called.
    }
}
