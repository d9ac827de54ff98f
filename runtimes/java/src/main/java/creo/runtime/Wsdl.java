package creo.runtime;

/** Makes the WSDL of an interface for an address. For generated code. */
public final class Wsdl {
    private Wsdl() {}

    /**
     * The text with the address in it.
     *
     * @param address where the service was asked for it: what a caller said, and so escaped
     * @param mark what stands in the text for the address
     * @param parts of the text
     */
    public static String at(String address, String mark, String... parts) {
        StringBuilder escaped = new StringBuilder();
        for (int i = 0; i < address.length(); i++) {
            char c = address.charAt(i);
            switch (c) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                default -> escaped.append(c < ' ' || Character.isSurrogate(c) || c >= 0xfffe ? '?' : c);
            }
        }
        return String.join("", parts).replace(mark, escaped);
    }
}
