/** What a source answered, as passages of a page that fit the question best: an answer's sentence quotes them with their address. */
import { isRecord } from '#core/agent/tools/tool.ts';
import type { RagDoc } from '../../evidence/evidence.types.ts';
import type { AskToolContext } from '../context.ts';
import { PASSAGE_LENGTH } from '../../../search/passages.ts';
import { docOfText } from '../doc-of-text.ts';
import { withoutSecrets } from '../rag-retrieve.ts';
import { docsOfPages } from '../web/pages.ts';

const MOST_PASSAGES = 8;
/** Characters of an answer that are looked through. */
const MOST_TEXT = 400_000;
const MOST_ROWS = 2000;

type Output = Readonly<Record<string, unknown>>;

/** @param title with the handle of the call */
export async function sourceDocs(
  { question = '', sha256 }: AskToolContext,
  title: string,
  input: Output,
  output: Output,
): Promise<RagDoc[]> {
  const text = sourceText(output).slice(0, MOST_TEXT);
  const [source] = Array.isArray(output['sources']) ? (output['sources'] as unknown[]) : [];
  const asked = isRecord(source) && typeof source['address'] === 'string' ? source['address'] : '';
  const { address } = output;
  const url = typeof address === 'string' && address.startsWith('https://') ? address : asked;
  const words = Object.values(input).filter((one) => typeof one === 'string' && one.length < 300);
  const page = { url, type: 'text/markdown', text, title, sha256: await sha256(text) };
  const query = [question, ...words].join(' ');
  const found = await docsOfPages([page], query, MOST_PASSAGES);
  if (found.length > 0 || text.trim() === '') return found.map(withoutSecrets);
  // Numbers alone have no word of the question: what the source begins with is its answer all the same.
  return [await docOfText({ sha256 }, { text: text.slice(0, PASSAGE_LENGTH), title, language: 'markdown', url })];
}

/** Sections, texts and tables as Markdown. */
function sourceText(output: Output): string {
  const parts: string[] = [];
  if (typeof output['title'] === 'string') parts.push(`# ${output['title']}`);
  if (typeof output['text'] === 'string') parts.push(output['text']);
  for (const section of recordsOf(output['sections'])) {
    const { heading, text } = section;
    parts.push(`${typeof heading === 'string' && heading !== '' ? `## ${heading}\n\n` : ''}${said(text)}`);
  }
  parts.push(...tableLines(output));
  for (const table of recordsOf(output['tables'])) parts.push(...tableLines(table));
  return `${parts.join('\n\n')}\n`;
}

/** A row a line, each value by its column. */
function tableLines({ caption, columns, rows }: Output): string[] {
  if (!Array.isArray(columns) || !Array.isArray(rows)) return [];
  const lines = rows.slice(0, MOST_ROWS).flatMap((row: unknown) => {
    if (!Array.isArray(row)) return [];
    const cells = row.flatMap((cell: unknown, at) => {
      const value = said(cell);
      return value === '' ? [] : [`${String(columns[at])} ${value}`];
    });
    return [`- ${cells.join('; ')}`];
  });
  return [...(typeof caption === 'string' && caption !== '' ? [`## ${caption}`] : []), lines.join('\n')];
}

const recordsOf = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter((one): one is Record<string, unknown> => isRecord(one)) : [];

function said(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'object') return JSON.stringify(value);
  return String(value as string | number | boolean).replaceAll(/[ \t]*\n[ \t]*\n\s*/g, '\n\n');
}
