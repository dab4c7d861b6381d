/**
 * What Python's query finds, by a walk that looks into statements alone: definitions stand nowhere else, and a query
 * looks at each name and sign of every expression, which is most of a file.
 */
import type { SyntaxCapture, SyntaxCursor, SyntaxMatch, SyntaxWalk } from '../syntax.ts';

/** The patterns of the query (python.ts), by their place in it. */
const PATTERN = { class: 0, function: 1, lambda: 2, type: 3, classDoc: 4, functionDoc: 5, wrap: 6, comment: 7 };

/** Statements that hold statements, and parts of such. */
const HOLDERS = new Set(
  'if_statement elif_clause else_clause for_statement while_statement try_statement except_clause except_group_clause finally_clause with_statement match_statement case_clause block module'.split(
    ' ',
  ),
);

/** Deeper than people write; the query needs no stack. */
const MOST_LEVELS = 200;

export const walkPython: SyntaxWalk = (cursor, text) => {
  const matches: SyntaxMatch[] = [];
  const add = (pattern: number, ...captures: SyntaxCapture[]): void => void matches.push({ pattern, captures });
  const hasLambda = text.includes('lambda');
  let level = 0;
  let isTooDeep = false;
  /** All that is right below, with the walk at each. */
  const below = (each: (type: string) => void): void => {
    isTooDeep ||= level === MOST_LEVELS;
    if (isTooDeep || !cursor.gotoFirstChild()) return;
    level += 1;
    do each(cursor.nodeType);
    while (cursor.gotoNextSibling());
    level -= 1;
    cursor.gotoParent();
  };

  const visit = (type: string): void => {
    if (type === 'comment') add(PATTERN.comment, here(cursor, 'comment'));
    else if (type === 'function_definition') define('function');
    else if (type === 'class_definition') define('class');
    else if (type === 'expression_statement') {
      if (hasLambda) below((inner) => inner === 'assignment' && assign());
    } else if (type === 'type_alias_statement') nameType();
    else if (type === 'decorated_definition') {
      add(PATTERN.wrap, here(cursor, 'wrap'));
      below(visit);
    } else if (HOLDERS.has(type)) below(visit);
  };

  const define = (kind: 'class' | 'function'): void => {
    const whole = here(cursor, kind);
    let name: SyntaxCapture | null = null;
    below((type) => {
      if (type === 'identifier' && name === null) {
        name = here(cursor, 'name');
        add(PATTERN[kind], whole, name);
      } else if (type !== 'block') visit(type);
      else body(name, kind === 'class' ? PATTERN.classDoc : PATTERN.functionDoc);
    });
  };

  /** What is a string right at the beginning documents. */
  const body = (name: SyntaxCapture | null, pattern: number): void => {
    let isFirst = true;
    below((type) => {
      if (isFirst && name !== null && type === 'expression_statement') {
        const documented = name;
        below((inner) => {
          if (inner === 'string' || inner === 'concatenated_string') add(pattern, documented, here(cursor, 'doc'));
        });
      }
      isFirst = false;
      visit(type);
    });
  };

  /** `a = lambda: 0`, also as the right of another. */
  const assign = (): void => {
    const whole = here(cursor, 'function');
    let name: SyntaxCapture | null = null;
    let at = 0;
    below((type) => {
      if (at === 0 && type === 'identifier') name = here(cursor, 'name');
      else if (type === 'lambda' && name !== null) add(PATTERN.lambda, whole, name);
      else if (type === 'assignment') assign();
      at += 1;
    });
  };

  const nameType = (): void => {
    const whole = here(cursor, 'type');
    let isNamed = false;
    below((type) => {
      // The word `type` itself is called so as well.
      if (type !== 'type' || !cursor.nodeIsNamed || isNamed) return;
      isNamed = true;
      below((inner) => {
        if (inner === 'identifier') add(PATTERN.type, whole, here(cursor, 'name'));
      });
    });
  };

  visit(cursor.nodeType);
  return isTooDeep ? null : matches;
};

const here = ({ startIndex, endIndex }: SyntaxCursor, name: string): SyntaxCapture => ({
  name,
  start: startIndex,
  end: endIndex,
});
