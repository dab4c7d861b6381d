import { JAVADOC, wordsIn, type LanguageRules } from '../rules.ts';

const FUNCTION = '[(anonymous_function) (arrow_function)]';

export const php: LanguageRules = {
  grammar: 'php',
  separator: '\\',
  doc: JAVADOC,
  query: `
    (namespace_definition name: (_) @name body: (_)) @namespace
    (namespace_definition name: (_) @name) @filespace
    (class_declaration name: (_) @name) @class
    (trait_declaration name: (_) @name) @class
    (interface_declaration name: (_) @name) @interface
    (enum_declaration name: (_) @name) @enum
    (enum_case name: (_) @name) @field
    (function_definition name: (_) @name) @function
    (method_declaration name: (_) @name) @method
    (property_declaration (property_element (variable_name (name) @name))) @property
    (property_promotion_parameter name: (variable_name (name) @name)) @promoted
    (const_declaration (const_element (name) @name)) @field
    (assignment_expression left: (variable_name (name) @name) right: ${FUNCTION}) @function
    (expression_statement) @wrap
    (comment) @comment
  `,
  accessOf({ type, within, head }) {
    const isMember = within !== null && within !== 'namespace' && type !== 'function';
    return isMember ? (wordsIn(head, ['public', 'protected', 'private']) ?? 'public') : null;
  },
  separatorOf: ({ within }) => (within === 'namespace' ? '\\' : '::'),
};
