package creo.runtime;

import creo.runtime.codegen.ServiceMethod;

/**
 * Responses in byte arrays, without a transport: what services write and clients read, and no more; for the benchmarks only. The forms are those that calibration measures
 * ({@code crates/creo-measure/drivers/java/Forms.java}, which the build puts beside the generated code).
 */
public enum ResponseForm {
    SOAP(Forms.SOAP),
    /** A table of records alone. */
    TDXML(Forms.TABLE_RECORD),
    BINARY(Forms.BINARY);

    private final Forms form;

    ResponseForm(Forms form) {
        this.form = form;
    }

    public <R> byte[] write(ServiceMethod<?, R> method, R result) {
        return form.write(Forms.Message.response(method), result);
    }

    public <R> R read(ServiceMethod<?, R> method, byte[] bytes) {
        return form.read(Forms.Message.response(method), bytes);
    }
}
