import { JAVADOC, wordsIn, type LanguageRules } from '../rules.ts';

export const java: LanguageRules = {
  grammar: 'java',
  separator: '.',
  doc: JAVADOC,
  query: `
    (package_declaration [(identifier) (scoped_identifier)] @name) @package
    (class_declaration name: (identifier) @name) @class
    (interface_declaration name: (identifier) @name) @interface
    (annotation_type_declaration name: (identifier) @name) @interface
    (enum_declaration name: (identifier) @name) @enum
    (record_declaration name: (identifier) @name) @record
    (enum_constant name: (identifier) @name) @field
    (method_declaration name: (identifier) @name) @method
    (constructor_declaration name: (identifier) @name) @method
    (compact_constructor_declaration name: (identifier) @name) @method
    (annotation_type_element_declaration name: (identifier) @name) @method
    (field_declaration declarator: (variable_declarator name: (identifier) @name)) @field
    (constant_declaration declarator: (variable_declarator name: (identifier) @name)) @field
    (line_comment) @comment
    (block_comment) @comment
  `,
  accessOf({ type, within, head }) {
    if (type === 'namespace') return null;
    if (type === 'field' && within === 'enum' && head === '') return 'public';
    return wordsIn(head, ['public', 'protected', 'private']) ?? (within === 'interface' ? 'public' : null);
  },
};
