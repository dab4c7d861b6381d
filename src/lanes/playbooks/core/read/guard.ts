/** A look at a text before it is parsed as YAML: what would take the parser seconds is refused in milliseconds. */
import { Lexer } from 'yaml';

/** Collections in each other: far more than any playbook has. */
const MOST_DEPTH = 100;

const OPEN = new Set(['{', '[']);
const CLOSE = new Set(['}', ']']);
const INDICATOR = new Set(['-', '?', ':', ',']);

/** The sentence that says why it is not parsed; null: it may be. */
export function yamlGuard(text: string): string | null {
  let depth = 0;
  let row = 0;
  let indent = 0;
  for (const token of new Lexer().lex(text)) {
    if (OPEN.has(token)) depth++;
    else if (CLOSE.has(token)) depth = Math.max(0, depth - 1);
    // Nested blocks on one line: `- - - -`.
    if (INDICATOR.has(token)) row++;
    else if (token.trim() !== '') row = 0;
    if (token.length > 0 && token.trim() === '') indent = Math.max(indent, token.length);
    if (depth > MOST_DEPTH || row > MOST_DEPTH) return `Collections are nested more than ${MOST_DEPTH} deep.`;
  }
  return null;
}
