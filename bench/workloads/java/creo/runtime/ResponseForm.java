package creo.runtime;

import creo.runtime.codegen.ServiceMethod;

/** Responses in byte arrays, without a transport; for the benchmarks only. The forms are those that calibration measures. */
public final class ResponseForm {
    private ResponseForm() {}

    public static <R> R readSoap(ServiceMethod<?, R> method, byte[] bytes) {
        return Forms.SOAP.read(Forms.Message.response(method), bytes);
    }
}
