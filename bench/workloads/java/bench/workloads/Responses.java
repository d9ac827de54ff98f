package bench.workloads;

import creo.runtime.ResponseForm;

/** In the generated package, for access to its package-private methods. */
public final class Responses {
    private Responses() {}

    public static Orders readSoap(byte[] bytes) {
        return ResponseForm.readSoap(WorkloadsMethods.ORDERS, bytes);
    }
}
