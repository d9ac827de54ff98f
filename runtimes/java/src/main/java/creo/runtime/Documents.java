package creo.runtime;

/** Makes the WSDL and OpenAPI documents of a service for the address at which they were requested. For generated code. */
public final class Documents {
    private Documents() {}

    /**
     * The WSDL with the address in it.
     *
     * @param address where the document was requested; it comes from the caller and is escaped
     * @param mark the placeholder for the address in the text
     * @param parts of the text
     */
    public static String wsdl(String address, String mark, String... parts) {
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

    /** The OpenAPI document with the address in it; the parameters are those of {@link #wsdl}. */
    public static String openApi(String address, String mark, String... parts) {
        StringBuilder escaped = new StringBuilder();
        for (int i = 0; i < address.length(); i++) {
            char c = address.charAt(i);
            switch (c) {
                case '"', '\\' -> escaped.append('\\').append(c);
                default -> escaped.append(c < ' ' || Character.isSurrogate(c) ? '?' : c);
            }
        }
        return String.join("", parts).replace(mark, escaped);
    }
}
