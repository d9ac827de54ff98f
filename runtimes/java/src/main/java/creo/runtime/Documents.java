package creo.runtime;

/** Makes the WSDL and OpenAPI documents of a service for its address. For generated code. */
public final class Documents {
    /** The end of a binding's element. No documentation contains it: there, {@code >} is escaped. */
    private static final String TRANSPORT = "transport=\"%s\"/>";
    private static final String HTTP = TRANSPORT.formatted("http://schemas.xmlsoap.org/soap/http");
    private static final String JMS = TRANSPORT.formatted("http://www.w3.org/2010/soapjms/");

    private Documents() {}

    /**
     * The WSDL with the address in it, and with the transport of the address: JMS if it begins with {@code jms:} (JMS-19), otherwise HTTP.
     *
     * @param address where the document was requested, or a JMS address; it is escaped
     * @param mark the placeholder for the address in the text
     * @param parts of the text
     */
    public static String wsdl(String address, String mark, String... parts) {
        StringBuilder escaped = new StringBuilder();
        address.codePoints().forEach(c -> {
            switch (c) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                default -> escaped.appendCodePoint(c < ' ' || c >= 0xd800 && c <= 0xdfff || c == 0xfffe || c == 0xffff ? '?' : c);
            }
        });
        String text = String.join("", parts);
        return (address.regionMatches(true, 0, "jms:", 0, 4) ? text.replace(HTTP, JMS) : text).replace(mark, escaped);
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
