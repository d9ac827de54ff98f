package creo.runtime;

import creo.runtime.codegen.ServiceMethod;
import creo.runtime.internal.http.TextMethods;
import creo.runtime.internal.http.tdxml.TableErrors;
import creo.runtime.internal.soap.Mtom;
import creo.runtime.internal.soap.SoapWriter;
import creo.runtime.internal.tdxml.TableWriter;
import creo.runtime.internal.text.SoapVersion;
import creo.runtime.internal.xml.XmlWriter;
import java.util.List;

/**
 * Requests in byte arrays, without a transport: what the clients write and the service reads, and no more; for the benchmarks only. The forms are those that calibration measures
 * ({@code crates/creo-measure/drivers/java/Forms.java}, which the build puts beside this file); here are their packages.
 */
public enum RequestForm {
    SOAP(Forms.SOAP),
    /** A table of records within SOAP. */
    SOAP_RECORD(Forms.TABLE_RECORD_IN_SOAP),
    /** The paper's table within SOAP. */
    SOAP_AGGREGATED(Forms.TABLE_AGGREGATED_IN_SOAP),
    /** A table of records alone. */
    TDXML(Forms.TABLE_RECORD),
    JSON(Forms.JSON),
    BINARY(Forms.BINARY);

    private final Forms form;

    RequestForm(Forms form) {
        this.form = form;
    }

    public <A> byte[] write(ServiceMethod<A, ?> method, A arguments) {
        return form.write(Forms.Message.request(method), arguments);
    }

    public <A> A read(ServiceMethod<A, ?> method, byte[] bytes) {
        return form.read(Forms.Message.request(method), bytes);
    }

    /** As a package, whose parts hold the byte strings. JSON and the binary wire have none. */
    public <A> byte[] writePackage(ServiceMethod<A, ?> method, A arguments) {
        return switch (this) {
            case SOAP -> soap(method, arguments);
            case SOAP_RECORD -> table(method, arguments, TableOptions.RECORD);
            case SOAP_AGGREGATED -> table(method, arguments, TableOptions.AGGREGATED);
            case TDXML -> tableAlone(method, arguments);
            case JSON, BINARY -> write(method, arguments);
        };
    }

    private static <A> byte[] soap(ServiceMethod<A, ?> method, A arguments) {
        XmlWriter w = XmlWriter.borrow(Limits.DEFAULT);
        try {
            List<byte[]> parts = w.collectParts();
            SoapWriter.write(w, SoapVersion.V11, null, TextMethods.of(method).request, arguments, false);
            return parts.isEmpty() ? w.toBytes() : Mtom.write(w, parts, SoapVersion.V11, "").bytes();
        } finally {
            w.giveBack();
        }
    }

    private static <A> byte[] table(ServiceMethod<A, ?> method, A arguments, TableOptions options) {
        TableWriter w = TableWriter.borrow(Limits.DEFAULT);
        try {
            List<byte[]> parts = w.collectParts();
            SoapWriter.document(w, SoapVersion.V11, null, () -> w.message(TextMethods.of(method).request, arguments, method.name(), options, method.name()));
            return parts.isEmpty() ? w.toBytes() : Mtom.write(w, parts, SoapVersion.V11, "").bytes();
        } finally {
            w.giveBack();
        }
    }

    private static <A> byte[] tableAlone(ServiceMethod<A, ?> method, A arguments) {
        TableWriter w = TableWriter.borrow(Limits.DEFAULT);
        try {
            List<byte[]> parts = w.collectParts();
            w.message(TextMethods.of(method).request, arguments, method.name(), TableOptions.RECORD, null);
            return parts.isEmpty() ? w.toBytes() : Mtom.write(w, parts, TableErrors.MEDIA_TYPE).bytes();
        } finally {
            w.giveBack();
        }
    }
}
