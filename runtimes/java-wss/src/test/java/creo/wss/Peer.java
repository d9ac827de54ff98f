package creo.wss;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import javax.crypto.SecretKey;
import javax.security.auth.callback.Callback;
import org.apache.wss4j.common.WSEncryptionPart;
import org.apache.wss4j.common.crypto.Crypto;
import org.apache.wss4j.common.crypto.Merlin;
import org.apache.wss4j.common.ext.WSPasswordCallback;
import org.apache.wss4j.common.ext.WSSecurityException;
import org.apache.wss4j.common.util.KeyUtils;
import org.apache.wss4j.dom.WSConstants;
import org.apache.wss4j.dom.WSDataRef;
import org.apache.wss4j.dom.engine.WSSConfig;
import org.apache.wss4j.dom.engine.WSSecurityEngine;
import org.apache.wss4j.dom.engine.WSSecurityEngineResult;
import org.apache.wss4j.dom.handler.RequestData;
import org.apache.wss4j.dom.message.WSSecEncrypt;
import org.apache.wss4j.dom.message.WSSecHeader;
import org.apache.wss4j.dom.message.WSSecSignature;
import org.apache.wss4j.dom.message.WSSecTimestamp;
import org.w3c.dom.Document;

/** WSS4J as a partner uses it. */
final class Peer {
    private static final Crypto CRYPTO = crypto();

    /** What a message of WSS4J is secured with. The defaults are those of a partner who signs the body and a timestamp. */
    static final class Form {
        String signer = "alice";
        int reference = WSConstants.BST_DIRECT_REFERENCE;
        String signature = WSConstants.RSA_SHA256;
        String digest = WSConstants.SHA256;
        boolean timestamp = true;
        boolean inclusive = true;
        final List<WSEncryptionPart> more = new ArrayList<>();
        boolean signs = true;
        String recipient;
        int keyReference = WSConstants.ISSUER_SERIAL;
        String key = WSConstants.KEYTRANSPORT_RSAOAEP;
        String data = WSConstants.AES_256_GCM;
        boolean encryptsFirst;
    }

    private Peer() {}

    private static Crypto crypto() {
        WSSConfig.init();
        Merlin merlin = new Merlin();
        merlin.setKeyStore(Certificates.store());
        merlin.setTrustStore(Certificates.authority());
        return merlin;
    }

    static byte[] secure(byte[] envelope, Form form) throws WSSecurityException {
        Document document = Dom.parse(envelope, envelope.length, "utf-8");
        WSSecHeader header = new WSSecHeader(document);
        header.insertSecurityHeader();
        if (form.timestamp) {
            WSSecTimestamp timestamp = new WSSecTimestamp(header);
            timestamp.setTimeToLive(300);
            timestamp.build();
        }
        if (form.encryptsFirst) {
            encrypt(header, form);
        }
        if (form.signs) {
            WSSecSignature signature = new WSSecSignature(header);
            signature.setUserInfo(form.signer, Certificates.PASSWORD);
            signature.setKeyIdentifierType(form.reference);
            signature.setSignatureAlgorithm(form.signature);
            signature.setDigestAlgo(form.digest);
            signature.setAddInclusivePrefixes(form.inclusive);
            signature.getParts().add(new WSEncryptionPart("Body", document.getDocumentElement().getNamespaceURI(), "Element"));
            if (form.timestamp) {
                signature.getParts().add(new WSEncryptionPart("Timestamp", WSConstants.WSU_NS, "Element"));
            }
            signature.getParts().addAll(form.more);
            signature.build(CRYPTO);
        }
        if (!form.encryptsFirst) {
            encrypt(header, form);
        }
        StringBuilder out = new StringBuilder();
        Dom.write(document.getDocumentElement(), out);
        return out.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void encrypt(WSSecHeader header, Form form) throws WSSecurityException {
        if (form.recipient == null) {
            return;
        }
        WSSecEncrypt encrypt = new WSSecEncrypt(header);
        encrypt.setUserInfo(form.recipient);
        encrypt.setKeyIdentifierType(form.keyReference);
        encrypt.setKeyEncAlgo(form.key);
        encrypt.setSymmetricEncAlgorithm(form.data);
        SecretKey key = KeyUtils.getKeyGenerator(form.data).generateKey();
        encrypt.build(CRYPTO, key);
    }

    /**
     * Checks a message.
     *
     * @return what it found: {@code signed NAME} and {@code encrypted NAME} for each element, and the message as it decrypted it
     */
    static Found check(byte[] envelope) throws WSSecurityException {
        Document document = Dom.parse(envelope, envelope.length, "utf-8");
        RequestData data = new RequestData();
        data.setWssConfig(WSSConfig.getNewInstance());
        data.setSigVerCrypto(CRYPTO);
        data.setDecCrypto(CRYPTO);
        data.setAllowUsernameTokenNoPassword(true);
        data.setDisableBSPEnforcement(true);
        data.setCallbackHandler(callbacks -> {
            for (Callback callback : callbacks) {
                ((WSPasswordCallback) callback).setPassword(Certificates.PASSWORD);
            }
        });
        TreeSet<String> parts = new TreeSet<>();
        for (WSSecurityEngineResult result : new WSSecurityEngine().processSecurityHeader(document, data).getResults()) {
            Object action = result.get(WSSecurityEngineResult.TAG_ACTION);
            Object references = result.get(WSSecurityEngineResult.TAG_DATA_REF_URIS);
            if (references instanceof List<?> all) {
                for (Object reference : all) {
                    parts.add((action.equals(WSConstants.SIGN) ? "signed " : "encrypted ") + ((WSDataRef) reference).getName().getLocalPart());
                }
            }
        }
        StringBuilder out = new StringBuilder();
        Dom.write(document.getDocumentElement(), out);
        return new Found(List.copyOf(parts), out.toString());
    }

    record Found(List<String> parts, String text) {}
}
