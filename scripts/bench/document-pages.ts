/** A library of made-up papers with their manifest, searched by a program of its own. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PdfPage } from '#core/ingest/pdf.ts';
import { SegmentBuilder } from '#lanes/library/core/index/build-segment.ts';
import type { ReadFile } from '#lanes/library/core/index/file-record.ts';
import { openSegment } from '#lanes/library/core/index/segment.ts';
import { keepLibrary } from '#lanes/library/core/indexing/manifest.ts';
import { placedInOwnText } from '#lanes/library/core/indexing/read-file.ts';
import { pdfChunks } from '#lanes/library/core/pdf/pdf-chunks.ts';
import type { SegmentPart } from '#lanes/library/core/search/library-index.ts';
import { diskLibrary } from '#lanes/library/node/disk-library.ts';
import { MODEST } from '../lib/serve.mjs';
import { Words } from './library-files.ts';

const PAGES = 20_000;
const PAGES_OF_PAPER = 10;
/** Lines of a page, and characters of one. */
const LINES = 42;
const LINE = 78;
const PAPERS_OF_SEGMENT = 200;
const AUTHORS = 400;

const READ = {
  ...{ modified: 1, agentKey: 'pdf-ingester@2', binary: false, warnings: [], encoding: '' },
  ...{ agentId: 'pdf-ingester', capability: 'ingest:pdf', language: 'pdf' },
};

/** @returns search.* : milliseconds of a question, a quarter of them by words alone, and the memory of all of it */
export async function benchPages(): Promise<Record<string, number>> {
  const library = await mkdtemp(join(tmpdir(), 'accession-pages-'));
  try {
    const words = new Words(2);
    const names = Array.from({ length: AUTHORS }, () => words.name());
    await writeLibrary(library, words, names);
    const program = fileURLToPath(new URL('./document-search.ts', import.meta.url));
    // As the terminal and the server are started.
    const execArgv = [...process.execArgv, ...MODEST];
    const child = fork(program, [library, names.join(','), String(PAGES)], { execArgv });
    const [figures] = (await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(() => Promise.reject(new Error('The search ended without figures.'))),
    ])) as [Record<string, number>];
    return figures;
  } finally {
    await rm(library, { recursive: true, force: true });
  }
}

async function writeLibrary(library: string, words: Words, names: readonly string[]): Promise<void> {
  const store = diskLibrary(library);
  const parts: SegmentPart[] = [];
  const entries: object[] = [];
  for (let paper = 0; paper < PAGES / PAGES_OF_PAPER;) {
    const builder = new SegmentBuilder();
    for (let n = 0; n < PAPERS_OF_SEGMENT; n++, paper++) {
      const path = `papers/${paper}.pdf`;
      entries.push(entryOf(words, names, paper));
      builder.add(paperOf(words, path, String(paper)));
    }
    if (paper >= PAGES / PAGES_OF_PAPER) builder.add(manifestOf(entries));
    const pieces = builder.pack();
    const id = `s${parts.length}`;
    await store.writeSegment(id, pieces);
    const whole = new Uint8Array(
      Buffer.concat(pieces.map((one) => new Uint8Array(one.buffer, one.byteOffset, one.byteLength))),
    );
    parts.push({ id, segment: openSegment(whole.buffer), dead: new Set() });
  }
  await keepLibrary(store, parts, { leftOut: {}, failed: [], completed: 1 });
}

function paperOf(words: Words, path: string, sha256: string): ReadFile {
  const pages = Array.from({ length: PAGES_OF_PAPER }, () => pageOf(words));
  const placed = placedInOwnText(pdfChunks(pages, path, 'pdf', { title: words.sentence(), authors: words.name() }));
  return { ...READ, path, sha256, size: placed.text.length, ...placed };
}

/** A paragraph of seven lines, and so on. */
function pageOf(words: Words): PdfPage {
  const text = words.paragraph(LINES * LINE);
  const pieces = Array.from({ length: LINES }, (_, line) => ({
    text: text.slice(line * LINE, (line + 1) * LINE),
    ...{ x: 72, y: 740 - 14 * line - 14 * Math.floor(line / 7), width: 460, size: 11, turned: false },
  }));
  return { width: 612, height: 792, pieces };
}

function entryOf(words: Words, names: readonly string[], paper: number): object {
  const authors = [0, 1, 2].map(() => `${words.name()} ${names[words.pick(names.length)] ?? ''}`);
  return {
    ...{ id: String(paper), filename: `${paper}.pdf`, title: words.sentence(), authors, publication: words.sentence() },
    ...{ date: '', year: 1990 + words.pick(30), doi: `10.5555/${paper}`, isbn: '', pdf_url: '', source_url: '' },
    ...{ processed: true, retrieved_at: '2026-01-01T00:00:00.000Z', notes: '', tags: [] },
  };
}

function manifestOf(entries: readonly object[]): ReadFile {
  const text = `${JSON.stringify({ version: 1, entries }, null, 2)}\n`;
  const whole = { chunkType: 'text', symbolName: null, parentSymbol: null, fullyQualifiedName: null, metadata: {} };
  const chunks = [{ ...whole, startLine: 1, endLine: text.split('\n').length, start: 0, end: text.length }];
  return {
    ...READ,
    path: 'papers/manifest.json',
    sha256: 'manifest',
    size: text.length,
    language: 'json',
    text,
    chunks,
  };
}
