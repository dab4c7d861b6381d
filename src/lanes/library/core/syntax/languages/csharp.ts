import type { LanguageRules } from '../rules.ts';

const ACCESS =
  /\b(protected\s+internal|internal\s+protected|private\s+protected|protected\s+private|public|private|protected|internal|file)\b/;
const CANONICAL: Readonly<Record<string, string>> = {
  'internal protected': 'protected internal',
  'protected private': 'private protected',
};

/** Roslyn's place; what a syntax tree says, without types. */
export const csharp: LanguageRules = {
  grammar: 'csharp',
  separator: '.',
  doc: /^(\/\/\/(?!\/)|\/\*\*(?![*/]))/,
  query: `
    (namespace_declaration name: (_) @name) @namespace
    (file_scoped_namespace_declaration name: (_) @name) @filespace
    (class_declaration name: (_) @name) @class
    (struct_declaration name: (_) @name) @struct
    (record_declaration name: (_) @name) @record
    (interface_declaration name: (_) @name) @interface
    (enum_declaration name: (_) @name) @enum
    (enum_member_declaration name: (_) @name) @field
    (delegate_declaration name: (_) @name) @type
    (method_declaration name: (_) @name) @method
    (constructor_declaration name: (_) @name) @method
    (destructor_declaration "~" @name name: (_) @name) @method
    (operator_declaration "operator" @name operator: _ @name) @method
    (conversion_operator_declaration "operator" @name type: (_) @name) @method
    (indexer_declaration "this" @name) @property
    (property_declaration name: (_) @name) @property
    (event_declaration name: (_) @name) @property
    (event_field_declaration (variable_declaration (variable_declarator name: (_) @name))) @property
    (field_declaration (variable_declaration (variable_declarator name: (_) @name))) @field
    (local_function_statement name: (_) @name) @function
    (comment) @comment
  `,
  nameOf: (raw) =>
    raw
      .replace(/^operator\s*/, 'operator ')
      .replace(/^~\s+/, '~')
      .replace(/^@/, ''),
  accessOf({ type, name, within, head }) {
    if (type === 'namespace' || type === 'function' || name.startsWith('~')) return null;
    if (within === 'enum') return 'public';
    const said = ACCESS.exec(head)?.[0].replaceAll(/\s+/g, ' ');
    if (said !== undefined) return CANONICAL[said] ?? said;
    if (within === 'interface') return 'public';
    if (within === null || within === 'namespace') return 'internal';
    return 'private';
  },
};
