import type { LanguageRules } from '../rules.ts';
import { walkPython } from './python-walk.ts';

export const python: LanguageRules = {
  grammar: 'python',
  separator: '.',
  walk: walkPython,
  query: `
    (class_definition name: (identifier) @name) @class
    (function_definition name: (identifier) @name) @function
    (assignment left: (identifier) @name right: (lambda)) @function
    (type_alias_statement left: (type (identifier) @name)) @type
    (class_definition name: (identifier) @name body: (block . (expression_statement [(string) (concatenated_string)] @doc)))
    (function_definition name: (identifier) @name body: (block . (expression_statement [(string) (concatenated_string)] @doc)))
    (decorated_definition) @wrap
    (comment) @comment
  `,
};
