/** The runtime of Creo services and clients. It needs nothing but the JDK. */
module creo.runtime {
    /** What users see. */
    exports creo.runtime;
    /** What generated code calls. */
    exports creo.runtime.codegen;
    /** What a transport of its own, such as JMS or a servlet container, hosts calls with. */
    exports creo.runtime.spi;
}
