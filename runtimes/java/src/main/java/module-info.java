/** The runtime of Creo services and clients. It depends only on the JDK. */
module creo.runtime {
    /** The API for users. */
    exports creo.runtime;
    /** The API for generated code. */
    exports creo.runtime.codegen;
    /** The API for further transports, such as JMS or a servlet container. */
    exports creo.runtime.spi;
}
