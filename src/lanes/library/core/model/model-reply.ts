/**
 * What may be kept of a model's reply: each chunk is a claim, and the source decides.
 *
 *   its text stands in the source          -> the lines where it stands, the nearest to its claim among several
 *   its name is a word of its claimed lines -> those lines
 *   neither, or the same again             -> refused
 */
import { climb } from '#core/agent/prompt/ladder.ts';
import { isRecord } from '#core/agent/tools/tool.ts';
import { failed } from '#core/errors.ts';
import type { Chunk } from '#core/ingest/chunk.ts';
import type { SourceText } from '#core/ingest/source-text.ts';
import { chunkTypeOf } from './chunk-kinds.ts';
import { Folded, wordAt } from './where.ts';

/** Characters of a reply that are read: a file of 60,000, escaped. */
const MOST_REPLY = 400_000;

export interface ModelReply {
  text: string;
  /** `stop` where the model ended by itself. */
  finish: string;
}

export interface KeptReply {
  chunks: Chunk[];
  refused: number;
}

interface Claim {
  text: string;
  name: string;
  kind: unknown;
  startLine: number;
  endLine: number;
}

/** Throws AccessionError `invalid` where the reply was cut, holds nothing, or more than half of it is refused. */
export function keepReply(source: SourceText, reply: ModelReply): KeptReply {
  if (reply.finish !== 'stop') throw failed('invalid', "the model's reply was cut");
  const claims = claimsIn(reply);
  const folded = new Folded(source);
  const kept = new Map<string, Chunk>();
  for (const claim of claims) {
    const range = whereIs(claim, source, folded);
    if (range === null) continue;
    const chunk = chunkAt(source, range, claim);
    const key = `${chunk.startLine} ${chunk.endLine} ${chunk.symbolName ?? ''}`;
    if (!kept.has(key)) kept.set(key, chunk);
  }
  const refused = claims.length - kept.size;
  if (kept.size === 0) throw failed('invalid', "nothing of the model's reply is in the file");
  if (refused > claims.length / 2)
    throw failed('invalid', `${refused} of ${claims.length} chunks of the model are not in the file`);
  return { chunks: nested([...kept.values()]), refused };
}

/** Lists, objects with `chunks`, and chunks by themselves. */
function claimsIn({ text, finish }: ModelReply): Claim[] {
  const climbed = climb(text, finish, MOST_REPLY);
  if (climbed.rung === null) throw failed('invalid', `the model's reply cannot be read: ${climbed.reason}`);
  const items = climbed.values.flatMap((value): unknown[] => {
    if (Array.isArray(value)) return value;
    if (!isRecord(value)) return [];
    return Array.isArray(value['chunks']) ? value['chunks'] : [value];
  });
  return items.filter(isRecord).map((item) => ({
    text: textOf(item['text']),
    name: textOf(item['symbolName']).trim(),
    kind: item['chunkType'],
    startLine: lineOf(item['startLine']),
    endLine: lineOf(item['endLine']),
  }));
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A line as a number or as digits; NaN for anything else. */
function lineOf(value: unknown): number {
  const line = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof line === 'number' && Number.isSafeInteger(line) && line > 0 ? line : Number.NaN;
}

function whereIs(
  { text, name, startLine, endLine }: Claim,
  source: SourceText,
  folded: Folded,
): [number, number] | null {
  const stands = folded.find(text, Number.isNaN(startLine) ? 1 : startLine);
  if (stands !== null) return stands;
  const last = Math.min(Number.isNaN(endLine) ? startLine : endLine, source.lines);
  if (name === '' || Number.isNaN(startLine) || startLine > last) return null;
  const [start, end] = [source.startOf(startLine), source.endOf(last)];
  return wordAt(source.content, name, start, end) < 0 ? null : source.trimmed(start, end);
}

function chunkAt(source: SourceText, [start, end]: [number, number], { name, kind }: Claim): Chunk {
  const type = chunkTypeOf(kind);
  const at = name === '' ? -1 : wordAt(source.content, name, start, end);
  if (type === 'text' || at < 0) return source.chunk(start, end, { type: 'text' });
  return source.chunk(start, end, { type, name, metadata: { nameLine: String(source.lineAt(at)) } });
}

/** Parents and qualified names, by what stands in what. */
function nested(chunks: readonly Chunk[]): Chunk[] {
  const sorted = chunks.toSorted((a, b) => a.startLine - b.startLine || b.endLine - a.endLine);
  const open: Chunk[] = [];
  for (const chunk of sorted) {
    while ((open.at(-1)?.endLine ?? Infinity) < chunk.endLine || (open.at(-1)?.endLine ?? Infinity) < chunk.startLine)
      open.pop();
    if (chunk.symbolName === null) continue;
    const around = open.at(-1);
    chunk.fullyQualifiedName = around ? `${around.fullyQualifiedName ?? ''}.${chunk.symbolName}` : chunk.symbolName;
    chunk.parentSymbol = around === undefined || around.chunkType === 'namespace' ? null : around.symbolName;
    open.push(chunk);
  }
  return sorted;
}
