//! Schemas that WSDLs refer to without including: the components of each that messages use, so nothing must be downloaded. A file supplied
//! for such a namespace takes precedence.

/// The built-in schema of a target namespace.
pub fn schema(namespace: &str) -> Option<&'static str> {
    SCHEMAS.iter().find(|(known, _)| *known == namespace).map(|(_, text)| *text)
}

macro_rules! addressing {
    ($namespace:literal, $parameters:literal) => {
        ($namespace, concat!(
            r#"<schema xmlns="http://www.w3.org/2001/XMLSchema" xmlns:t=""#, $namespace, r#"" targetNamespace=""#, $namespace, r#"" elementFormDefault="qualified">"#,
            r#"<complexType name="AttributedURIType"><simpleContent><extension base="anyURI"><anyAttribute/></extension></simpleContent></complexType>"#,
            r#"<complexType name="AttributedURI"><simpleContent><extension base="anyURI"><anyAttribute/></extension></simpleContent></complexType>"#,
            r#"<complexType name="AttributedQName"><simpleContent><extension base="QName"><anyAttribute/></extension></simpleContent></complexType>"#,
            r#"<complexType name="ReferenceParametersType"><sequence><any minOccurs="0" maxOccurs="unbounded"/></sequence></complexType>"#,
            r#"<complexType name="ReferencePropertiesType"><sequence><any minOccurs="0" maxOccurs="unbounded"/></sequence></complexType>"#,
            r#"<complexType name="MetadataType"><sequence><any minOccurs="0" maxOccurs="unbounded"/></sequence></complexType>"#,
            r#"<complexType name="ServiceNameType"><simpleContent><extension base="QName"><attribute name="PortName" type="NCName"/></extension></simpleContent></complexType>"#,
            r#"<complexType name="RelatesToType"><simpleContent><extension base="anyURI"><attribute name="RelationshipType" type="anyURI"/></extension></simpleContent></complexType>"#,
            r#"<complexType name="Relationship"><simpleContent><extension base="anyURI"><attribute name="RelationshipType" type="QName"/></extension></simpleContent></complexType>"#,
            r#"<complexType name="EndpointReferenceType"><sequence><element name="Address" type="t:AttributedURIType"/>"#, $parameters,
            r#"<any minOccurs="0" maxOccurs="unbounded"/></sequence></complexType>"#,
            r#"<element name="EndpointReference" type="t:EndpointReferenceType"/><element name="MessageID" type="t:AttributedURIType"/>"#,
            r#"<element name="RelatesTo" type="t:RelatesToType"/><element name="ReplyTo" type="t:EndpointReferenceType"/>"#,
            r#"<element name="From" type="t:EndpointReferenceType"/><element name="FaultTo" type="t:EndpointReferenceType"/>"#,
            r#"<element name="To" type="t:AttributedURIType"/><element name="Action" type="t:AttributedURIType"/>"#,
            r#"<element name="Metadata" type="t:MetadataType"/><element name="ReferenceParameters" type="t:ReferenceParametersType"/></schema>"#
        ))
    };
}

/// Apache's namespace, with the `Map` that SOAP encoding lacks.
pub const APACHE: &str = "http://xml.apache.org/xml-soap";

pub const SCHEMAS: &[(&str, &str)] = &[
    (
        "http://www.w3.org/XML/1998/namespace",
        concat!(
            r#"<schema xmlns="http://www.w3.org/2001/XMLSchema" targetNamespace="http://www.w3.org/XML/1998/namespace">"#,
            r#"<attribute name="lang" type="language"/><attribute name="space" type="NCName"/><attribute name="base" type="anyURI"/>"#,
            r#"<attribute name="id" type="ID"/><attributeGroup name="specialAttrs"/></schema>"#
        ),
    ),
    (
        "http://www.w3.org/1999/xlink",
        concat!(
            r#"<schema xmlns="http://www.w3.org/2001/XMLSchema" xmlns:t="http://www.w3.org/1999/xlink" targetNamespace="http://www.w3.org/1999/xlink">"#,
            r#"<attribute name="type" type="string"/><attribute name="href" type="anyURI"/><attribute name="role" type="anyURI"/>"#,
            r#"<attribute name="arcrole" type="anyURI"/><attribute name="title" type="string"/><attribute name="show" type="string"/>"#,
            r#"<attribute name="actuate" type="string"/><attribute name="label" type="NCName"/><attribute name="from" type="NCName"/><attribute name="to" type="NCName"/>"#,
            r#"<attributeGroup name="simpleLink"><attribute ref="t:type"/><attribute ref="t:href"/><attribute ref="t:role"/><attribute ref="t:arcrole"/>"#,
            r#"<attribute ref="t:title"/><attribute ref="t:show"/><attribute ref="t:actuate"/></attributeGroup>"#,
            r#"<attributeGroup name="simpleAttrs"><attributeGroup ref="t:simpleLink"/></attributeGroup></schema>"#
        ),
    ),
    (
        "http://www.w3.org/2005/05/xmlmime",
        concat!(
            r#"<schema xmlns="http://www.w3.org/2001/XMLSchema" xmlns:t="http://www.w3.org/2005/05/xmlmime" targetNamespace="http://www.w3.org/2005/05/xmlmime">"#,
            r#"<attribute name="contentType" type="string"/><attribute name="expectedContentTypes" type="string"/>"#,
            r#"<complexType name="base64Binary"><simpleContent><extension base="base64Binary"><attribute ref="t:contentType"/></extension></simpleContent></complexType>"#,
            r#"<complexType name="hexBinary"><simpleContent><extension base="hexBinary"><attribute ref="t:contentType"/></extension></simpleContent></complexType></schema>"#
        ),
    ),
    (
        "http://www.w3.org/2004/08/xop/include",
        concat!(
            r#"<schema xmlns="http://www.w3.org/2001/XMLSchema" xmlns:t="http://www.w3.org/2004/08/xop/include" targetNamespace="http://www.w3.org/2004/08/xop/include">"#,
            r#"<complexType name="Include"><attribute name="href" type="anyURI" use="required"/></complexType><element name="Include" type="t:Include"/></schema>"#
        ),
    ),
    (
        APACHE,
        concat!(
            r#"<schema xmlns="http://www.w3.org/2001/XMLSchema" xmlns:t="http://xml.apache.org/xml-soap" targetNamespace="http://xml.apache.org/xml-soap">"#,
            r#"<complexType name="Map"><sequence><element name="item" type="t:mapItem" minOccurs="0" maxOccurs="unbounded"/></sequence></complexType>"#,
            r#"<complexType name="mapItem"><sequence><element name="key" type="anyType"/><element name="value" type="anyType"/></sequence></complexType></schema>"#
        ),
    ),
    addressing!(
        "http://www.w3.org/2005/08/addressing",
        r#"<element name="ReferenceParameters" type="t:ReferenceParametersType" minOccurs="0"/><element name="Metadata" type="t:MetadataType" minOccurs="0"/>"#
    ),
    addressing!(
        "http://schemas.xmlsoap.org/ws/2004/08/addressing",
        r#"<element name="ReferenceProperties" type="t:ReferencePropertiesType" minOccurs="0"/><element name="ReferenceParameters" type="t:ReferenceParametersType" minOccurs="0"/><element name="PortType" type="t:AttributedQName" minOccurs="0"/><element name="ServiceName" type="t:ServiceNameType" minOccurs="0"/>"#
    ),
];

/// Both versions of SOAP encoding. Its simple types are those of XML Schema; its arrays have no fixed content.
pub fn is_soap_encoding(namespace: &str) -> bool {
    matches!(
        namespace,
        "http://schemas.xmlsoap.org/soap/encoding/"
            | "http://www.w3.org/2003/05/soap-encoding"
            | "http://www.w3.org/2001/12/soap-encoding"
    )
}
