/** The runtime of Creo services and clients. It needs nothing but the JDK. */
module creo.runtime {
    exports creo.runtime;
}
