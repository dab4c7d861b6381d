/**
 * A segment: a part of the index that is never changed. Its sections, by name:
 *
 *   files                              JSON, a record a file: FileRecord and where its text, chunks and pieces are
 *   strings, stringEnds                names of chunks, metadata
 *   chunk*, piece*                     a column each
 *   terms, termEnds                    sorted by UTF-16 code units
 *   postingFirst, postingPieces, postingCounts   of term t: entries postingFirst[t] up to postingFirst[t + 1]
 *   latin, wide                        texts of the files, one byte or two a UTF-16 code unit
 */
import * as v from 'valibot';
import { failed } from '#core/errors.ts';
import { openSections } from '#core/index/sections.ts';
import { stringTable } from '#core/index/strings.ts';
import { decodeUtf8 } from '#core/utf8.ts';
import { FileRecordSchema, type PlacedChunk, type ReadFile } from './file-record.ts';

/** A segment of another version is refused, and its files are read again. History: 1 first form. */
export const INDEX_VERSION = 1;

/** By their numbers in a segment: `text` is 0, the others follow in the contract's order, none is ever moved. */
const CHUNK_TYPES: readonly string[] = [
  'text',
  'namespace',
  'class',
  'interface',
  'struct',
  'record',
  'enum',
  'method',
].concat(['property', 'field', 'function', 'type', 'section']);

/** What no list names is text. */
export const chunkTypeNumber = (type: string): number => Math.max(0, CHUNK_TYPES.indexOf(type));

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const KeptRecordSchema = v.object({
  ...FileRecordSchema.entries,
  /** Where its text is: in `wide` or `latin`, from which place on, how many code units. */
  wide: v.boolean(),
  at: count,
  length: count,
  firstChunk: count,
  chunks: count,
  firstPiece: count,
  pieces: count,
});
/** A file as it stands in a segment. */
export type KeptFile = v.InferOutput<typeof KeptRecordSchema>;

/** Throws AccessionError `storage_failed` where it is none, is damaged, or is of another version. */
export function openSegment(buffer: ArrayBuffer): Segment {
  const sections = openSections(buffer);
  if (!v.is(v.object({ library: v.literal(INDEX_VERSION) }), sections.note))
    throw failed('storage_failed', 'A segment of the library is of another version.');
  return new Segment(sections);
}

export class Segment {
  readonly files: readonly KeptFile[];
  readonly postingPieces: Uint32Array;
  readonly postingCounts: Uint8Array;
  readonly pieceChunk: Uint32Array;
  readonly pieceStart: Uint32Array;
  readonly pieceEnd: Uint32Array;
  readonly pieceWords: Uint32Array;
  readonly chunkFile: Uint32Array;
  readonly #postingFirst: Uint32Array;
  readonly #terms;
  readonly #strings;
  readonly #latin: Uint8Array;
  readonly #wide: Uint16Array;
  readonly #chunk: Record<
    'Type' | 'Start' | 'End' | 'StartLine' | 'EndLine' | 'Symbol' | 'Parent' | 'Qualified' | 'Metadata',
    Uint32Array
  >;

  constructor({ view }: Pick<ReturnType<typeof openSections>, 'view'>) {
    this.files = v.parse(v.array(KeptRecordSchema), JSON.parse(decodeUtf8(view('files', 'u8'))));
    this.postingPieces = view('postingPieces', 'u32');
    this.postingCounts = view('postingCounts', 'u8');
    this.pieceChunk = view('pieceChunk', 'u32');
    this.pieceStart = view('pieceStart', 'u32');
    this.pieceEnd = view('pieceEnd', 'u32');
    this.pieceWords = view('pieceWords', 'u32');
    this.chunkFile = view('chunkFile', 'u32');
    this.#postingFirst = view('postingFirst', 'u32');
    this.#terms = stringTable(view('terms', 'u8'), view('termEnds', 'u32'));
    this.#strings = stringTable(view('strings', 'u8'), view('stringEnds', 'u32'));
    this.#latin = view('latin', 'u8');
    this.#wide = view('wide', 'u16');
    const column = (name: string): Uint32Array => view(`chunk${name}`, 'u32');
    this.#chunk = {
      Type: column('Type'),
      Start: column('Start'),
      End: column('End'),
      StartLine: column('StartLine'),
      EndLine: column('EndLine'),
      Symbol: column('Symbol'),
      Parent: column('Parent'),
      Qualified: column('Qualified'),
      Metadata: column('Metadata'),
    };
  }

  get pieces(): number {
    return this.pieceChunk.length;
  }

  get terms(): number {
    return this.#terms.length;
  }

  term(row: number): string {
    return this.#terms.text(row);
  }

  /** The entries of the term's postings, or null where no piece has it. */
  postings(term: string): { from: number; to: number } | null {
    let low = 0;
    let high = this.#terms.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#terms.text(middle) < term) low = middle + 1;
      else high = middle;
    }
    return low < this.#terms.length && this.#terms.text(low) === term ? this.postingsOf(low) : null;
  }

  postingsOf(row: number): { from: number; to: number } {
    return { from: this.#postingFirst[row] ?? 0, to: this.#postingFirst[row + 1] ?? 0 };
  }

  fileOfPiece(piece: number): number {
    return this.chunkFile[this.pieceChunk[piece] ?? 0] ?? 0;
  }

  /** Part of a file's text, UTF-16 places. */
  text(file: KeptFile, start = 0, end = file.length): string {
    const units = (file.wide ? this.#wide : this.#latin).subarray(
      file.at + start,
      file.at + Math.min(end, file.length),
    );
    let text = '';
    for (let at = 0; at < units.length; at += RUN)
      text += Reflect.apply(String.fromCharCode, null, units.subarray(at, at + RUN)) as string;
    return text;
  }

  symbol(chunk: number): string {
    return this.#strings.text(this.#chunk.Symbol[chunk] ?? 0);
  }

  chunk(chunk: number): PlacedChunk {
    const { Type, Start, End, StartLine, EndLine, Symbol, Parent, Qualified, Metadata } = this.#chunk;
    const named = (column: Uint32Array): string | null => this.#strings.text(column[chunk] ?? 0) || null;
    return {
      chunkType: CHUNK_TYPES[Type[chunk] ?? 0] ?? 'text',
      symbolName: named(Symbol),
      parentSymbol: named(Parent),
      fullyQualifiedName: named(Qualified),
      start: Start[chunk] ?? 0,
      end: End[chunk] ?? 0,
      startLine: StartLine[chunk] ?? 1,
      endLine: EndLine[chunk] ?? 1,
      metadata: v.parse(v.record(v.string(), v.string()), JSON.parse(named(Metadata) ?? '{}')),
    };
  }

  chunksOf(file: KeptFile): PlacedChunk[] {
    return Array.from({ length: file.chunks }, (_, at) => this.chunk(file.firstChunk + at));
  }

  /** The file as it came in. */
  read(file: KeptFile): ReadFile {
    const { wide: _w, at: _a, length: _l, firstChunk: _f, chunks: _c, firstPiece: _p, pieces: _n, ...record } = file;
    return { ...record, text: this.text(file), chunks: this.chunksOf(file) };
  }
}

/** Code units that are put together by one call: arguments of a call are bounded. */
const RUN = 8_192;
