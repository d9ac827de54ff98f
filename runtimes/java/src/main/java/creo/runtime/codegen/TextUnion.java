package creo.runtime.codegen;

import java.util.function.Supplier;

/** What text wires know of a union. For generated code. */
public final class TextUnion {
    /** The declared name. */
    public final String name;
    public TextField[] members = {};
    public boolean extensible;
    public boolean derived;
    public boolean recursive;

    private volatile Supplier<TextCodec<?>[]> holds;

    private TextUnion(String name) {
        this.name = name;
    }

    public static TextUnion of(String name) {
        return new TextUnion(name);
    }

    /** The members, in declared order. */
    public TextUnion members(TextField... all) {
        members = all;
        for (int i = 0; i < all.length; i++) {
            all[i].number = i;
            all[i].member = true;
        }
        return this;
    }

    /** As in {@link TextRecord}. */
    public TextUnion holds(Supplier<TextCodec<?>[]> codecs) {
        holds = codecs;
        return this;
    }

    /** As in {@link TextRecord}. */
    public void resolve() {
        Supplier<TextCodec<?>[]> known = holds;
        if (known != null) {
            TextRecord.resolve(members, known.get());
            holds = null;
        }
    }

    /** It may grow. */
    public TextUnion extensible() {
        extensible = true;
        return this;
    }

    /** The members are identified by {@code xsi:type} (XML-37). */
    public TextUnion derived() {
        derived = true;
        return this;
    }

    /** Its values may contain values of the same type. */
    public TextUnion recursive() {
        recursive = true;
        return this;
    }

    public String expected() {
        StringBuilder text = new StringBuilder();
        for (TextField m : members) {
            text.append(text.length() == 0 ? "" : ", ").append(derived ? m.name : m.shown());
        }
        return text.toString();
    }
}
