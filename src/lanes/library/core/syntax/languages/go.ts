import type { LanguageRules } from '../rules.ts';

export const go: LanguageRules = {
  grammar: 'go',
  separator: '.',
  doc: /^/,
  query: `
    (package_clause (package_identifier) @name) @package
    (type_spec name: (type_identifier) @name type: (struct_type)) @struct
    (type_spec name: (type_identifier) @name type: (interface_type)) @interface
    (type_spec name: (type_identifier) @name) @type
    (type_alias name: (type_identifier) @name) @type
    (field_declaration name: (field_identifier) @name) @field
    (field_declaration !name type: (type_identifier) @name) @field
    (field_declaration !name type: (generic_type type: (type_identifier) @name)) @field
    (field_declaration !name type: (qualified_type name: (type_identifier) @name)) @field
    (method_elem name: (field_identifier) @name) @method
    (method_declaration receiver: (parameter_list (parameter_declaration type: (_) @owner)) name: (field_identifier) @name) @method
    (function_declaration name: (identifier) @name) @function
    (var_spec name: (identifier) @name value: (expression_list (func_literal))) @function
    (short_var_declaration left: (expression_list . (identifier) @name) right: (expression_list . (func_literal))) @function
    (const_spec name: (identifier) @name) @field
    (type_declaration) @wrap
    (const_declaration) @wrap
    (comment) @comment
  `,
  nameOf: (raw) => (raw === '_' ? '' : raw),
  // A receiver: `*Circle`, `Tree[T]`.
  ownerOf: (raw) => raw.replace(/\[.*$/s, '').replaceAll(/[*()\s]/g, ''),
};
