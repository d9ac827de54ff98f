package creo.bench.messaging;

/**
 * How a message goes.
 *
 * @param form {@code normal}, {@code gzip}, {@code serialized}, {@code tables} or {@code binary}
 * @param transport {@code http}, {@code tcp}, {@code jms} or, with messages that are lost with the broker, {@code jms-volatile}
 * @param broker the port of the broker on the loopback, or 0
 */
record Way(String form, String transport, int broker) {
    private static final String QUEUE = "jms:queue:messaging";

    static Way of(String form, String transport, String broker) {
        return new Way(form, transport, Integer.parseInt(broker));
    }

    boolean isSerialized() {
        return form.equals("serialized");
    }

    boolean isCompressed() {
        return form.equals("gzip");
    }

    boolean isJms() {
        return broker != 0;
    }

    /** The queue that the service listens to. */
    String queue() {
        return QUEUE;
    }

    /** Where a client sends to, with how the messages are delivered. */
    String address() {
        return QUEUE + (transport.equals("jms-volatile") ? "?deliveryMode=NON_PERSISTENT" : "?deliveryMode=PERSISTENT");
    }
}
