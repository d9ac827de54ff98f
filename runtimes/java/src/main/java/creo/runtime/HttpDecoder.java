package creo.runtime;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Makes calls of requests over HTTP, each by its wire; or answers them with what is wrong. */
final class HttpDecoder {
    private final HttpListener listener;
    private final Limits limits;

    HttpDecoder(HttpListener listener) {
        this.listener = listener;
        this.limits = listener.limits();
    }

    /** What a request brings besides its message. */
    private record Arrival(Map<String, String> metadata, Gzip.Body body, long deadline, boolean limited) {}

    /** A request that is refused under a status of its own. */
    private static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;

        private final int status;

        Refused(int status, String reason) {
            super(reason, null, false, false);
            this.status = status;
        }
    }

    private Arrival arrive(HttpExchange exchange, long arrived) throws IOException, Refused {
        listener.checkServing();
        Headers headers = exchange.getRequestHeaders();
        Map<String, String> metadata = HttpMetadata.read(headers.entrySet(), limits);
        int milliseconds = HttpMetadata.timeout(headers.get(HttpMetadata.TIMEOUT));
        String encoding = headers.getFirst("Content-Encoding");
        if (encoding != null && !encoding.equalsIgnoreCase("gzip") && !encoding.equalsIgnoreCase("identity")) {
            throw new Refused(415, "a body may be compressed by gzip, and not otherwise");
        }
        Gzip.Body body = listener.body(exchange, headers);
        if ("gzip".equalsIgnoreCase(encoding)) {
            body = Gzip.decompress(body.bytes(), body.length(), limits);
        }
        return new Arrival(metadata, body, arrived + TimeUnit.MILLISECONDS.toNanos(milliseconds), milliseconds >= 0);
    }

    private <A> HttpServerCall<A, ?> call(HttpExchange exchange, Host.Entry<A, ?> entry, HttpForm form, A arguments, Arrival arrival) {
        return new HttpServerCall<>(listener, exchange, entry, form, arguments, arrival.metadata(), arrival.deadline(), arrival.limited());
    }

    /** The call of a message of SOAP, or null. */
    HttpServerCall<?, ?> soap(HttpExchange exchange, HttpPlace place, MediaType type, long arrived) throws IOException {
        SoapReader r = SoapReader.borrowSoap(limits);
        SoapVersion version = type.type().equals("application/soap+xml") ? SoapVersion.V12 : SoapVersion.V11;
        HttpForm.Soap form = new HttpForm.Soap(limits, version, false, null);
        try {
            Arrival arrival = arrive(exchange, arrived);
            Gzip.Body body = arrival.body();
            String action = action(exchange.getRequestHeaders(), type);
            Mtom parts = null;
            if (type.type().equals("multipart/related")) {
                parts = Mtom.read(body.bytes(), body.length(), type, limits);
                MediaType root = parts.rootType();
                action = action == null && root != null ? root.parameter("action") : action;
                r.open(body.bytes(), parts.rootFrom(), parts.rootLength(), root == null ? null : root.parameter("charset"));
                r.parts = parts;
            } else {
                r.openBody(body, type.parameter("charset"));
            }
            r.openEnvelope();
            if (r.isTable()) {
                TableDocument document = r.openTable();
                return table(exchange, r, document, place.find(document, action), parts, arrival);
            }
            return envelope(exchange, r, place.find(r, action), parts, arrival);
        } catch (Refused e) {
            listener.refuse(exchange, e.status, e.getMessage());
        } catch (SoapReader.NotUnderstood e) {
            listener.sendError(exchange, of(r, form).withFaultCode(e.faultCode()), e.error());
        } catch (CreoException e) {
            listener.sendError(exchange, of(r, form), r.locate(e));
        } catch (RuntimeException | Error e) {
            // A mistake of this runtime, or no memory: the caller is told no more than that.
            listener.sendError(exchange, of(r, form), IncomingCall.internal("a request of " + HttpListener.peer(exchange), e));
        } finally {
            r.giveBack();
        }
        return null;
    }

    /** The form of a fault: that of the request's envelope, as soon as it is known. */
    private HttpForm.Soap of(SoapReader r, HttpForm.Soap otherwise) {
        return r.version() == null ? otherwise : new HttpForm.Soap(limits, r.version(), false, null);
    }

    private <A, R> HttpServerCall<A, ?> envelope(HttpExchange exchange, SoapReader r, HttpPlace.Found<A, R> found, Mtom parts, Arrival arrival) {
        A arguments = r.readMessage(found.text().request);
        checkAllTaken(parts);
        return call(exchange, found.entry(), new HttpForm.Soap(limits, r.version(), parts != null, null), arguments, arrival);
    }

    private <A, R> HttpServerCall<A, ?> table(HttpExchange exchange, SoapReader r, TableDocument document, HttpPlace.Found<A, R> found, Mtom parts, Arrival arrival) {
        A arguments = r.readTable(document, found.text().request, found.entry().binding().method().name());
        checkAllTaken(parts);
        return call(exchange, found.entry(), new HttpForm.Soap(limits, r.version(), parts != null, document.options()), arguments, arrival);
    }

    private static void checkAllTaken(Mtom parts) {
        if (parts != null) {
            parts.checkAllTaken();
        }
    }

    /** The action that a request names, without quotes; null if it names none (HTTP-4). */
    private static String action(Headers headers, MediaType type) {
        String action = headers.getFirst("SOAPAction");
        if (action == null) {
            return type.parameter("action");
        }
        String bare = action.strip();
        return bare.length() >= 2 && bare.startsWith("\"") && bare.endsWith("\"") ? bare.substring(1, bare.length() - 1) : bare;
    }

    /** The call of a request without SOAP, to the method of a name (HTTP-11), or null. */
    HttpServerCall<?, ?> plain(HttpExchange exchange, HttpPlace place, String name, long arrived) throws IOException {
        MediaType type = MediaType.parse(exchange.getRequestHeaders().getFirst("Content-Type"));
        boolean packaged = isType(type, "multipart/related") && TableErrors.MEDIA_TYPE.equalsIgnoreCase(type.parameter("type"));
        boolean tables = packaged || isType(type, TableErrors.MEDIA_TYPE);
        HttpForm form = tables ? new HttpForm.Tables(limits, TableOptions.RECORD, false) : new HttpForm.Json(limits);
        try {
            if (!exchange.getRequestMethod().equals("POST")) {
                exchange.getResponseHeaders().set("Allow", "POST");
                throw new Refused(405, "a method is called by POST");
            }
            if (!tables && !(isType(type, JsonProblem.JSON) && isUtf8(type)) && !isEmpty(exchange.getRequestHeaders()) || tables && !type.isReadable()) {
                throw new Refused(415, "a call is application/json or " + TableErrors.MEDIA_TYPE + ", in UTF-8");
            }
            HttpPlace.Found<?, ?> found = place.find(name);
            Arrival arrival = arrive(exchange, arrived);
            return tables ? document(exchange, found, packaged ? type : null, type.parameter("charset"), arrival) : json(exchange, found, arrival);
        } catch (Refused e) {
            listener.sendError(exchange, form, CreoException.ofRuntime(ErrorCode.PROTOCOL_MISMATCH, e.getMessage()), e.status);
        } catch (CreoException e) {
            listener.sendError(exchange, form, e);
        } catch (RuntimeException | Error e) {
            listener.sendError(exchange, form, IncomingCall.internal("a request of " + HttpListener.peer(exchange), e));
        }
        return null;
    }

    /** Whether there is neither a body nor a media type: then the call is as good as one of JSON (JSON-20). */
    private static boolean isEmpty(Headers headers) {
        String length = headers.getFirst("Content-Length");
        return headers.getFirst("Content-Type") == null && !headers.containsKey("Transfer-Encoding") && (length == null || length.equals("0"));
    }

    private static boolean isType(MediaType type, String name) {
        return type != null && type.type().equals(name);
    }

    private static boolean isUtf8(MediaType type) {
        return type.parameter("charset") == null || type.parameter("charset").equalsIgnoreCase("utf-8");
    }

    private <A, R> HttpServerCall<A, ?> json(HttpExchange exchange, HttpPlace.Found<A, R> found, Arrival arrival) {
        TextMessage<A> message = found.text().request;
        JsonReader r = JsonReader.borrow(limits);
        try {
            Gzip.Body body = arrival.body();
            if (body.length() == 0 && message.record.fields.length == 0) {
                r.open(new byte[] {'{', '}'}, 0, 2);
            } else {
                r.openOwn(body.bytes(), 0, body.length());
            }
            r.beginRoot(message.root());
            A arguments = message.decoder.read(r);
            r.endDocument();
            return call(exchange, found.entry(), new HttpForm.Json(limits), arguments, arrival);
        } catch (CreoException e) {
            throw r.locate(e);
        } finally {
            r.giveBack();
        }
    }

    private <A, R> HttpServerCall<A, ?> document(HttpExchange exchange, HttpPlace.Found<A, R> found, MediaType packaged, String charset, Arrival arrival) {
        String name = found.entry().binding().method().name();
        XmlReader r = XmlReader.borrow(limits);
        try {
            Gzip.Body body = arrival.body();
            Mtom parts = null;
            if (packaged != null) {
                parts = Mtom.read(body.bytes(), body.length(), packaged, TableErrors.MEDIA_TYPE, limits);
                r.open(body.bytes(), parts.rootFrom(), parts.rootLength(), null);
            } else {
                r.openBody(body, charset);
            }
            TableDocument document = TableDocument.readAlone(r);
            document.checkOf(name);
            A arguments = document.message(found.text().request, name, parts);
            r.endDocument();
            checkAllTaken(parts);
            return call(exchange, found.entry(), new HttpForm.Tables(limits, document.options(), packaged != null), arguments, arrival);
        } catch (CreoException e) {
            throw r.locate(e);
        } finally {
            r.giveBack();
        }
    }
}
