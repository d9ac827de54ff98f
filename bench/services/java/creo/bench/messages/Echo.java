package creo.bench.messages;

import jakarta.jws.WebMethod;
import jakarta.jws.WebParam;
import jakarta.jws.WebResult;
import jakarta.jws.WebService;
import jakarta.xml.ws.RequestWrapper;
import jakarta.xml.ws.ResponseWrapper;

/** The interface `Messages` as JAX-WS has it: the same XML as Creo's. */
@WebService(name = "Messages", targetNamespace = Plain.NAMESPACE)
public interface Echo {
    @WebMethod
    @WebResult(name = "result", targetNamespace = Plain.NAMESPACE)
    @RequestWrapper(localName = "echoShort", targetNamespace = Plain.NAMESPACE, className = "creo.bench.messages.Jaxb$EchoShort")
    @ResponseWrapper(localName = "echoShortResponse", targetNamespace = Plain.NAMESPACE, className = "creo.bench.messages.Jaxb$EchoShortResponse")
    Jaxb.Short echoShort(@WebParam(name = "message", targetNamespace = Plain.NAMESPACE) Jaxb.Short message);

    @WebMethod
    @WebResult(name = "result", targetNamespace = Plain.NAMESPACE)
    @RequestWrapper(localName = "echoSimple", targetNamespace = Plain.NAMESPACE, className = "creo.bench.messages.Jaxb$EchoSimple")
    @ResponseWrapper(localName = "echoSimpleResponse", targetNamespace = Plain.NAMESPACE, className = "creo.bench.messages.Jaxb$EchoSimpleResponse")
    Jaxb.Simple echoSimple(@WebParam(name = "message", targetNamespace = Plain.NAMESPACE) Jaxb.Simple message);

    @WebMethod
    @WebResult(name = "result", targetNamespace = Plain.NAMESPACE)
    @RequestWrapper(localName = "echoMedium", targetNamespace = Plain.NAMESPACE, className = "creo.bench.messages.Jaxb$EchoMedium")
    @ResponseWrapper(localName = "echoMediumResponse", targetNamespace = Plain.NAMESPACE, className = "creo.bench.messages.Jaxb$EchoMediumResponse")
    Jaxb.Medium echoMedium(@WebParam(name = "message", targetNamespace = Plain.NAMESPACE) Jaxb.Medium message);

    @WebMethod
    @WebResult(name = "result", targetNamespace = Plain.NAMESPACE)
    @RequestWrapper(localName = "echoComplex", targetNamespace = Plain.NAMESPACE, className = "creo.bench.messages.Jaxb$EchoComplex")
    @ResponseWrapper(localName = "echoComplexResponse", targetNamespace = Plain.NAMESPACE, className = "creo.bench.messages.Jaxb$EchoComplexResponse")
    Jaxb.Complex echoComplex(@WebParam(name = "message", targetNamespace = Plain.NAMESPACE) Jaxb.Complex message);

    @WebMethod
    @WebResult(name = "result", targetNamespace = Plain.NAMESPACE)
    @RequestWrapper(localName = "echoSimpleJpeg", targetNamespace = Plain.NAMESPACE, className = "creo.bench.messages.Jaxb$EchoSimpleJpeg")
    @ResponseWrapper(localName = "echoSimpleJpegResponse", targetNamespace = Plain.NAMESPACE, className = "creo.bench.messages.Jaxb$EchoSimpleJpegResponse")
    Jaxb.SimpleJpeg echoSimpleJpeg(@WebParam(name = "message", targetNamespace = Plain.NAMESPACE) Jaxb.SimpleJpeg message);
}
