package creo.runtime.internal.soap;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.FaultCode;
import creo.runtime.Limits;
import creo.runtime.codegen.TextCodec;
import creo.runtime.codegen.TextField;
import creo.runtime.codegen.TextMessage;
import creo.runtime.codegen.TextMethod;
import creo.runtime.codegen.TextRecord;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.call.Errors;
import creo.runtime.internal.http.ServicePlace;
import creo.runtime.internal.text.Pool;
import creo.runtime.internal.text.SoapVersion;
import creo.runtime.internal.text.TextName;
import creo.runtime.internal.xml.XmlFrame;
import creo.runtime.internal.xml.XmlReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Reads envelopes (SOAP-1 to SOAP-8) and faults (SOAP-13). */
public final class SoapReader extends XmlReader implements ServicePlace.Message {
    private static final Pool<SoapReader> POOL = new Pool<>(SoapReader::new);

    /** An envelope of another version, or an unsupported header element with mustUnderstand (SOAP-2, SOAP-4). */
    public static final class NotUnderstood extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final transient CreoException error;
        private final transient FaultCode faultCode;

        NotUnderstood(String faultCode, String reason) {
            super(reason, null, false, false);
            this.faultCode = new FaultCode(null, faultCode);
            this.error = Failures.ofRuntime(ErrorCode.PROTOCOL_MISMATCH, reason);
        }

        public CreoException error() {
            return error;
        }

        public FaultCode faultCode() {
            return faultCode;
        }
    }

    private record Block(String namespace, String local) {}

    private SoapDocuments documents;
    private SoapVersion version;
    private int headerStart;
    private int bodyStart;
    private int boundByEnvelope;
    private final List<Block> obliging = new ArrayList<>();
    /** The WS-Addressing blocks for this receiver, or null. */
    Addressing addressing;
    /** The security block for this receiver, or null; read only if {@link #readsSecurity}. */
    SecurityBlock security;
    int securityBlocks;
    boolean readsSecurity;
    /** Header elements that need not be declared (SOAP-25), each {@code {namespace}name}. */
    Set<String> understood = Set.of();
    private String bodyNamespace;
    private String bodyLocal;
    /** The body contains a document in the form of our writers, which was not read yet. */
    private boolean atDocument;
    /** Where the envelope or its body declares SOAP encoding, or -1. */
    private int encodingAt;
    /** The input is the literal form of a message; its offsets have no meaning. */
    private boolean literal;
    private TextMessage<?> reading;
    private boolean inHeader;

    private SoapReader() {}

    /** @param documents that the body may contain, or null */
    public static SoapReader borrowSoap(Limits limits, SoapDocuments documents) {
        SoapReader r = POOL.take();
        r.reset(limits);
        r.documents = documents;
        r.version = null;
        r.literal = false;
        r.readsSecurity = false;
        r.understood = Set.of();
        return r;
    }

    @Override
    public void giveBack() {
        release();
        reading = null;
        parts = null;
        POOL.release(this);
    }

    /** The version of the envelope, or null if not known yet. */
    public SoapVersion version() {
        return version;
    }

    /** Reads the envelope up to the element of the body, then returns to its begin: only the body identifies the message. */
    public void openEnvelope() {
        version = null;
        encodingAt = -1;
        headerStart = -1;
        obliging.clear();
        addressing = null;
        security = null;
        securityBlocks = 0;
        bodyNamespace = null;
        bodyLocal = null;
        child();
        startTag();
        if (!isTag("Envelope")) {
            throw malformed(nameStart[0] - 1, "the element " + shownTag() + ", where an envelope of SOAP must be");
        }
        version = SoapVersion.of(tagNamespace);
        if (version == null) {
            throw new NotUnderstood("VersionMismatch", "an envelope of the namespace \"" + CreoException.shown(tagNamespace) + "\", which is no version of SOAP that is known");
        }
        checkEncoding();
        boundByEnvelope = prefixes.count;
        int at = nextBlock();
        if (isTag("Header")) {
            headerStart = at;
            checkEncoding();
            header();
            at = nextBlock();
        }
        if (!isTag("Body")) {
            throw malformed(at, "the element " + shownTag() + ", where the body of the envelope must be");
        }
        bodyStart = at;
        checkEncoding();
        atDocument = false;
        if (child()) {
            if (documents != null && documents.beginsPlainly(this)) {
                atDocument = true;
                bodyNamespace = TextName.TABLES;
                bodyLocal = "Env";
                return;
            }
            // A table's prefix may be undeclared; if it is not a table, it is read again without this exception.
            tables = documents != null;
            startTag();
            tables = false;
            bodyNamespace = tagNamespace;
            bodyLocal = localName();
        }
    }

    /** Whether the body contains a document of another wire (TDX-50). */
    public boolean isDocument() {
        return documents != null && bodyNamespace == TextName.TABLES && (bodyLocal.equals("Env") || bodyLocal.equals("Envelope"));
    }

    /** Opens the document in the body. */
    public SoapDocuments.Document openDocument() {
        // Of a table nothing is read leniently (XML-50).
        lenient = false;
        if (!atDocument) {
            rewind(bodyStart, 1, boundByEnvelope);
            child();
            startTag();
            child();
        }
        return documents.open(this);
    }

    /** Reads the document's message, and the envelope to its end. */
    public <T> T readDocument(SoapDocuments.Document document, TextMessage<T> m, String method) {
        checkUnderstood(m.record);
        T value = document.message(m, method, parts);
        if (child()) {
            throw malformed(pos, "a second element in the body");
        }
        endTag();
        endEnvelope();
        return value;
    }

    private int nextBlock() {
        if (!child()) {
            throw malformed(pos, "an envelope without body");
        }
        int at = pos;
        startTag();
        if (tagNamespace != version.namespace) {
            throw malformed(at, "the element " + shownTag() + ", where the header or the body of the envelope must be");
        }
        return at;
    }

    /** Whether the opened tag has the name; the namespace is one of {@link TextName#namespace}. */
    boolean isTag(String namespace, String local) {
        return tagNamespace == namespace && isTag(local);
    }

    /** The local name of the opened tag. */
    String localName() {
        return new String(b, tagLocal, tagEnd - tagLocal, StandardCharsets.UTF_8);
    }

    /** The value of an attribute without namespace of the opened tag, or null. */
    String attribute(String local) {
        for (int k = 0; k < attributes; k++) {
            if (attributeNamespace[k] == TextName.NONE && is(attributeLocal[k], attributeEnd[k], local)) {
                return value(k);
            }
        }
        return null;
    }

    private boolean isTag(String local) {
        return is(tagLocal, tagEnd, local);
    }

    private void checkEncoding() {
        for (int k = 0; k < attributes; k++) {
            if (attributeNamespace[k] == version.namespace && is(attributeLocal[k], attributeEnd[k], "encodingStyle") && value(k).startsWith(version.encoding)) {
                encodingAt = valueStart[k];
            }
        }
    }

    /** Fails if the message uses SOAP encoding. */
    public void checkLiteral() {
        if (encodingAt >= 0) {
            throw malformed(encodingAt, "a message in SOAP's own encoding, which the description does not speak of");
        }
    }

    /** Converts a message of SOAP encoding to literal form, and continues with that (SOAP-32). */
    public void toLiteral(TextMessage<?> m, boolean isResponse, List<? extends TextCodec<?>> exceptions) {
        rewind(bodyStart, 1, boundByEnvelope);
        child();
        startTag();
        literal = true;
        byte[] text = SoapEncoding.literal(this, m, isResponse, exceptions, version.namespace);
        if (text != null) {
            open(text, 0, text.length, "utf-8");
        } else {
            rewind(bodyStart, 1, boundByEnvelope);
            return;
        }
        openEnvelope();
    }

    @Override
    public CreoException locate(CreoException e) {
        CreoException located = super.locate(e);
        return literal ? Failures.at(located, -1) : located;
    }

    private String value(int k) {
        expand(k);
        return new String(slice, sliceFrom, sliceTo - sliceFrom, StandardCharsets.UTF_8);
    }

    /** Skips the header, but remembers what must be understood, and reads addresses and credentials. */
    private void header() {
        while (child()) {
            startTag();
            boolean must = false;
            String role = "";
            String relationship = null;
            for (int k = 0; k < attributes; k++) {
                if (attributeNamespace[k] == version.namespace) {
                    if (is(attributeLocal[k], attributeEnd[k], "mustUnderstand")) {
                        String text = value(k).trim();
                        must = text.equals("1") || text.equals("true");
                    } else if (is(attributeLocal[k], attributeEnd[k], version == SoapVersion.V11 ? "actor" : "role")) {
                        role = value(k).trim();
                    }
                } else if (tagNamespace == TextName.ADDRESSING && is(attributeLocal[k], attributeEnd[k], "RelationshipType")) {
                    relationship = value(k);
                }
            }
            if (tagNamespace == TextName.ADDRESSING && version.isReceiver(role)) {
                addressing = addressing == null ? new Addressing() : addressing;
                addressing.take(this, localName(), relationship);
                continue;
            }
            if (readsSecurity && isTag(TextName.SECURITY, "Security") && version.isReceiver(role)) {
                securityBlocks++;
                security = new SecurityBlock();
                security.take(this);
                boolean known = security.foreign == null;
                security = known ? security : null;
                if (must && !known) {
                    obliging.add(new Block(TextName.SECURITY, "Security"));
                }
                continue;
            }
            if (must && version.isReceiver(role)) {
                obliging.add(new Block(tagNamespace, localName()));
            }
            skipElement();
        }
        endTag();
    }

    @Override
    public String bodyLocal() {
        return bodyLocal;
    }

    @Override
    public boolean isEmptyBody() {
        return bodyLocal == null;
    }

    boolean isFault() {
        return version.namespace.equals(bodyNamespace) && bodyLocal.equals("Fault");
    }

    /** Whether the body's element has the name; null means no element. */
    @Override
    public boolean isBody(TextName name) {
        return name == null ? bodyLocal == null : bodyLocal != null && name.isOf(bodyNamespace) && name.local.equals(bodyLocal);
    }

    /** The element of the body, for messages. */
    @Override
    public String shownBody() {
        return bodyLocal == null ? "nothing" : "{" + CreoException.shown(bodyNamespace) + "}" + CreoException.shown(bodyLocal);
    }

    /** Fails if the header has a mustUnderstand block that the message does not declare. */
    void checkUnderstood(TextRecord message) {
        for (Block block : obliging) {
            String name = block.namespace().isEmpty() ? block.local() : "{" + block.namespace() + "}" + block.local();
            if (!understood.contains(name) && Stream.of(message.fields).noneMatch(f -> f.header && f.xml.isOf(block.namespace()) && f.xml.local.equals(block.local()))) {
                throw new NotUnderstood("MustUnderstand", "the header element " + CreoException.shown(name) + ", which must be understood, and is not");
            }
        }
    }

    /** Reads the envelope's message, and the envelope to its end. */
    public <T> T readMessage(TextMessage<T> m) {
        checkUnderstood(m.record);
        inHeader = m.header != null && headerStart >= 0;
        rewind(inHeader ? headerStart : bodyStart, 1, boundByEnvelope);
        reading = m;
        message = true;
        T value = m.decoder.read(this);
        if (m.element != null) {
            if (child()) {
                throw malformed(pos, "a second element in the body");
            }
            endTag();
        }
        endEnvelope();
        return value;
    }

    private void endEnvelope() {
        if (child()) {
            throw malformed(pos, "an element after the body");
        }
        endTag();
        endDocument();
    }

    @Override
    public boolean nextPart(XmlFrame f) {
        if (inHeader && !f.header) {
            child();
            startTag();
            f.header = true;
        }
        if (f.header) {
            if (child()) {
                return true;
            }
            endTag();
            f.header = false;
            inHeader = false;
        }
        f.message = false;
        child();
        startTag();
        if (reading.element != null) {
            if (!child()) {
                throw malformed(pos, "an empty body, where " + reading.element.xml + " must be");
            }
            startTag();
            if (!reading.element.xml.is(tagNamespace, b, tagLocal, tagEnd)) {
                throw malformed(nameStart[open - 1] - 1, "the element " + shownTag() + ", where " + reading.element.xml + " must be");
            }
            if (f.record.anyAttribute >= 0 && attributes > 0) {
                beginTag(f, f.record);
                f.tagDone = false;
                return true;
            }
            checkAttributes(false);
        }
        attributes = 0;
        f.simple = !lenient && !empty && reading.header == null;
        return child();
    }

    /** Reads only the body's fault: a declared exception, or an error (SOAP-14). */
    Exception readFault(TextMethod<?, ?> method) {
        rewind(bodyStart, 1, boundByEnvelope);
        child();
        startTag();
        child();
        startTag();
        SoapFault fault = new SoapFault();
        while (within(null)) {
            startTag();
            switch (localName()) {
                case "faultcode" -> fault.code = words(fault.code);
                case "faultstring" -> fault.text = words(fault.text);
                case "faultactor", "Role" -> fault.actor = words(fault.actor);
                case "Code" -> code(fault);
                case "Reason" -> fault.text = wordsWithin("Text", fault.text);
                case "detail", "Detail" -> detail(fault, method);
                default -> skipElement();
            }
        }
        return fault.exception();
    }

    /**
     * Goes to the next tag, skipping text: true if it opens an element, false if the innermost one ends.
     *
     * @param words receives the text, or null
     */
    boolean within(StringBuilder words) {
        int p = pos;
        int from = p;
        while (!empty) {
            int c = b[p];
            if (c != '<' && c != '&') {
                if (c == ']') {
                    checkBrackets(p);
                }
                p = character(p);
                continue;
            }
            add(words, from, p);
            if (c == '&') {
                int code = reference(p);
                if (words != null) {
                    words.appendCodePoint(code);
                }
                p = referenceEnd;
            } else if (isAt(p, "<![CDATA[")) {
                int to = cdataEnd(p);
                add(words, p + 9, to - 3);
                p = to;
            } else if (b[p + 1] == '!' || b[p + 1] == '?') {
                p = comment(p);
            } else {
                pos = p;
                return b[p + 1] != '/';
            }
            from = p;
        }
        return false;
    }

    private void add(StringBuilder words, int from, int to) {
        if (to - from > limits.maxXmlText()) {
            throw tooLarge(from, "maxXmlText", limits.maxXmlText(), "a text of " + (to - from) + " bytes");
        }
        if (words != null) {
            words.append(new String(b, from, to - from, StandardCharsets.UTF_8));
        }
    }

    /** The text of an element, past any elements; {@code known} if that is not null. */
    String words(String known) {
        String words = exactWords(null);
        return known == null ? words.strip() : known;
    }

    /** The same, including white space at its ends. */
    String exactWords(String known) {
        StringBuilder words = new StringBuilder();
        while (within(words)) {
            startTag();
            skipElement();
        }
        endTag();
        return known == null ? words.toString() : known;
    }

    /** The text of the first element with the name within the innermost one; {@code known} if that is not null. */
    String wordsWithin(String local, String known) {
        String words = known;
        while (within(null)) {
            startTag();
            if (isTag(local)) {
                words = words(words);
            } else {
                skipElement();
            }
        }
        endTag();
        return words;
    }

    private void code(SoapFault fault) {
        while (within(null)) {
            startTag();
            if (isTag("Value")) {
                fault.code = words(fault.code);
            } else if (isTag("Subcode")) {
                fault.subcode = wordsWithin("Value", fault.subcode);
            } else {
                skipElement();
            }
        }
        endTag();
    }

    private void detail(SoapFault fault, TextMethod<?, ?> method) {
        int from = nameStart[open - 1] - 1;
        boolean known = fault.detail != null;
        while (within(null)) {
            startTag();
            if (!known && tagNamespace == SoapWriter.ERROR && isTag("error")) {
                known = true;
                error(fault);
            } else if (!known && declared(fault, method)) {
                known = true;
            } else {
                skipElement();
            }
        }
        endTag();
        if (fault.detail == null) {
            fault.detail = new String(b, from, Math.min(pos - from, 4_000), StandardCharsets.UTF_8);
        }
    }

    /** Reads a declared exception if the element has its name; if it is invalid, the fault says why. */
    private boolean declared(SoapFault fault, TextMethod<?, ?> method) {
        for (TextCodec<? extends Exception> codec : method.exceptions) {
            if (codec.root.xml.is(tagNamespace, b, tagLocal, tagEnd)) {
                int at = nameStart[open - 1] - 1;
                int elements = open - 1;
                int bindings = scope[elements];
                field = codec.root;
                source = ELEMENT;
                try {
                    fault.declared = codec.decoder.read(this);
                } catch (CreoException e) {
                    if (e.code() != ErrorCode.MALFORMED) {
                        throw e;
                    }
                    fault.problem = Failures.root(locate(e), "$exception").getMessage();
                    forget();
                    rewind(at, elements, bindings);
                    startTag();
                    skipElement();
                }
                return true;
            }
        }
        return false;
    }

    private void error(SoapFault fault) {
        String code = "";
        for (int k = 0; k < attributes; k++) {
            if (attributeNamespace[k] == TextName.NONE && is(attributeLocal[k], attributeEnd[k], "code")) {
                code = value(k);
            }
        }
        Map<String, String> details = new LinkedHashMap<>();
        while (within(null)) {
            startTag();
            String key = null;
            for (int k = 0; k < attributes; k++) {
                if (attributeNamespace[k] == TextName.NONE && is(attributeLocal[k], attributeEnd[k], "key")) {
                    key = value(k);
                }
            }
            if (key != null && tagNamespace == SoapWriter.ERROR && isTag("detail") && details.size() < Errors.MOST_DETAILS) {
                details.put(key, words(null));
            } else {
                skipElement();
            }
        }
        endTag();
        fault.error = code;
        fault.details = details;
    }
}
