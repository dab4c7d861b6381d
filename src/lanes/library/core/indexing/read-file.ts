/** One file of a folder, read into what a segment holds. */
import { fileTypeOf } from '#core/ingest/languages.ts';
import type { Chunk } from '#core/ingest/chunk.ts';
import { yieldsChunks, type ChunkAgent } from '#core/ingest/agent.ts';
import type { IngesterRegistry } from '#core/ingest/registry.ts';
import { readChunks } from '#core/ingest/read-chunks.ts';
import type { PlacedChunk, ReadFile } from '../index/file-record.ts';
import { saidOnce } from '../documents/document-facts.ts';
import { decodeText } from './decode.ts';
import type { IndexingPorts } from './ports.ts';

/** What the chunks of a file depend on beside its content: the agents that were asked for it, up to the one that read it. */
export function agentKeyOf(chain: readonly ChunkAgent[], agentId: string): string {
  const upTo = chain.findIndex((agent) => agent.agentId === agentId);
  return chain
    .slice(0, upTo + 1)
    .map(({ agentId: id, version, model, asks }) => {
      if (model === undefined) return `${id}@${version}`;
      const wish = `${model.provider ?? ''}/${model.model ?? ''}/${model.temperature ?? ''}`;
      return `${id}@${version} ${wish}${ASKED}${(asks ?? '').replaceAll(/\s+/g, '_')}`;
    })
    .join(' > ');
}

/** Behind the agents of a file that is read again: the code of one of them could not be loaded. */
const AGAIN = ' ; again';

/** The key of `agents` for a file whose key was `before`. */
export const keyAgain = (agents: string, before: string): string => (before.endsWith(AGAIN) ? agents + AGAIN : agents);

/** In front of the model that answers, or would. */
const ASKED = ' ~';

/** Where there is no model now, what one read before is still good. */
function isSameKey(kept: string, today: string): boolean {
  if (kept.endsWith(AGAIN)) return false;
  if (kept === today) return true;
  const [before, now] = [kept.split(' > '), today.split(' > ')];
  return (
    before.length === now.length &&
    now.every((one, at) =>
      one.endsWith(ASKED) ? withoutAsked(before[at] ?? '') === withoutAsked(one) : one === before[at],
    )
  );
}

const withoutAsked = (part: string): string => part.split(ASKED)[0] ?? '';

/** Whether the agents that read this today are the same as when it was read. */
export function isReadAsToday(
  registry: IngesterRegistry,
  { capability, agentId, agentKey }: { capability: string; agentId: string; agentKey: string },
): boolean {
  if (!capability.startsWith('ingest:')) return false;
  let keys = keysToday.get(registry);
  if (keys === undefined) keysToday.set(registry, (keys = new Map()));
  const name = `${capability} ${agentId}`;
  let key = keys.get(name);
  if (key === undefined) {
    key = agentKeyOf(registry.chain(capability as `ingest:${string}`), agentId);
    keys.set(name, key);
  }
  return isSameKey(agentKey, key);
}

/** By capability and agent: a folder has many files of few kinds, and a registry never changes. */
const keysToday = new WeakMap<IngesterRegistry, Map<string, string>>();

export type ReadingFilePorts = Pick<IndexingPorts, 'registry' | 'decode' | 'clock' | 'timers' | 'cancel'>;

type Known = Pick<ReadFile, 'path' | 'modified' | 'sha256'>;

/** Null where it is no text, and nobody reads its kind. Throws AccessionError `cancelled`. */
export async function readFile(ports: ReadingFilePorts, known: Known, bytes: Uint8Array): Promise<ReadFile | null> {
  const registry = ports.registry();
  const decoded = decodeText(bytes, ports.decode);
  const { capability } = fileTypeOf(known.path, decoded?.text.slice(0, 300) ?? '');
  const wantsBytes = readsBytes(registry, capability);
  if (decoded === null && !wantsBytes) return null;
  const file = wantsBytes
    ? { path: known.path, content: '', bytes }
    : { path: known.path, content: decoded?.text ?? '' };
  const read = await readChunks(registry, file, ports);
  return {
    ...known,
    size: bytes.length,
    capability,
    agentId: read.agentId,
    agentKey: agentKeyOf(registry.chain(capability), read.agentId) + (read.again === true ? AGAIN : ''),
    language: read.language,
    encoding: decoded?.encoding ?? '',
    warnings: read.warnings,
    binary: false,
    ...(decoded === null || wantsBytes || rendersText(registry, read.agentId)
      ? placedInOwnText(read.chunks)
      : { text: decoded.text, chunks: placedIn(decoded.text, read.chunks) }),
  };
}

/** An agent for this very kind: a general one reads text only. */
const readsBytes = (registry: IngesterRegistry, capability: `ingest:${string}`): boolean =>
  registry.agents.some(
    (agent) => yieldsChunks(agent) && agent.readsBytes === true && agent.capabilities.includes(capability),
  );

/** What it read is not the file's own text (a page without its tags). */
function rendersText(registry: IngesterRegistry, agentId: string): boolean {
  const agent = registry.getAgent(agentId);
  return agent !== undefined && yieldsChunks(agent) && agent.rendersText === true;
}

/** Chunks with their places in the text, by where they begin, the wider one first. */
export function placedIn(text: string, chunks: readonly Chunk[]): PlacedChunk[] {
  let starts: number[] | null = null;
  return chunks
    .map((chunk) => {
      const { startOffset, endOffset, ...metadata } = chunk.metadata;
      const [start, end] = [Number(startOffset ?? NaN), Number(endOffset ?? NaN)];
      if (Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && start <= end && end <= text.length)
        return placed(chunk, start, end, metadata);
      starts ??= lineStarts(text);
      return placed(chunk, starts[chunk.startLine - 1] ?? 0, starts[chunk.endLine] ?? text.length, metadata);
    })
    .sort((a, b) => a.start - b.start || b.end - a.end);
}

/** Of a file that is no text (a PDF), the text is what its agent found in it. */
export function placedInOwnText(chunks: readonly Chunk[]): { text: string; chunks: PlacedChunk[] } {
  let text = '';
  const own = saidOnce(chunks).map((chunk) => {
    const start = text.length;
    text += chunk.text;
    const one = placed(chunk, start, text.length, chunk.metadata);
    text += '\n\n';
    return one;
  });
  return { text, chunks: own };
}

function placed(chunk: Chunk, start: number, end: number, metadata: Record<string, string>): PlacedChunk {
  const { chunkType, symbolName, parentSymbol, fullyQualifiedName, startLine, endLine } = chunk;
  return { chunkType, symbolName, parentSymbol, fullyQualifiedName, startLine, endLine, metadata, start, end };
}

/** Where each line begins; LF, CR and CRLF each end one. */
function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 10 || (code === 13 && text.charCodeAt(at + 1) !== 10)) starts.push(at + 1);
  }
  return starts;
}
