/** What reading folders and searching them costs, in one thread of Node, beside MiniSearch. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import MiniSearch from 'minisearch';
import { ingesterRegistry } from '#core/ingest/ingesters.ts';
import type { IngesterRegistry } from '#core/ingest/registry.ts';
import { libraryAgents } from '#lanes/library/core/agents.ts';
import { SegmentBuilder } from '#lanes/library/core/index/build-segment.ts';
import { openSegment } from '#lanes/library/core/index/segment.ts';
import { indexFolder } from '#lanes/library/core/indexing/index-folder.ts';
import type { IndexProgress } from '#lanes/library/core/indexing/ports.ts';
import { LibraryIndex } from '#lanes/library/core/search/library-index.ts';
import { searchLibrary } from '#lanes/library/core/search/search.ts';
import { openIndexing } from '#lanes/library/node/open-indexing.ts';
import { nodePdfReader } from '#lanes/library/node/pdf-files.ts';
import { nodeParser } from '#lanes/library/node/syntax-files.ts';
import { Words } from './library-files.ts';
import { benchReading } from './library-reading.ts';

const FILES = 1_000;
const QUERIES = 200;
/** Characters of a chunk that is searched. */
const CHUNK = 600;
/** Chunks of one segment. */
const SEGMENT = 20_000;

type Figures = Record<string, number>;

/** The program's own agents, in this thread. */
function ownRegistry(): () => IngesterRegistry {
  const registry = ingesterRegistry([{ ingesters: libraryAgents({ syntax: nodeParser(), pdf: nodePdfReader() }) }]);
  return () => registry;
}

export async function benchLibrary({ chunks, dir }: { chunks: number; dir: string | null }): Promise<Figures> {
  return {
    ...(await benchReading()),
    ...(await unchanged()),
    ...searching(chunks),
    ...(dir === null ? {} : await ofFolder(dir)),
  };
}

/** A folder on the disk that is looked through again, nothing in it having changed. */
async function unchanged(): Promise<Figures> {
  const words = new Words(2);
  const folder = await mkdtemp(join(tmpdir(), 'accession-library-'));
  try {
    const files = 5 * FILES;
    for (let n = 0; n < files; n++) {
      const directory = join(folder, 'notes', String(n % 50));
      if (n < 50) await mkdir(directory, { recursive: true });
      await writeFile(join(directory, `f${n}.txt`), words.text());
    }
    const ports = await openIndexing(join(folder, 'data'), join(folder, 'notes'), ownRegistry());
    const first = performance.now();
    await indexFolder(ports);
    const again = performance.now();
    await indexFolder(ports);
    const end = performance.now();
    return {
      index_text_files_s: (files * 1000) / (again - first),
      reindex_unchanged_files_s: (files * 1000) / (end - again),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function searching(chunks: number): Figures {
  const words = new Words(3);
  const mini = new MiniSearch({ fields: ['text'] });
  const parts = [];
  let bytes = 0;
  const texts: string[] = [];
  for (let done = 0; done < chunks; done += SEGMENT) {
    const builder = new SegmentBuilder();
    for (let file = 0; file < Math.min(SEGMENT, chunks - done) / 10; file++)
      builder.add(fileOf(words, done + file, texts));
    const whole = joined(builder.pack());
    bytes += whole.byteLength;
    parts.push({ id: String(done), segment: openSegment(whole), dead: new Set<number>() });
  }
  const index = new LibraryIndex(parts);
  const questions = Array.from({ length: QUERIES }, () =>
    Array.from({ length: 2 + words.pick(5) }, () => words.word()),
  );
  for (const question of questions.slice(0, 20)) searchLibrary(index, question.join(' '), { k: 5 });
  const own = questions.map((question) => timed(() => searchLibrary(index, question.join(' '), { k: 5 })));
  mini.addAll(texts.map((text, id) => ({ id, text })));
  const others = questions.slice(0, 40).map((question) => timed(() => mini.search(question.join(' '))));
  return {
    search_chunks: texts.length,
    search_p50_ms: at(own, 0.5),
    search_p95_ms: at(own, 0.95),
    index_mb: bytes / 1e6,
    minisearch_p50_ms: at(others, 0.5),
  };
}

/** A file of ten chunks; their texts are put behind `texts`. */
function fileOf(words: Words, n: number, texts: string[]) {
  const own = Array.from({ length: 10 }, () => words.paragraph(CHUNK));
  const text = own.join('\n\n');
  let start = 0;
  const placed = own.map((one, at) => {
    const chunk = { ...NO_NAME, startLine: 1 + 2 * at, endLine: 1 + 2 * at, start, end: start + one.length };
    start = chunk.end + 2;
    return chunk;
  });
  texts.push(...own);
  return {
    ...{ path: `f${n}.txt`, size: text.length, modified: 1, sha256: String(n), agentId: 'text-ingester', agentKey: '' },
    ...{
      capability: 'ingest:txt',
      language: 'text',
      encoding: 'utf-8',
      binary: false,
      warnings: [],
      text,
      chunks: placed,
    },
  };
}

const NO_NAME = { chunkType: 'text', symbolName: null, parentSymbol: null, fullyQualifiedName: null, metadata: {} };

async function ofFolder(dir: string): Promise<Figures> {
  const data = await mkdtemp(join(tmpdir(), 'accession-library-'));
  try {
    const ports = await openIndexing(data, dir, ownRegistry());
    let last: IndexProgress | null = null;
    const begun = performance.now();
    await indexFolder({ ...ports, onProgress: (progress) => (last = progress) });
    const { found, chunks } = last ?? { found: 0, chunks: 0 };
    return { dir_files: found, dir_chunks: chunks, dir_files_s: (found * 1000) / (performance.now() - begun) };
  } finally {
    await rm(data, { recursive: true, force: true });
  }
}

function timed(work: () => unknown): number {
  const begun = performance.now();
  work();
  return performance.now() - begun;
}

const at = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? 0;

function joined(pieces: readonly Uint8Array[]): ArrayBuffer {
  const parts = pieces.map((piece) => new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength));
  return new Uint8Array(Buffer.concat(parts)).buffer;
}
