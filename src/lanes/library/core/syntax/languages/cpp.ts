import { wordsIn, type LanguageRules } from '../rules.ts';

/** A declarator of `of`, by itself or as a pointer or a reference. */
const pointed = (of: string, field = 'declarator: '): string[] => [
  `${field}${of}`,
  `${field}(pointer_declarator declarator: ${of})`,
  `${field}(pointer_declarator declarator: (pointer_declarator declarator: ${of}))`,
];
/** Also behind more than two pointers, a reference, or as what gives back a pointer to an array or a function. */
const referred = (of: string): string[] => [
  ...pointed(of),
  `declarator: (_ declarator: (_ declarator: (_ declarator: ${of})))`,
  `declarator: (reference_declarator ${of})`,
  `declarator: (pointer_declarator declarator: (reference_declarator ${of}))`,
  `declarator: (_ declarator: (parenthesized_declarator (pointer_declarator declarator: ${of})))`,
];

const FUNCTION = '(function_declarator declarator: (_) @name)';
const lines = (patterns: readonly string[], pattern: (declarator: string) => string): string =>
  patterns.map(pattern).join('\n');

/** Prototypes are symbols where they declare (a header), not within functions. */
const PLACES = [
  'translation_unit',
  'declaration_list',
  'preproc_ifdef',
  'preproc_if',
  'preproc_else',
  'linkage_specification',
];

const C = `
  (struct_specifier name: (_) @name body: (_)) @struct
  (union_specifier name: (_) @name body: (_)) @struct
  (enum_specifier name: (_) @name body: (_)) @enum
  (enumerator name: (identifier) @name) @field
  ${lines(
    [
      ...pointed('(type_identifier) @name'),
      'declarator: (array_declarator declarator: (type_identifier) @name)',
      'declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name)))',
      'declarator: (function_declarator declarator: (type_identifier) @name)',
      'declarator: (array_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name)))',
    ],
    (declarator) => `(type_definition ${declarator}) @type`,
  )}
  ${lines(
    [
      ...pointed('(field_identifier) @name'),
      ...pointed('(array_declarator declarator: (field_identifier) @name)'),
      'declarator: (array_declarator declarator: (array_declarator declarator: (field_identifier) @name))',
      'declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (field_identifier) @name)))',
    ],
    (declarator) => `(field_declaration ${declarator}) @field`,
  )}
  (preproc_function_def name: (identifier) @name) @function
  (type_definition) @wrap
  (comment) @comment
`;

const DOC = /^(\/\/\/(?!\/)|\/\/!|\/\*\*(?![*/])|\/\*!)/;

/** Without arguments of templates, and blanks; `operator()` is `operator ()`. */
function nameOf(raw: string): string {
  const operator = /(?:^|::)\s*(operator\b.*)$/s.exec(raw)?.[1];
  if (operator !== undefined) {
    // A conversion is named by its type, its brackets are none of it.
    const named = /^operator\s+[a-z_]/i.test(operator) ? operator.replace(/\s*\([^()]*\)[^()]*$/s, '') : operator;
    return named
      .replace(/^operator\s*/, 'operator ')
      .replaceAll(/\s+/g, ' ')
      .trim();
  }
  const plain = raw
    .replaceAll(/\s+/g, '')
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(/<[^<>]*>/g, '');
  return /^["(*&]/.test(plain) ? '' : plain;
}

export const c: LanguageRules = {
  grammar: 'c',
  separator: '::',
  doc: DOC,
  nameOf,
  query: `
    ${lines(
      referred(FUNCTION).filter((one) => !one.includes('reference')),
      (declarator) => `(function_definition ${declarator}) @function`,
    )}
    ${PLACES.filter((place) => place !== 'declaration_list' && place !== 'linkage_specification')
      .map((place) => lines(pointed(FUNCTION), (declarator) => `(${place} (declaration ${declarator}) @function)`))
      .join('\n')}
    ${C}
  `,
};

export const cpp: LanguageRules = {
  grammar: 'cpp',
  namesOwners: true,
  separator: '::',
  doc: DOC,
  nameOf,
  query: `
    (namespace_definition name: (namespace_identifier) @name) @namespace
    (namespace_definition name: (nested_namespace_specifier (namespace_identifier) @name)) @namespace
    (namespace_definition name: (nested_namespace_specifier (nested_namespace_specifier (namespace_identifier) @name))) @namespace
    (class_specifier name: (_) @name body: (_)) @class
    (alias_declaration name: (type_identifier) @name) @type
    (concept_definition name: (identifier) @name) @type
    ${lines(referred(FUNCTION), (declarator) => `(function_definition ${declarator}) @function`)}
    (declaration declarator: (init_declarator declarator: ${FUNCTION} value: (initializer_list))) @function
    (function_definition declarator: (operator_cast) @name) @function
    (function_definition declarator: (qualified_identifier name: (operator_cast)) @name) @function
    (field_declaration declarator: (operator_cast) @name) @method
    (field_declaration_list (declaration declarator: (operator_cast) @name) @method)
    ${lines(referred(FUNCTION), (declarator) => `(field_declaration ${declarator}) @method`)}
    ${['field_declaration_list', 'template_declaration', ...PLACES]
      .map((place) => lines(referred(FUNCTION), (declarator) => `(${place} (declaration ${declarator}) @function)`))
      .join('\n')}
    (template_declaration) @wrap
    (linkage_specification) @wrap
    (access_specifier) @access
    ${C}
  `,
  sectionOf: (raw) => wordsIn(raw, ['public', 'protected', 'private']),
  accessOf({ within, section }) {
    if (within === 'class') return section ?? 'private';
    return within === 'struct' ? (section ?? 'public') : null;
  },
};
