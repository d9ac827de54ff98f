/** The framework of Creo services and clients. It needs nothing but the JDK. */
module creo.runtime {
    requires java.net.http;

    exports creo.runtime;
}
