package creo.servlet;

import creo.runtime.spi.HostedHttp;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.MappingMatch;
import java.io.IOException;
import java.io.InputStream;
import java.security.Principal;
import java.security.cert.X509Certificate;
import java.util.Enumeration;
import java.util.function.BiConsumer;

/** A request of a servlet container. */
final class ServletExchange implements HostedHttp.Exchange {
    private static final String CERTIFICATES = "jakarta.servlet.request.X509Certificate";

    private final HttpServletRequest request;
    private final HttpServletResponse response;
    private final String path;
    private final String prefix;

    ServletExchange(HttpServletRequest request, HttpServletResponse response) {
        this.request = request;
        this.response = response;
        String beneath = request.getPathInfo() == null ? "" : request.getPathInfo();
        if (request.getHttpServletMapping().getMappingMatch() == MappingMatch.PATH) {
            path = beneath.isEmpty() ? "/" : beneath;
            prefix = request.getContextPath() + request.getServletPath();
        } else {
            // In a mapping to one path, or the default mapping, the interfaces get the whole path.
            path = request.getServletPath() + beneath;
            prefix = request.getContextPath();
        }
    }

    @Override
    public String method() {
        return request.getMethod();
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public String query() {
        return request.getQueryString();
    }

    @Override
    public String origin() {
        String scheme = request.getScheme();
        int port = request.getServerPort();
        return scheme + "://" + bracketed(request.getServerName()) + (port == (scheme.equals("https") ? 443 : 80) ? "" : ":" + port);
    }

    private static String bracketed(String address) {
        return address.indexOf(':') >= 0 && !address.startsWith("[") ? "[" + address + "]" : address;
    }

    @Override
    public String prefix() {
        return prefix;
    }

    @Override
    public void fields(BiConsumer<String, String> to) {
        for (Enumeration<String> names = request.getHeaderNames(); names.hasMoreElements();) {
            String name = names.nextElement();
            for (Enumeration<String> values = request.getHeaders(name); values.hasMoreElements();) {
                to.accept(name, values.nextElement());
            }
        }
    }

    @Override
    public long length() {
        return request.getContentLengthLong();
    }

    @Override
    public InputStream body() throws IOException {
        return request.getInputStream();
    }

    @Override
    public String peer() {
        return bracketed(request.getRemoteAddr()) + ":" + request.getRemotePort();
    }

    @Override
    public Principal principal() {
        return request.getUserPrincipal();
    }

    @Override
    public X509Certificate[] certificates() {
        return request.getAttribute(CERTIFICATES) instanceof X509Certificate[] shown ? shown : null;
    }

    @Override
    public void answer(HostedHttp.Answer answer) throws IOException {
        response.setStatus(answer.status());
        if (answer.mediaType() != null) {
            response.setContentType(answer.mediaType());
        }
        if (answer.status() != HttpServletResponse.SC_NO_CONTENT) {
            response.setContentLength(answer.length());
        }
        answer.fields().forEach(field -> response.addHeader(field.name(), field.value()));
        if (answer.sent() > 0) {
            response.getOutputStream().write(answer.bytes(), 0, answer.sent());
        }
        response.flushBuffer();
    }
}
