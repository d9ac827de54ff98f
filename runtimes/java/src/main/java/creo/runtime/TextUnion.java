package creo.runtime;

/** What text wires know of a union. For generated code. */
public final class TextUnion {
    /** As declared. */
    final String name;
    TextField[] members = {};
    boolean derived;
    boolean recursive;

    private TextUnion(String name) {
        this.name = name;
    }

    public static TextUnion of(String name) {
        return new TextUnion(name);
    }

    /** The members, in declared order. */
    public TextUnion members(TextField... all) {
        members = all;
        return this;
    }

    /** The members are told apart by {@code xsi:type} (XML-37). */
    public TextUnion derived() {
        derived = true;
        return this;
    }

    /** It may hold values of its own type. */
    public TextUnion recursive() {
        recursive = true;
        return this;
    }

    String expected() {
        StringBuilder text = new StringBuilder();
        for (TextField m : members) {
            text.append(text.length() == 0 ? "" : ", ").append(derived ? m.name : m.shown());
        }
        return text.toString();
    }
}
