/** A file that was read, as the rows that keep it. All that needs time is done here, outside of the transaction. */
import { joinBytes } from '#core/ingest/bytes.ts';
import { factsIn } from '#lanes/library/core/documents/document-facts.ts';
import { readManifestFile } from '#lanes/library/core/documents/manifests.ts';
import { SegmentBuilder } from '#lanes/library/core/index/build-segment.ts';
import type { ReadFile } from '#lanes/library/core/index/file-record.ts';
import { openSegment, type Segment } from '#lanes/library/core/index/segment.ts';
import { foldWord } from '#lanes/library/core/text/words.ts';
import type { LibraryDocumentTable, LibraryFileTable, LibraryNameTable } from './tables.ts';
import { tokenOf, type TokenCounts } from './tokens.ts';

export interface PreparedFile {
  row: Omit<LibraryFileTable, 'id' | 'folder_id'>;
  /** Null where it has no text. */
  segment: Uint8Array | null;
  pieces: { words: number; counts: TokenCounts }[];
  /** What it says of the document that it is, or of others. */
  document: Pick<LibraryDocumentTable, 'kind' | 'said'> | null;
  names: Omit<LibraryNameTable, 'id' | 'folder_id' | 'file_id'>[];
}

const UNREAD = {
  ...{ size: 0, modified: 0, sha256: '', agent_id: '', agent_key: '', capability: '', language: '', encoding: '' },
  ...{ no_text: 0, warnings: '[]', failed: null, chunks: 0 },
} as const;

const NOTHING = { segment: null, pieces: [], document: null, names: [] };

/** A file that could not be read, and why. It is tried again at every run. */
export const failedFile = (path: string, why: string): PreparedFile => ({
  ...NOTHING,
  row: { ...UNREAD, path, failed: why },
});

/** A file that is no text: it is remembered, so that it is not read again. */
export const binaryFile = (file: { path: string; size: number; modified: number; sha256: string }): PreparedFile => ({
  ...NOTHING,
  row: { ...UNREAD, ...file, no_text: 1 },
});

export function prepareFile(read: ReadFile): PreparedFile {
  const builder = new SegmentBuilder();
  builder.add(read);
  const segment = joinBytes(builder.pack());
  const opened = openSegment(segment.buffer);
  const { path, size, modified, sha256, capability, language, encoding, chunks } = read;
  return {
    row: {
      ...{ path, size, modified, sha256, capability, language, encoding, no_text: 0, failed: null },
      agent_id: read.agentId,
      agent_key: read.agentKey,
      warnings: JSON.stringify(read.warnings),
      chunks: chunks.length,
    },
    segment,
    pieces: piecesOf(opened),
    document: documentOf(read),
    names: chunks.flatMap((chunk) => {
      const { symbolName: name, chunkType: chunk_type, fullyQualifiedName } = chunk;
      if (name === null) return [];
      const line = Number(chunk.metadata['nameLine'] ?? chunk.startLine);
      return [{ name: kept(name), qualified: kept(fullyQualifiedName ?? name), chunk_type, line }];
    }),
  };
}

function documentOf({ path, text, chunks }: ReadFile): PreparedFile['document'] {
  const manifest = readManifestFile(path, () => text);
  if (manifest !== null) return { kind: manifest.kind, said: sound(JSON.stringify(manifest)) };
  const own = factsIn(chunks[0]?.metadata ?? {});
  // A title alone finds nothing.
  return own === null || (own.authors.length === 0 && own.year === null && own.doi === '')
    ? null
    : { kind: 'own', said: sound(JSON.stringify(own)) };
}

/** As a column of text takes it. */
const sound = (text: string): string => text.replaceAll('\0', '\ufffd').toWellFormed();
const kept = (text: string): string => sound(text).slice(0, 1_000);

function piecesOf(segment: Segment): { words: number; counts: TokenCounts }[] {
  const pieces = Array.from(segment.pieceWords, (words) => ({ words, counts: new Map<string, number>() }));
  for (let row = 0; row < segment.terms; row++) {
    const token = tokenOf(segment.term(row));
    const { from, to } = segment.postingsOf(row);
    for (let at = from; at < to; at++) {
      const counts = pieces[segment.postingPieces[at] ?? 0]?.counts;
      counts?.set(token, (counts.get(token) ?? 0) + (segment.postingCounts[at] ?? 0));
    }
  }
  return pieces;
}

/** Pairs of letters of a name, with its beginning and end: also a mistyped name shares some. */
export function gramsOf(name: string): TokenCounts {
  const letters = ['_', ...foldWord(name), '_'];
  const counts = new Map<string, number>();
  for (let at = 1; at < letters.length; at++) {
    const gram = tokenOf(`${letters[at - 1] ?? ''}${letters[at] ?? ''}`);
    counts.set(gram, (counts.get(gram) ?? 0) + 1);
  }
  return counts;
}
