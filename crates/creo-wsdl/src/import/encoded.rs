//! Services with rpc/encoded messages (SOAP-30): when a WSDL is imported as encoded, and the arrays of SOAP encoding.

use crate::import::draft::Ty;
use crate::import::mapper::Mapper;
use crate::import::selection::Selection;
use crate::import::slots::Value;
use crate::import::table::{Kind, QName, Spot};
use crate::import::wsdl::{BoundOperation, Exchange, Services, bound, operations};

/// The namespace of `arrayType` in a schema.
const WSDL: &str = "http://schemas.xmlsoap.org/wsdl/";

pub fn is_encoded(says: &BoundOperation) -> bool {
    says.input.encoded || says.output.encoded
}

impl Mapper<'_> {
    /// Whether the selected operations that a client can call are imported as encoded: some are encoded, and none is literal (SOAP-98). Types
    /// cannot serve both styles, since encoded elements have no namespace and encoded arrays have another form.
    pub fn is_encoded_service(&mut self, services: &Services, selection: &mut Selection<'_>) -> bool {
        let mut encoded = false;
        let port_types: Vec<(QName, Spot)> =
            self.table.all(Kind::PortType).map(|(name, spot)| (name.clone(), spot)).collect();
        for (name, spot) in port_types {
            let Some(bindings) = services.bindings.get(&name) else { continue };
            for operation in operations(self.table, spot, self.report) {
                if operation.exchange != Exchange::Call
                    || !selection.has_operation(&name.local, &operation.name)
                {
                    continue;
                }
                let said =
                    bindings.iter().filter_map(|binding| bound(self.table, binding, &operation, self.report));
                for says in said.collect::<Vec<_>>() {
                    if !is_encoded(&says) {
                        return false;
                    }
                    encoded = true;
                }
            }
        }
        encoded
    }

    /// The array described by a restriction of SOAP encoding's `Array`, in its own optional element.
    pub fn encoded_array(&mut self, derivation: Spot, base: &QName) -> Option<Value> {
        if &*base.local != "Array" {
            return None;
        }
        let value = self.array_type(derivation).or_else(|| self.array_of_elements(derivation))?;
        if value.list || value.raw {
            return None;
        }
        Some(Value { ty: value.ty.array().optional(), ..value })
    }

    /// Reads `<attribute ref="soapenc:arrayType" wsdl:arrayType="x:T[]"/>`.
    fn array_type(&mut self, derivation: Spot) -> Option<Value> {
        let attributes: Vec<Spot> = self.table.children(derivation).collect();
        let (at, text) = attributes.into_iter().find_map(|spot| {
            let text = self.table.element(spot).attribute_in(WSDL, "arrayType")?;
            Some((spot, text.trim().to_owned()))
        })?;
        let (name, mut dimensions) = text.split_once('[')?;
        let name = self.table.resolve(at, name.trim(), self.report);
        let mut value = self.value(&name, at);
        // The innermost brackets belong to the array itself.
        let mut depth = 0;
        loop {
            let (inside, rest) = dimensions.split_once(']')?;
            if inside.contains(',') {
                return None;
            }
            depth += 1;
            match rest.trim_start().strip_prefix('[') {
                Some(more) => dimensions = more,
                None if rest.trim().is_empty() => break,
                None => return None,
            }
        }
        for _ in 1..depth {
            value.ty = value.ty.array();
        }
        // An item is present or nil.
        if let Ty::Optional(inner) = value.ty {
            value.ty = *inner;
        }
        (!value.list).then_some(value)
    }

    /// Reads a sequence of one element, which some WSDLs use instead.
    fn array_of_elements(&mut self, derivation: Spot) -> Option<Value> {
        let sequence = self.table.child(derivation, &["sequence", "all"])?;
        let elements: Vec<Spot> = self.table.children(sequence).collect();
        let [element] = elements.as_slice() else { return None };
        let name = self.table.element(*element).attribute("type")?.to_owned();
        let name = self.table.resolve(*element, &name, self.report);
        Some(self.value(&name, *element))
    }
}
