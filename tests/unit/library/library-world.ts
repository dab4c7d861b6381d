/** A folder and a store in memory, and a library over them. */
import { createHash } from 'node:crypto';
import { decodeLegacy } from '#adapters/media/legacy-text.ts';
import { outputOf, type ChunkAgent } from '#core/ingest/agent.ts';
import { ingesterRegistry } from '#core/ingest/ingesters.ts';
import { SourceText } from '#core/ingest/source-text.ts';
import { textChunks } from '#core/ingest/text-chunks.ts';
import { encodeUtf8 } from '#core/utf8.ts';
import { SegmentBuilder } from '#lanes/library/core/index/build-segment.ts';
import type { PlacedChunk } from '#lanes/library/core/index/file-record.ts';
import { openSegment } from '#lanes/library/core/index/segment.ts';
import type { FolderEntry, FolderSource, IndexingPorts, LibraryStore } from '#lanes/library/core/indexing/ports.ts';
import { LibraryIndex } from '#lanes/library/core/search/library-index.ts';

export type Files = Map<string, { bytes: Uint8Array; modified: number }>;

export const filesOf = (texts: Record<string, string | Uint8Array>, modified = 1): Files =>
  new Map(
    Object.entries(texts).map(([path, text]) => [
      path,
      { bytes: typeof text === 'string' ? encodeUtf8(text) : text, modified },
    ]),
  );

export function memoryFolder(files: Files): FolderSource {
  return {
    list(directory) {
      const below = directory === '' ? '' : `${directory}/`;
      const entries = new Map<string, FolderEntry>();
      for (const [path, { bytes, modified }] of files) {
        if (!path.startsWith(below)) continue;
        const [name = '', ...rest] = path.slice(below.length).split('/');
        if (rest.length > 0) entries.set(name, { name, kind: 'directory', size: 0, modified: 0 });
        else entries.set(name, { name, kind: 'file', size: bytes.length, modified });
      }
      return Promise.resolve([...entries.values()]);
    },
    read: (path) => Promise.resolve(files.get(path) ?? null),
  };
}

/** `dies`: asked before each change of what is stored; true: the program is killed there. */
export class MemoryLibrary implements LibraryStore {
  manifest: string | null = null;
  readonly segments = new Map<string, Uint8Array>();
  dies: () => boolean = () => false;

  readManifest(): Promise<unknown> {
    return Promise.resolve(this.manifest === null ? null : (JSON.parse(this.manifest) as unknown));
  }
  writeManifest(manifest: unknown): Promise<void> {
    return this.#change(() => (this.manifest = JSON.stringify(manifest)));
  }
  writeSegment(id: string, pieces: readonly Uint8Array[]): Promise<void> {
    const bytes = Buffer.concat(
      pieces.map((piece) => new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength)),
    );
    return this.#change(() => this.segments.set(id, bytes));
  }
  readSegment(id: string): Promise<ArrayBuffer | null> {
    const bytes = this.segments.get(id);
    return Promise.resolve(bytes === undefined ? null : new Uint8Array(bytes).buffer);
  }
  listSegments(): Promise<string[]> {
    return Promise.resolve([...this.segments.keys()]);
  }
  removeSegment(id: string): Promise<void> {
    return this.#change(() => this.segments.delete(id));
  }

  #change(change: () => void): Promise<void> {
    if (this.dies()) return Promise.reject(new Error('killed'));
    change();
    return Promise.resolve();
  }
}

/** An agent that reads as text and says which files it was given. */
export function spyAgent(
  endings: readonly string[],
  version = '1',
  agentId = 'spy-ingester',
): ChunkAgent & { seen: string[] } {
  const seen: string[] = [];
  return {
    ...{ agentId, name: agentId, description: '', priority: 10, tags: [], version, seen },
    capabilities: endings.map((ending) => `ingest:${ending}` as const),
    execute({ properties: { filePath, content, language } }) {
      seen.push(filePath);
      return outputOf(filePath, textChunks(new SourceText(content, filePath, language)));
    },
  };
}

/** Ports over them; ids count up over all calls. */
export function indexingPorts(files: Files, store: LibraryStore, agents: readonly ChunkAgent[]): IndexingPorts {
  const registry = ingesterRegistry([{ ingesters: agents }]);
  return {
    folder: memoryFolder(files),
    store,
    registry: () => registry,
    clock: { now: () => 1_000 },
    ids: { next: () => `s${(nextId += 1)}` },
    timers: { set: () => 0, clear: () => undefined },
    hash: (bytes) => Promise.resolve(createHash('sha256').update(bytes).digest('hex')),
    decode: decodeLegacy,
  };
}
let nextId = 0;

/** A file as one chunk, for tests of the index alone. */
export function readFileOf(path: string, text: string, chunks?: PlacedChunk[], language = 'text') {
  const lines = text.split('\n').length;
  const whole = { chunkType: 'text', symbolName: null, parentSymbol: null, fullyQualifiedName: null };
  return {
    ...{ path, size: text.length, modified: 1, sha256: path, agentId: 'a', agentKey: 'a@1', capability: 'ingest:txt' },
    ...{ language, encoding: 'utf-8', binary: false, warnings: [], text },
    chunks: chunks ?? [{ ...whole, startLine: 1, endLine: lines, metadata: {}, start: 0, end: text.length }],
  };
}

export function segmentOf(...files: ReturnType<typeof readFileOf>[]) {
  const builder = new SegmentBuilder();
  for (const file of files) builder.add(file);
  return segmentFrom(builder.pack());
}

export const segmentFrom = (pieces: readonly Uint8Array[]) =>
  openSegment(
    new Uint8Array(
      Buffer.concat(pieces.map((piece) => new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength))),
    ).buffer,
  );

export const indexOf = (...segments: ReturnType<typeof segmentOf>[]): LibraryIndex =>
  new LibraryIndex(segments.map((segment, at) => ({ id: String(at), segment, dead: new Set() })));
