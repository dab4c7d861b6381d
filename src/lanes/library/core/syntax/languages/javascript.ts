import type { Grammar } from '../syntax.ts';
import { JAVADOC, lastName, wordsIn, type LanguageRules } from '../rules.ts';

const FUNCTION = '[(arrow_function) (function_expression) (generator_function)]';

/** Shared by JavaScript and TypeScript. What is in brackets, and called on the spot, is what it is. */
const COMMON = `
  (class_declaration name: (_) @name) @class
  (class name: (_) @name) @class
  (variable_declarator name: (identifier) @name value: (class)) @class
  (export_statement "default" @name value: (class)) @class
  (export_statement "default" @name value: ${FUNCTION}) @function
  (function_declaration name: (_) @name) @function
  (generator_function_declaration name: (_) @name) @function
  (function_expression name: (_) @name) @again
  (variable_declarator name: (identifier) @name value: ${FUNCTION}) @function
  (variable_declarator name: (identifier) @name value: (parenthesized_expression ${FUNCTION})) @function
  (variable_declarator name: (identifier) @name value: (parenthesized_expression (parenthesized_expression ${FUNCTION}))) @function
  (variable_declarator name: (identifier) @name value: (call_expression function: ${FUNCTION})) @function
  (variable_declarator name: (identifier) @name value: (call_expression function: (parenthesized_expression ${FUNCTION}))) @function
  (variable_declarator name: (identifier) @name value: (call_expression function: (parenthesized_expression (parenthesized_expression ${FUNCTION})))) @function
  (variable_declarator name: (identifier) @name value: [(object) (array)]) @object
  (variable_declarator name: (identifier) @name value: (parenthesized_expression (object))) @object
  (assignment_expression left: (identifier) @name right: ${FUNCTION}) @function
  (assignment_expression left: (identifier) @name right: (class)) @class
  (assignment_expression left: (member_expression object: (_) @owner property: (_) @name) right: (class)) @class
  (assignment_expression left: (member_expression object: (_) @owner property: (_) @name) right: ${FUNCTION}) @method
  (assignment_expression
    left: (member_expression object: (member_expression property: (_) @_prototype) @owner property: (_) @name)
    (#eq? @_prototype "prototype")) @property
  (assignment_expression left: [(identifier) (member_expression)] @name right: [(object) (array)]) @object
  (method_definition name: (_) @name) @method
  (pair key: (_) @name value: ${FUNCTION}) @method
  (pair key: (_) @name) @pair
  (export_statement) @wrap
  (lexical_declaration) @wrap
  (variable_declaration) @wrap
  (expression_statement) @wrap
  (decorator) @lead
  (comment) @comment
`;

/** What a name in quotes, in brackets or with escapes says. */
function nameOf(raw: string): string {
  if (!/^["'[`]|\\|\n/.test(raw)) return raw;
  const bare = /^\[\s*(["'`])(.*)\1\s*\]$/s.exec(raw)?.[2] ?? /^(["'`])(.*)\1$/s.exec(raw)?.[2] ?? raw;
  const said = /^\[.*["']/s.test(raw) && bare.includes('+') ? raw : bare;
  return said
    .replaceAll(/\\u\{([0-9a-f]+)\}|\\u([0-9a-f]{4})/gi, (_, long: string | undefined, short: string | undefined) =>
      String.fromCodePoint(Number.parseInt(long ?? short ?? '0', 16)),
    )
    .replaceAll(/\s+/g, ' ');
}

/** `Tide.prototype` is of Tide, `this.log` of what is around it. */
const ownerOf = (raw: string): string => {
  const way = raw
    .replaceAll(/\s+/g, '')
    .replace(/\.prototype$/, '')
    .replace(/^(this|self)(\.|$)/, '');
  return /^[\w$.#]*$/.test(way) ? way : '';
};

/** `module.exports` is a place, and no name. */
const named = (raw: string): string =>
  raw === 'exports' ? '' : /^(this|[\w$.]+)\.[\w$.]+$/.test(raw) ? ownerOf(raw) : nameOf(raw);

function accessOf(name: string, head: string): string | null {
  return name.startsWith('#') ? 'private' : wordsIn(head, ['public', 'protected', 'private']);
}

export const javascript: LanguageRules = {
  grammar: 'javascript',
  separator: '.',
  doc: JAVADOC,
  query: `
    (field_definition property: (_) @name value: ${FUNCTION}) @method
    (field_definition property: (_) @name) @property
    ${COMMON}
  `,
  nameOf: named,
  ownerOf,
  accessOf: ({ name, within }) => (within === 'class' && name.startsWith('#') ? 'private' : null),
};

const typed = (grammar: Grammar): LanguageRules => ({
  ...javascript,
  grammar,
  // A variable that is called `using` is no declaration.
  prepare: (content) => content.replaceAll(/\busing(?=\s*[.,;:)=?!\]}])/g, 'usinG'),
  query: `
    (abstract_class_declaration name: (_) @name) @class
    (interface_declaration name: (_) @name) @interface
    (type_alias_declaration name: (_) @name) @type
    (enum_declaration name: (_) @name) @enum
    (enum_body [(property_identifier) (string)] @name @field)
    (enum_body (enum_assignment name: (_) @name) @field)
    (internal_module name: (_) @name) @namespace
    (module name: (_) @name) @namespace
    (function_signature name: (_) @name) @function
    (public_field_definition name: (_) @name value: ${FUNCTION}) @method
    (public_field_definition name: (_) @name) @property
    (interface_declaration body: (_ (property_signature name: (_) @name) @property))
    (type_alias_declaration value: (object_type (property_signature name: (_) @name) @property))
    (variable_declarator name: (identifier) @name value: [(as_expression (object)) (satisfies_expression (object))]) @object
    (method_signature name: (_) @name) @method
    (abstract_method_signature name: (_) @name) @method
    (required_parameter (accessibility_modifier) pattern: (identifier) @name) @promoted
    (ambient_declaration) @wrap
    ${COMMON}
  `,
  accessOf: ({ name, type, within, head }) =>
    within === 'class' && (type === 'method' || type === 'property') ? accessOf(lastName(name, '.'), head) : null,
});

export const typescript = typed('typescript');
export const tsx = typed('tsx');
