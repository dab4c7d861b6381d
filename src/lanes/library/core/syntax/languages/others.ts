/** Languages whose tables are a few lines each. */
import { JAVADOC, wordsIn, type LanguageRules } from '../rules.ts';

const MODIFIERS =
  'suspend|infix|inline|operator|tailrec|external|value|data|sealed|open|abstract|annotation|inner|override|enum|private|internal|public|protected|final|lateinit|const|actual|expect';
/** A line that ends with an expression, and its end, before a declaration with modifiers. */
const BEFORE_MODIFIER = new RegExp(
  String.raw`^[ \t]*(?![@*\s])[^\n]*=[^\n]*[\w)\]"'}>?]\n(?=[ \t]*(?:(?:${MODIFIERS})[ \t]+)+(?:fun|class|interface|object|val|var)\b)`,
  'gm',
);

export const kotlin: LanguageRules = {
  grammar: 'kotlin',
  prepare: (content) =>
    content
      // `fun interface`
      .replaceAll(/\bfun(?=\s+interface\b)/g, '   ')
      // The end of a body that stands on one line with several members.
      .replaceAll(/\b(class|interface|object)\b[^\n]*;[^\n]* (?=\}[ \t\r]*$)/gm, (line) => `${line.slice(0, -1)}\n`)
      // `fun a() = this`, and then `suspend fun b()`: read on as `this suspend fun`.
      .replaceAll(BEFORE_MODIFIER, (line) => (/\/[/*]/.test(line) ? line : `${line.slice(0, -1)};`)),
  separator: '.',
  doc: JAVADOC,
  query: `
    (package_header (qualified_identifier) @name) @package
    (class_declaration "interface" name: (identifier) @name) @interface
    (class_declaration (modifiers (class_modifier "enum")) name: (identifier) @name) @enum
    (class_declaration name: (identifier) @name) @class
    (object_declaration name: (identifier) @name) @class
    (enum_entry (identifier) @name) @field
    (function_declaration name: (identifier) @name) @function
    (class_body (property_declaration (variable_declaration (identifier) @name)) @property)
    (source_file (property_declaration (variable_declaration (identifier) @name)) @property)
    (type_alias type: (identifier) @name) @type
    (line_comment) @comment
    (block_comment) @comment
  `,
  nameOf: (raw) => raw.replaceAll('`', ''),
  accessOf: ({ type, head }) =>
    type === 'namespace' ? null : wordsIn(head, ['public', 'protected', 'private', 'internal']),
};

export const lua: LanguageRules = {
  grammar: 'lua',
  separator: '.',
  doc: /^--/,
  query: `
    (function_declaration name: (identifier) @name) @function
    (function_declaration name: (dot_index_expression table: (_) @owner field: (_) @name)) @function
    (function_declaration name: (method_index_expression table: (_) @owner method: (_) @name)) @function
    (assignment_statement (variable_list name: (identifier) @name) (expression_list value: (function_definition))) @function
    (assignment_statement (variable_list name: (dot_index_expression table: (_) @owner field: (_) @name)) (expression_list value: (function_definition))) @function
    (assignment_statement (variable_list name: (_) @name) (expression_list value: (table_constructor))) @object
    (field name: (_) @name value: (function_definition)) @function
    (variable_declaration) @wrap
    (comment) @comment
  `,
  ownerOf: (raw) => raw.replaceAll(/\s+/g, '').replaceAll(':', '.'),
};

export const r: LanguageRules = {
  grammar: 'r',
  separator: '$',
  doc: /^#'/,
  query: `
    (binary_operator lhs: [(identifier) (string)] @name operator: ["<-" "<<-" "="] rhs: (function_definition)) @function
    (binary_operator lhs: (extract_operator lhs: (_) @owner rhs: (_) @name) operator: ["<-" "<<-" "="] rhs: (function_definition)) @function
    (comment) @comment
  `,
  nameOf: (raw) => raw.replaceAll(/^["']|["']$/g, ''),
};

export const bash: LanguageRules = {
  grammar: 'bash',
  separator: '.',
  doc: /^#(?!!)/,
  query: `
    (function_definition name: (word) @name) @function
    (comment) @comment
  `,
};
