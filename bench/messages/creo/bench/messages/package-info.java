/** The five messages of the TDXML paper on text wires. */
@XmlSchema(namespace = "urn:creo:bench:messages", elementFormDefault = XmlNsForm.QUALIFIED)
package creo.bench.messages;

import jakarta.xml.bind.annotation.XmlNsForm;
import jakarta.xml.bind.annotation.XmlSchema;
