import type { LanguageRules } from '../rules.ts';

export const rust: LanguageRules = {
  grammar: 'rust',
  separator: '::',
  doc: /^(\/\/\/(?!\/)|\/\*\*(?![*/]))/,
  query: `
    (mod_item name: (identifier) @name) @namespace
    (struct_item name: (type_identifier) @name) @struct
    (union_item name: (type_identifier) @name) @struct
    (enum_item name: (type_identifier) @name) @enum
    (enum_variant name: (identifier) @name) @field
    (trait_item name: (type_identifier) @name) @interface
    (type_item name: (type_identifier) @name) @type
    (associated_type name: (type_identifier) @name) @type
    (impl_item type: (_) @name) @scope
    (function_item name: (identifier) @name) @function
    (function_signature_item name: (identifier) @name) @function
    (field_declaration name: (field_identifier) @name) @field
    (const_item name: (identifier) @name) @field
    (static_item name: (identifier) @name) @field
    (macro_definition name: (identifier) @name) @function
    (attribute_item) @lead
    (line_comment) @comment
    (block_comment) @comment
  `,
  // A type: `store::Key<'a>`, `&mut Key`; raw identifiers are said without their mark.
  nameOf: (raw) =>
    raw
      .replace(/<.*$/s, '')
      .replace(/^(&|\*|\s|'\w+|\b(mut|dyn|const)\b)+/, '')
      .replace(/^.*::/s, '')
      .replace(/^r#/, ''),
  accessOf: ({ head }) => (/\bpub\b/.test(head) ? 'public' : null),
};
