//! The documentation and deprecation of a declaration.

use creo_model::{Field, Literal, Method, Model, Notes, TypeDecl, TypeId, TypeKind};

/// Documentation and deprecation of a declaration.
#[derive(Clone, Debug, Default)]
pub struct About {
    pub doc: Option<String>,
    /// The reason, which may be empty.
    pub deprecated: Option<String>,
    /// `@Secret`: texts show [`HIDDEN`] for the value.
    pub secret: bool,
}

impl About {
    pub fn of(notes: &Notes) -> About {
        About { doc: notes.doc.clone(), deprecated: notes.deprecated.clone(), secret: notes.secret }
    }
}

/// What texts show in place of a secret value.
pub const HIDDEN: &str = "***";

/// Whether code that reads and writes a type uses something deprecated: the type itself, a field, its default, or a field's type.
pub fn type_uses_deprecated(model: &Model, decl: &TypeDecl) -> bool {
    let field_does = |field: &Field| {
        field.notes.deprecated.is_some()
            || names_deprecated(model, field.ty.names())
            || default_is(model, field)
    };
    decl.notes.deprecated.is_some() || decl.fields().iter().any(field_does)
}

/// Whether the parameters, the result or the exceptions of a method use a deprecated type.
pub fn method_uses_deprecated(model: &Model, method: &Method) -> bool {
    names_deprecated(model, method.names())
}

fn names_deprecated(model: &Model, mut names: impl Iterator<Item = TypeId>) -> bool {
    names.any(|id| model.ty(id).notes.deprecated.is_some())
}

/// Whether the default of a field is a deprecated constant.
fn default_is(model: &Model, field: &Field) -> bool {
    let Some(Literal::Constant(id, index)) = &field.default else { return false };
    matches!(&model.ty(*id).kind, TypeKind::Enum(all) if all[*index].notes.deprecated.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use creo_check::compile;

    #[test]
    fn what_uses_something_deprecated() {
        let model = compile(&[(
            "main.creo",
            r#"@Deprecated("old") struct Old { int a; }
               enum Kind { ONE, @Deprecated TWO }
               exception Bad { @Deprecated int a; }
               struct Plain { Kind kind = ONE; }
               struct ByField { Map<String, Old[]?> all; }
               struct ByDefault { Kind kind = TWO; }
               interface I {
                   void plain(Plain plain);
                   @Deprecated void deprecated();
                   void byParameter(Old? old);
                   Old[] byResult();
               }"#,
        )]);
        let model = model.unwrap_or_else(|report| panic!("{report}"));
        let types = model.types.iter().filter(|decl| type_uses_deprecated(&model, decl));
        assert!(types.map(|decl| decl.name.as_str()).eq(["Old", "Bad", "ByField", "ByDefault"]));
        let methods =
            model.interfaces[0].methods.iter().filter(|method| method_uses_deprecated(&model, method));
        assert!(methods.map(|method| method.name.as_str()).eq(["byParameter", "byResult"]));
    }
}
