/**
 * One file into chunks: the agents of its chain are asked one after the other until one can read it.
 *
 *   agent -> output in time, as agreed, of this very file? -> lines that no chunk holds become text -> done
 *     '-- no: a warning that says who failed and why -> the next agent
 */
import { AccessionError, failed, toFailure } from '../errors.ts';
import type { Cancel, Clock } from '../ports.ts';
import { throwIfCancelled } from '../cancel.ts';
import { chunksOf, outputOf, type AgentContext, type AgentOutput, type ChunkAgent } from './agent.ts';
import type { Chunk } from './chunk.ts';
import { fileTypeOf } from './languages.ts';
import { baseName, extensionOf } from './paths.ts';
import type { IngesterRegistry } from './registry.ts';
import { SourceText } from './source-text.ts';
import { textChunks } from './text-chunks.ts';

/** How long an agent may take, milliseconds. */
export const AGENT_LIMITS = { native: 30_000, model: 300_000 } as const;

/** Injected timers. */
export interface AgentTimers {
  set(run: () => void, ms: number): unknown;
  clear(handle: unknown): void;
}

export interface ReadingPorts {
  clock: Clock;
  timers: AgentTimers;
  cancel?: Cancel;
}

/** A file to be read. `bytes` for those that are no text (a PDF). */
export interface FileToRead {
  path: string;
  content: string;
  bytes?: Uint8Array;
}

export interface ReadFile {
  /** Who read it. */
  agentId: string;
  chunks: Chunk[];
  /** Sentences: who failed before and why, and what the reader has to say. */
  warnings: string[];
  /** Code of an agent before it could not be loaded: it may read the file another time. */
  again?: true;
  language: string;
}

/**
 * Reads one file. What is blank has no chunks and nobody's warning. Throws AccessionError `cancelled`, and no other:
 * the last agent of the chain takes any text.
 */
export async function readChunks(registry: IngesterRegistry, file: FileToRead, ports: ReadingPorts): Promise<ReadFile> {
  const { capability, language } = fileTypeOf(file.path, file.content.slice(0, 300));
  const chain = registry.chain(capability);
  const source = SourceText.of(file.content, file.path, language);
  const warnings: string[] = [];
  const first = chain[0]?.agentId ?? 'nobody';
  if (file.content.trim() === '' && (file.bytes?.length ?? 0) === 0)
    return { agentId: first, chunks: [], warnings, language };

  const properties = { filePath: file.path, content: file.content, language };
  const context: AgentContext = {
    prompt: 'Parse this file and extract semantic chunks',
    properties: file.bytes === undefined ? properties : { ...properties, bytes: file.bytes },
  };
  // What is no text is for those that read bytes alone.
  const able = file.content.trim() === '' ? chain.filter(({ readsBytes }) => readsBytes === true) : chain;
  let again: { again?: true } = {};
  for (const agent of able) {
    if (ports.cancel) throwIfCancelled(ports.cancel);
    try {
      const output = await inTime(agent, context, ports);
      const chunks = chunksOf(output);
      const whole = agent.rendersText === true ? chunks : withAllLines(source, checked(source, chunks));
      const said = [...warnings, ...(output.warnings ?? [])];
      return { agentId: agent.agentId, chunks: whole, warnings: said, language, ...again };
    } catch (thrown) {
      if (ports.cancel) throwIfCancelled(ports.cancel);
      if (agent.model === undefined && toFailure(thrown).code === 'offline') again = { again: true };
      warnings.push(`${agent.agentId} could not read "${baseName(file.path)}": ${reasonOf(thrown)}.`);
    }
  }
  return { agentId: first, chunks: [], warnings, language, ...again };
}

function reasonOf(thrown: unknown): string {
  const { code, message: sentence } = toFailure(thrown);
  const message = thrown instanceof AccessionError || code === 'offline' ? sentence : String(thrown);
  return message.replace(/[.\s]+$/, '');
}

/** The output, unless it takes too long. A parser that never yields is asked to stop by `aborted`. */
async function inTime(agent: ChunkAgent, context: AgentContext, ports: ReadingPorts): Promise<AgentOutput> {
  const limit = agent.model === undefined ? AGENT_LIMITS.native : AGENT_LIMITS.model;
  const tooLong = (): AccessionError => failed('file_unreadable', `it took more than ${limit / 1000} s`);
  const end = ports.clock.now() + limit;
  const isLate = (): boolean => ports.clock.now() > end;
  const cancel: Cancel = {
    get aborted() {
      return ports.cancel?.aborted === true || isLate();
    },
  };
  const answer = agent.execute(context, cancel);
  if (!(answer instanceof Promise)) return answer;
  let handle: unknown;
  const late = new Promise<never>((_, refuse) => {
    handle = ports.timers.set(() => refuse(tooLong()), limit);
  });
  try {
    return await Promise.race([answer, late]);
  } catch (thrown) {
    throw isLate() ? tooLong() : thrown;
  } finally {
    ports.timers.clear(handle);
  }
}

/** Chunks whose lines and text are the file's own. Throws AccessionError `invalid`. */
function checked(source: SourceText, chunks: Chunk[]): Chunk[] {
  for (const chunk of chunks) {
    const { startLine, endLine, symbolName } = chunk;
    const what = `its chunk ${symbolName ?? `at line ${startLine}`}`;
    if (startLine > endLine || endLine > source.lines)
      throw failed('invalid', `${what} has lines that the file has not`);
    if (!standsThere(source, chunk)) throw failed('invalid', `${what} has a text that does not stand there`);
  }
  return chunks;
}

function standsThere(source: SourceText, { text, metadata, startLine, endLine }: Chunk): boolean {
  const at = metadata['startOffset'];
  // Texts of one length are compared in one go; `startsWith` goes unit by unit.
  if (at !== undefined) return source.content.slice(Number(at), Number(at) + text.length) === text;
  return folded(source.content.slice(source.startOf(startLine), source.endOf(endLine))).includes(folded(text));
}

const folded = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** The chunks, and text for every line that is in none and not blank; in the order of the file, the wider one first. */
export function withAllLines(source: SourceText, chunks: readonly Chunk[]): Chunk[] {
  const sorted = chunks.toSorted((a, b) => a.startLine - b.startLine || b.endLine - a.endLine);
  const all: Chunk[] = [];
  let next = 1;
  const fill = (last: number): void => {
    if (next <= last) all.push(...textChunks(source, next, last));
  };
  for (const chunk of sorted) {
    fill(chunk.startLine - 1);
    all.push(chunk);
    next = Math.max(next, chunk.endLine + 1);
  }
  fill(source.lines);
  return all;
}

/** The last resort: the whole file as one chunk, and an apology that names the ending. */
export function wholeFile(context: AgentContext): AgentOutput {
  const { filePath, content, language } = context.properties;
  const source = new SourceText(content, filePath, language);
  const range = source.trimmed(0, content.length);
  const ending = extensionOf(filePath);
  const named = ending === '' ? `"${baseName(filePath)}"` : `.${ending} files`;
  const warning = `Sorry: nothing here reads ${named}, so "${baseName(filePath)}" is one piece of text.`;
  return outputOf(filePath, range === null ? [] : [source.chunk(...range, { type: 'text' })], [warning]);
}
