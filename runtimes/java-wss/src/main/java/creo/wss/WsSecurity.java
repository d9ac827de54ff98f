package creo.wss;

import creo.runtime.ClientSecurity;
import creo.runtime.CreoException;
import creo.runtime.ServiceSecurity;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECKey;
import java.security.interfaces.RSAKey;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import javax.xml.namespace.QName;

/**
 * WS-Security of SOAP messages: signatures, encryption, SAML tokens (SOAP-80 to SOAP-95).
 *
 * <pre>{@code
 * WsSecurity security = WsSecurity.builder().sign(key, certificate).trust(partner).build();
 * Channel channel = SoapChannel.open(url, ClientOptions.DEFAULT.withSecurity(security));
 * }</pre>
 *
 * <p>Immutable but for the signatures that it has seen; a client and a service may share one.
 */
public final class WsSecurity implements ClientSecurity, ServiceSecurity {
    /** A key of ours with its certificate. */
    record Identity(PrivateKey key, X509Certificate certificate) {}

    final Identity signer;
    final TokenReference reference;
    final Algorithm signature;
    final Set<QName> signedHeaders;
    final X509Certificate recipient;
    final boolean toSigner;
    final TokenReference keyReference;
    final Algorithm keyEncryption;
    final Algorithm dataEncryption;
    final List<Identity> readers;
    final Trust trust;
    final Set<QName> requiredHeaders;
    final boolean requireEncrypted;
    final boolean timestamps;
    final boolean loosePrefixes;
    final Set<Algorithm> allowed;
    final String saml;
    final Function<byte[], Principal> samlReader;
    final int maxSize;
    final Clock clock;
    final Replays replays;

    private WsSecurity(Builder b) {
        signer = b.signer;
        reference = b.reference;
        signature = b.signature;
        signedHeaders = Set.copyOf(b.signedHeaders);
        recipient = b.recipient;
        toSigner = b.toSigner;
        keyReference = b.keyReference;
        keyEncryption = b.keyEncryption;
        dataEncryption = b.dataEncryption;
        readers = List.copyOf(b.readers);
        trust = new Trust(b.pins, b.issuers, b.known, b.accepted);
        requiredHeaders = Set.copyOf(b.requiredHeaders);
        requireEncrypted = b.requireEncrypted;
        timestamps = b.timestamps;
        loosePrefixes = b.loosePrefixes;
        allowed = Set.copyOf(b.allowed);
        saml = b.saml;
        samlReader = b.samlReader;
        maxSize = b.maxSize;
        clock = b.clock;
        replays = new Replays(b.clock);
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Whether messages of others are checked at all. */
    private boolean checks() {
        return trust.exists() || !readers.isEmpty() || samlReader != null;
    }

    @Override
    public byte[] send(byte[] request) {
        return new Writing(this, recipient).secure(request);
    }

    @Override
    public byte[] receive(byte[] answer, int length, String charset) {
        if (!checks()) {
            return Arrays.copyOf(answer, length);
        }
        if (length == 0) {
            throw Reason.NO_SECURITY.because("an empty answer").ofAnswer();
        }
        try {
            return new Checking(this, true).check(answer, length, charset).envelope();
        } catch (Reason.Refusal e) {
            throw e.ofAnswer();
        }
    }

    @Override
    public Request accept(byte[] request, int length, String charset) {
        if (!checks()) {
            throw new IllegalStateException("a service with security must be told whom it trusts, or be given a key to decrypt with");
        }
        try {
            Checking.Checked checked = new Checking(this, false).check(request, length, charset);
            X509Certificate to = toSigner ? checked.signer() : recipient;
            if (toSigner && !(to != null && to.getPublicKey() instanceof RSAKey)) {
                throw Reason.KEY_REFERENCE.because("the answer is encrypted to the signer, who must have a key of RSA");
            }
            return new Accepted(this, checked, to);
        } catch (Reason.Refusal e) {
            throw e.ofRequest();
        }
    }

    private record Accepted(WsSecurity security, Checking.Checked checked, X509Certificate recipient) implements Request {
        @Override
        public byte[] envelope() {
            return checked.envelope();
        }

        @Override
        public Principal caller() {
            return checked.caller();
        }

        @Override
        public byte[] send(byte[] answer) {
            return new Writing(security, recipient).secure(answer);
        }
    }

    /** Collects what is written and what is demanded. */
    public static final class Builder {
        private static final int MAX_SIZE = 16 << 20;
        private static final int MIN_RSA = 2_048;

        private Identity signer;
        private TokenReference reference = TokenReference.BINARY_TOKEN;
        private Algorithm signature;
        private final Set<QName> signedHeaders = new HashSet<>();
        private X509Certificate recipient;
        private boolean toSigner;
        private TokenReference keyReference = TokenReference.ISSUER_SERIAL;
        private Algorithm keyEncryption = Algorithm.RSA_OAEP;
        private Algorithm dataEncryption = Algorithm.AES256_GCM;
        private final List<Identity> readers = new ArrayList<>();
        private final Set<X509Certificate> pins = new HashSet<>();
        private final Set<X509Certificate> issuers = new HashSet<>();
        private final Set<X509Certificate> known = new HashSet<>();
        private Predicate<X509Certificate> accepted = certificate -> true;
        private final Set<QName> requiredHeaders = new HashSet<>();
        private boolean requireEncrypted;
        private boolean timestamps = true;
        private boolean loosePrefixes;
        private final Set<Algorithm> allowed = EnumSet.noneOf(Algorithm.class);
        private String saml;
        private Function<byte[], Principal> samlReader;
        private int maxSize = MAX_SIZE;
        private Clock clock = Clock.systemUTC();

        private Builder() {}

        /**
         * Signs the body, a timestamp, and the tokens of users of messages that are sent.
         *
         * @param key of RSA with 2,048 bits or more, or of an elliptic curve with 256 bits or more
         * @throws IllegalArgumentException for other keys
         */
        public Builder sign(PrivateKey key, X509Certificate certificate) {
            if (key instanceof RSAKey rsa && rsa.getModulus().bitLength() >= MIN_RSA) {
                signature = Algorithm.RSA_SHA256;
            } else if (key instanceof ECKey ec && ec.getParams().getOrder().bitLength() >= 256) {
                signature = ec.getParams().getOrder().bitLength() >= 384 ? Algorithm.ECDSA_SHA384 : Algorithm.ECDSA_SHA256;
            } else {
                throw new IllegalArgumentException("a signature needs a key of RSA with 2,048 bits, or of an elliptic curve with 256 bits");
            }
            signer = new Identity(key, Objects.requireNonNull(certificate, "certificate"));
            return this;
        }

        /** How signatures refer to the certificate; {@link TokenReference#BINARY_TOKEN} by default. */
        public Builder reference(TokenReference form) {
            reference = Objects.requireNonNull(form, "form");
            return this;
        }

        /** The algorithm of signatures, after {@link #sign}; by default that of the key with SHA-256, or with SHA-384 for curves of 384 bits. */
        public Builder signature(Algorithm algorithm) {
            check(algorithm, Algorithm.Kind.SIGNATURE);
            if (signer == null || !signer.key().getAlgorithm().equals(algorithm.form)) {
                throw new IllegalArgumentException(algorithm + " does not fit the key that signs");
            }
            signature = algorithm;
            return this;
        }

        /** Signs the blocks of the header with this name, too; the name {@code *} means all of the namespace. */
        public Builder signHeader(String namespace, String name) {
            signedHeaders.add(new QName(namespace, name));
            return this;
        }

        /** Encrypts the body, and tokens of users, of messages that are sent to this certificate, of RSA. */
        public Builder encryptTo(X509Certificate certificate) {
            if (!(certificate.getPublicKey() instanceof RSAKey)) {
                throw new IllegalArgumentException("messages are encrypted to a key of RSA");
            }
            recipient = certificate;
            return this;
        }

        /** Encrypts answers to the certificate that signed their requests; for a service. */
        public Builder encryptToSigner() {
            toSigner = true;
            return this;
        }

        /** How encrypted keys refer to the certificate; {@link TokenReference#ISSUER_SERIAL} by default. */
        public Builder keyReference(TokenReference form) {
            keyReference = Objects.requireNonNull(form, "form");
            return this;
        }

        /** How keys and data are encrypted; {@link Algorithm#RSA_OAEP} and {@link Algorithm#AES256_GCM} by default. */
        public Builder encryption(Algorithm key, Algorithm data) {
            check(key, Algorithm.Kind.KEY);
            check(data, Algorithm.Kind.DATA);
            keyEncryption = key;
            dataEncryption = data;
            return this;
        }

        /** Decrypts messages that were encrypted to this certificate. Several keys may be given, such as while one replaces another. */
        public Builder decrypt(PrivateKey key, X509Certificate certificate) {
            if (!(key instanceof RSAKey)) {
                throw new IllegalArgumentException("messages are decrypted with a key of RSA");
            }
            readers.add(new Identity(key, Objects.requireNonNull(certificate, "certificate")));
            return this;
        }

        /** Demands signatures, and trusts those of these certificates while they are valid. */
        public Builder trust(X509Certificate... certificates) {
            pins.addAll(List.of(certificates));
            return this;
        }

        /** Demands signatures, and trusts those of certificates that these authorities have issued. Revocation is not checked. */
        public Builder trustIssuers(X509Certificate... authorities) {
            issuers.addAll(List.of(authorities));
            return this;
        }

        /** Of the certificates that {@link #trustIssuers} trusts, accepts only these, such as by their subject. */
        public Builder accept(Predicate<X509Certificate> who) {
            accepted = Objects.requireNonNull(who, "who");
            return this;
        }

        /** Certificates that messages may refer to without containing them, and authorities between them and {@link #trustIssuers}. Not trusted. */
        public Builder know(X509Certificate... certificates) {
            known.addAll(List.of(certificates));
            return this;
        }

        /** Demands that blocks of the header with this name, where they are, are signed; {@code *} means all of the namespace. */
        public Builder requireSignedHeader(String namespace, String name) {
            requiredHeaders.add(new QName(namespace, name));
            return this;
        }

        /** Demands that the body is encrypted. */
        public Builder requireEncrypted() {
            requireEncrypted = true;
            return this;
        }

        /** Accepts messages without a signed timestamp. Then only repetitions within ten minutes are found. */
        public Builder withoutTimestamps() {
            timestamps = false;
            return this;
        }

        /**
         * Accepts an {@code xsi:type} whose prefix the signature does not protect. By default it is refused: who changes a message on its way could
         * give the prefix another namespace, and the value another type.
         */
        public Builder allowLoosePrefixes() {
            loosePrefixes = true;
            return this;
        }

        /** Accepts weak algorithms in messages of others. */
        public Builder allow(Algorithm... weak) {
            allowed.addAll(List.of(weak));
            return this;
        }

        /** Adds a SAML 2.0 assertion to messages that are sent, as it is. */
        public Builder saml(String assertion) {
            Objects.requireNonNull(assertion, "assertion");
            byte[] bytes = assertion.getBytes(StandardCharsets.UTF_8);
            if (!Dom.is(Dom.parse(bytes, bytes.length, "utf-8").getDocumentElement(), Names.SAML_2, "Assertion")) {
                throw new IllegalArgumentException("no assertion of SAML 2.0");
            }
            saml = assertion;
            return this;
        }

        /**
         * Accepts requests with a SAML 2.0 assertion, and demands one.
         *
         * @param reader of the assertion, as a document in UTF-8, that verifies it, its signature and conditions included, and returns who calls;
         *     it throws a {@link CreoException}, or returns null, to refuse the request
         */
        public Builder readSaml(Function<byte[], Principal> reader) {
            samlReader = Objects.requireNonNull(reader, "reader");
            return this;
        }

        /** The max bytes of a message that is checked, before and after decryption; 16 MiB by default. Its tree takes a multiple of that. */
        public Builder maxSize(int bytes) {
            if (bytes < 1) {
                throw new IllegalArgumentException("maxSize must be positive, but is " + bytes);
            }
            maxSize = bytes;
            return this;
        }

        /** The clock of timestamps and certificates; that of the system by default. */
        public Builder clock(Clock source) {
            clock = Objects.requireNonNull(source, "source");
            return this;
        }

        private static void check(Algorithm algorithm, Algorithm.Kind kind) {
            if (algorithm.kind != kind) {
                throw new IllegalArgumentException(algorithm + " is no algorithm of the kind " + kind);
            }
        }

        /**
         * The security.
         *
         * @throws IllegalArgumentException if a certificate has no identifier of its key, and should be referred to by it
         */
        public WsSecurity build() {
            if (signer != null && reference == TokenReference.KEY_IDENTIFIER) {
                Tokens.keyIdentifier(signer.certificate());
            }
            if (recipient != null && keyReference == TokenReference.KEY_IDENTIFIER) {
                Tokens.keyIdentifier(recipient);
            }
            return new WsSecurity(this);
        }
    }
}
