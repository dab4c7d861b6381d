/** Builds a segment of the index from files that were read: words of each piece to postings, texts and chunks beside them. */
import { Column, StringTableBuilder } from '#core/index/strings.ts';
import { encodeUtf8 } from '#core/utf8.ts';
import { packSections, type TypedArray } from '#core/index/sections.ts';
import { eachWord, termsOf } from '../text/words.ts';
import type { PlacedChunk, ReadFile } from './file-record.ts';
import { piecesOf } from './pieces.ts';
import { chunkTypeNumber, INDEX_VERSION, type Segment } from './segment.ts';

/** How much a word counts beside one in the text. */
const WEIGHTS = { symbol: 6, parent: 2, path: 2 } as const;

/** The most that one piece's count of a term says. */
const MOST = 255;

export class SegmentBuilder {
  readonly #records: object[] = [];
  readonly #strings = new StringTableBuilder();
  readonly #chunks = new Map(CHUNK_COLUMNS.map((name) => [name, new Column()]));
  readonly #pieces = new Map(PIECE_COLUMNS.map((name) => [name, new Column()]));
  readonly #terms = new Map<string, number>();
  /** Of each term: piece, count, piece, count, ... */
  readonly #postings: Column[] = [];
  readonly #latin = new Bytes();
  readonly #wide = new Column();

  get files(): number {
    return this.#records.length;
  }

  /** UTF-16 code units of all texts. */
  get length(): number {
    return this.#latin.length + this.#wide.length;
  }

  add(file: ReadFile): void {
    const { text, chunks, ...record } = file;
    const firstChunk = this.#column('chunkFile').length;
    const firstPiece = this.#column('pieceChunk').length;
    const place = this.#keepText(text);
    for (const chunk of chunks) this.#addChunk(chunk);
    const path = termCounts(file.path);
    for (const piece of piecesOf(text, chunks, file.language)) {
      const counts = new Map<string, number>();
      let words = 0;
      eachWord(text.slice(piece.start, piece.end), 0, piece.end - piece.start, (word) => {
        words += 1;
        for (const term of termsOf(word)) counts.set(term, (counts.get(term) ?? 0) + 1);
      });
      for (const [term, count] of path) counts.set(term, (counts.get(term) ?? 0) + count * WEIGHTS.path);
      const chunk = chunks[piece.chunk];
      if (chunk !== undefined) weighNames(chunk, counts);
      this.#column('pieceChunk').push(firstChunk + piece.chunk);
      this.#column('pieceStart').push(piece.start);
      this.#column('pieceEnd').push(piece.end);
      this.#column('pieceWords').push(words);
      const number = this.#column('pieceChunk').length - 1;
      for (const [term, count] of counts) this.#post(term, number, Math.min(count, MOST));
    }
    this.#records.push({
      ...record,
      ...place,
      length: text.length,
      firstChunk,
      chunks: chunks.length,
      firstPiece,
      pieces: this.#column('pieceChunk').length - firstPiece,
    });
  }

  /** Takes over the files of a segment but the dead ones. Their words are not looked for again. */
  addAll(segment: Segment, dead: ReadonlySet<number>): void {
    const moved = new Int32Array(segment.pieces).fill(-1);
    for (const [number, file] of segment.files.entries()) {
      if (dead.has(number)) continue;
      const { wide: _w, at: _a, length: _l, firstChunk: _f, chunks: _c, firstPiece, pieces, ...record } = file;
      const firstChunk = this.#column('chunkFile').length;
      const ownFirst = this.#column('pieceChunk').length;
      const text = segment.text(file);
      const place = this.#keepText(text);
      for (const chunk of segment.chunksOf(file)) this.#addChunk(chunk);
      for (let piece = firstPiece; piece < firstPiece + pieces; piece++) {
        moved[piece] = this.#column('pieceChunk').length;
        this.#column('pieceChunk').push(firstChunk + (segment.pieceChunk[piece] ?? 0) - file.firstChunk);
        this.#column('pieceStart').push(segment.pieceStart[piece] ?? 0);
        this.#column('pieceEnd').push(segment.pieceEnd[piece] ?? 0);
        this.#column('pieceWords').push(segment.pieceWords[piece] ?? 0);
      }
      const places = { length: text.length, firstChunk, chunks: file.chunks, firstPiece: ownFirst, pieces };
      this.#records.push({ ...record, ...place, ...places });
    }
    for (let row = 0; row < segment.terms; row++) {
      const { from, to } = segment.postingsOf(row);
      for (let at = from; at < to; at++) {
        const piece = moved[segment.postingPieces[at] ?? 0] ?? -1;
        if (piece >= 0) this.#post(segment.term(row), piece, segment.postingCounts[at] ?? 0);
      }
    }
  }

  /** The pieces of a file in order: written one after the other they are the segment. */
  pack(): Uint8Array[] {
    const sections = new Map<string, TypedArray>();
    sections.set('files', encodeUtf8(JSON.stringify(this.#records)));
    const { bytes, ends } = this.#strings.build();
    sections.set('strings', bytes).set('stringEnds', ends);
    for (const [name, column] of [...this.#chunks, ...this.#pieces]) sections.set(name, column.values);
    this.#packTerms(sections);
    sections.set('latin', this.#latin.values).set('wide', Uint16Array.from(this.#wide.values));
    return packSections(sections, { library: INDEX_VERSION });
  }

  #packTerms(sections: Map<string, TypedArray>): void {
    const sorted = [...this.#terms].sort(([a], [b]) => (a < b ? -1 : 1));
    const total = this.#postings.reduce((sum, { length }) => sum + length / 2, 0);
    const first = new Uint32Array(sorted.length + 1);
    const pieces = new Uint32Array(total);
    const counts = new Uint8Array(total);
    const names = new StringTableBuilder();
    let at = 0;
    for (const [row, [term, number]] of sorted.entries()) {
      names.add(term);
      first[row] = at;
      const values = this.#postings[number]?.values ?? [];
      for (let n = 0; n < values.length; n += 2) {
        pieces[at] = values[n] ?? 0;
        counts[at] = values[n + 1] ?? 0;
        at += 1;
      }
    }
    first[sorted.length] = at;
    const { bytes, ends } = names.build();
    sections.set('terms', bytes).set('termEnds', ends);
    sections.set('postingFirst', first).set('postingPieces', pieces).set('postingCounts', counts);
  }

  #post(term: string, piece: number, count: number): void {
    let number = this.#terms.get(term);
    if (number === undefined) {
      number = this.#postings.length;
      this.#terms.set(term, number);
      this.#postings.push(new Column(4));
    }
    const postings = this.#postings[number];
    postings?.push(piece);
    postings?.push(count);
  }

  #addChunk(chunk: PlacedChunk): void {
    const texts = {
      chunkSymbol: chunk.symbolName ?? '',
      chunkParent: chunk.parentSymbol ?? '',
      chunkQualified: chunk.fullyQualifiedName ?? '',
      chunkMetadata: JSON.stringify(chunk.metadata),
    };
    this.#column('chunkFile').push(this.#records.length);
    this.#column('chunkType').push(chunkTypeNumber(chunk.chunkType));
    this.#column('chunkStart').push(chunk.start);
    this.#column('chunkEnd').push(chunk.end);
    this.#column('chunkStartLine').push(chunk.startLine);
    this.#column('chunkEndLine').push(chunk.endLine);
    for (const [name, text] of Object.entries(texts)) this.#column(name).push(this.#strings.add(text));
  }

  /** One byte a character where that is enough, two where it is not. */
  #keepText(text: string): { wide: boolean; at: number } {
    const wide = !isLatin(text);
    if (!wide) return { wide, at: this.#latin.addLatin(text) };
    const at = this.#wide.length;
    for (let n = 0; n < text.length; n++) this.#wide.push(text.charCodeAt(n));
    return { wide, at };
  }

  #column(name: string): Column {
    const column = this.#chunks.get(name) ?? this.#pieces.get(name);
    if (column === undefined) throw new Error(`there is no column "${name}"`);
    return column;
  }
}

export const CHUNK_COLUMNS = [
  'chunkFile',
  'chunkType',
  'chunkStart',
  'chunkEnd',
  'chunkStartLine',
  'chunkEndLine',
  'chunkSymbol',
  'chunkParent',
  'chunkQualified',
  'chunkMetadata',
];
export const PIECE_COLUMNS = ['pieceChunk', 'pieceStart', 'pieceEnd', 'pieceWords'];

function termCounts(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  eachWord(text, 0, text.length, (word) => {
    for (const term of termsOf(word)) counts.set(term, (counts.get(term) ?? 0) + 1);
  });
  return counts;
}

function weighNames({ symbolName, parentSymbol }: PlacedChunk, counts: Map<string, number>): void {
  const add = (name: string | null, weight: number): void => {
    if (name !== null)
      for (const [term, count] of termCounts(name)) counts.set(term, (counts.get(term) ?? 0) + count * weight);
  };
  add(symbolName, WEIGHTS.symbol);
  add(parentSymbol, WEIGHTS.parent);
}

function isLatin(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0xff) return false;
  return true;
}

/** A run of bytes that grows. */
class Bytes {
  #bytes = new Uint8Array(1 << 16);
  length = 0;

  /** Where the text begins. */
  addLatin(text: string): number {
    const at = this.length;
    if (at + text.length > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(this.#bytes.length * 2, at + text.length));
      grown.set(this.#bytes.subarray(0, at));
      this.#bytes = grown;
    }
    for (let n = 0; n < text.length; n++) this.#bytes[at + n] = text.charCodeAt(n);
    this.length += text.length;
    return at;
  }

  get values(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }
}
