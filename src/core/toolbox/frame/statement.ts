/** What a text of SQL is, as far as it must be known before an engine sees it: one statement, and one that only reads. */
import type { Fault } from '../tool.ts';

/** First words of what is no SELECT. What is no word of SQL at all is left to the engine to explain. */
const OTHERS = new Set(
  'alter analyze attach begin call checkpoint comment commit copy create deallocate delete describe detach drop execute explain export force import insert install load merge pivot pragma prepare reindex replace reset rollback set show summarize truncate unpivot update use vacuum'.split(
    ' ',
  ),
);

/** Text in quotes, comments, and text between dollars: a semicolon in them ends nothing. */
const APART = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\$(\w*)\$[\s\S]*?\$\1\$/g;

export function statementFault(sql: string): Fault | null {
  const bare = sql.replaceAll(APART, (part) => (part.startsWith('-') || part.startsWith('/') ? ' ' : ' x '));
  const statements = bare.split(';').filter((part) => part.trim() !== '');
  const refused = (message: string): Fault => ({ field: 'sql', message, code: 'tool_refused' });
  if (statements.length === 0) return { field: 'sql', message: 'holds no statement' };
  for (const statement of statements) {
    const word = /^[\s(]*([a-z_]+)/i.exec(statement)?.[1]?.toLowerCase() ?? '';
    if (OTHERS.has(word)) return refused(`${word.toUpperCase()} is not allowed: one SELECT is`);
  }
  if (statements.length > 1) return refused('holds more than one statement');
  return null;
}
