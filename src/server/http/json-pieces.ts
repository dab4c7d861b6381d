/**
 * JSON that comes in chunks, read as it comes: neither its whole text nor one long parse is ever in the way of others.
 * What is long in our bodies are the lists of an object (rows) and its texts (a document), so these are cut:
 *
 *   { "rows": [ ..., ..., ... ], "document": "................", "revision": 3 }
 *             \__________________ parsed 128 kB at a time ____/   the rest ("frame") at its end
 */
import type { Turns } from '../turns.ts';
import { LongList, LongText, pack, type Packed } from './long-parts.ts';

/** Bytes that are parsed at once, and of a text that stays in one part. */
const PIECE_BYTES = 128 * 1024;
/** Bytes of one row. */
const ROW_BYTES = 8 * 1024 * 1024;
/** Bytes beside lists and long texts: the members' names and all that is no list. */
const FRAME_BYTES = 512 * 1024;
/** Rows of all lists together; a catalog of more is imported in parts, or by the command line. */
const MOST_ROWS = 1_000_000;
/** Levels of arrays and objects that a body may have; ours have eight. */
const MOST_LEVELS = 64;

const [QUOTE, COMMA, BACKSLASH, LETTER_U] = [0x22, 0x2c, 0x5c, 0x75];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
/** Digits of `\u0041`. */
const DIGITS = 4;
/** Stands for a long text in the frame, with its number. No database here takes one. */
const LONG = '\u0000long ';

/** Why it is not read: `syntax` (no JSON), `deep`, `large` (more in one place than is ever looked for). */
export class UnreadableJson extends Error {
  readonly why: 'syntax' | 'deep' | 'large';

  constructor(why: UnreadableJson['why'], cause?: unknown) {
    super(why, { cause });
    this.why = why;
  }
}

/** What stays in parts: the texts of these members of the outermost object where they are long, and all of its lists. */
export interface Kept {
  texts?: readonly string[];
  lists?: boolean;
}

/**
 * The value, as `JSON.parse` of the whole would give it. Throws UnreadableJson, and what `chunks` throws.
 * @param kept what becomes a LongText or a LongList
 */
export async function parsePieces(chunks: AsyncIterable<Uint8Array>, turns: Turns, kept: Kept = {}): Promise<unknown> {
  const reader = new PieceReader(kept);
  for await (const chunk of chunks) await reader.take(chunk, turns);
  return reader.end();
}

class PieceReader {
  readonly #kept: Kept;
  /** Of each list its rows or, where lists stay in parts, those as bytes. */
  readonly #lists: { rows: unknown[]; parts: Packed[]; length: number }[] = [];
  readonly #texts: { parts: Packed[]; length: number }[] = [];
  /** All but the contents of lists and of long texts. */
  readonly #frame = new Bytes();
  #piece = new Bytes();
  #depth = 0;
  #quoted = false;
  /** Bytes of the text that is open. */
  #textBytes = 0;
  /** Digits that are still to come of an escaped sign. */
  #digits = 0;
  #escaped = false;
  /** The outermost value is an object. */
  #inObject = false;
  #inList = false;
  /** A comma stood before the piece that is open. */
  #goesOn = false;
  #inLong = false;
  #rows = 0;

  constructor(kept: Kept) {
    this.#kept = kept;
  }

  async take(chunk: Uint8Array, turns: Turns): Promise<void> {
    let from = 0;
    const upTo = (end: number): Uint8Array => chunk.subarray(from, end);
    for (let at = 0; at < chunk.length; at += 1) {
      const sign = chunk[at] ?? 0;
      if (this.#quoted) {
        this.#textBytes += 1;
        if (this.#escaped) [this.#escaped, this.#digits] = [false, sign === LETTER_U ? DIGITS : 0];
        else if (sign === BACKSLASH) [this.#escaped, this.#digits] = [true, 0];
        else if (sign === QUOTE) {
          this.#quoted = false;
          if (this.#inLong) {
            this.#piece.add(upTo(at));
            this.#endText();
            from = at;
            this.#inLong = false;
          }
        } else if (this.#digits > 0) this.#digits -= 1;
        else if (this.#mayCut(sign)) {
          this.#cutText(upTo(at));
          from = at;
          await turns.rest();
        }
      } else if (sign === QUOTE) {
        [this.#quoted, this.#textBytes, this.#digits] = [true, 0, 0];
      } else if (sign === OPEN_ARRAY || sign === OPEN_OBJECT) {
        this.#depth += 1;
        if (this.#depth > MOST_LEVELS) throw new UnreadableJson('deep');
        if (this.#depth === 1) this.#inObject = sign === OPEN_OBJECT;
        else if (this.#depth === 2 && this.#inObject && sign === OPEN_ARRAY) {
          this.#frame.add(upTo(at + 1));
          this.#frame.addText(String(this.#lists.push({ rows: [], parts: [], length: 0 }) - 1));
          from = at + 1;
          [this.#inList, this.#goesOn] = [true, false];
        }
      } else if (sign === CLOSE_ARRAY || sign === CLOSE_OBJECT) {
        if (this.#inList && this.#depth === 2) {
          this.#piece.add(upTo(at));
          this.#endPiece(true);
          from = at;
          this.#inList = false;
        }
        this.#depth -= 1;
      } else if (sign === COMMA && this.#inList && this.#depth === 2 && this.#piece.size + at - from >= PIECE_BYTES) {
        this.#piece.add(upTo(at));
        this.#endPiece(false);
        from = at + 1;
        await turns.rest();
      }
    }
    (this.#inList || this.#inLong ? this.#piece : this.#frame).add(upTo(chunk.length));
    if (this.#frame.size > FRAME_BYTES) throw new UnreadableJson('large');
    if (this.#piece.size > ROW_BYTES) throw new UnreadableJson('large');
    await turns.rest();
  }

  end(): unknown {
    const value = parsed(this.#frame.text());
    if (!this.#inObject || typeof value !== 'object' || value === null) return value;
    // Its members are ours: JSON.parse makes plain ones, whatever they are called.
    const members = value as Record<string, unknown>;
    for (const [key, member] of Object.entries(members)) {
      const whole = this.#whole(member, this.#kept.texts?.includes(key) === true);
      if (whole !== undefined)
        Object.defineProperty(members, key, { value: whole, writable: true, enumerable: true, configurable: true });
    }
    return members;
  }

  #whole(member: unknown, inParts: boolean): unknown {
    if (Array.isArray(member)) {
      const list = this.#lists[Number(member[0])];
      if (list === undefined || this.#kept.lists !== true) return list?.rows;
      return new LongList(list.parts, list.length, (row) => row);
    }
    if (typeof member !== 'string' || !member.startsWith(LONG)) return undefined;
    const { parts, length } = this.#texts[Number(member.slice(LONG.length))] ?? { parts: [], length: 0 };
    const text = new LongText(parts, length);
    return inParts ? text : [...text].join('');
  }

  /** Before a sign that is not escaped, of a text of the outermost object that is long already; never inside a sign. */
  #mayCut(byte: number): boolean {
    const inside = byte >= 0x80 && byte < 0xc0;
    return this.#depth === 1 && this.#inObject && !inside && this.#textBytes >= PIECE_BYTES;
  }

  #cutText(bytes: Uint8Array): void {
    if (!this.#inLong) {
      // What came of it in earlier chunks is in the frame already, and stays there as the beginning.
      const begun = this.#frame.cutBehindQuote(bytes);
      this.#piece.add(begun);
      this.#inLong = true;
      this.#frame.addText(`${JSON.stringify(LONG).slice(1, -1)}${this.#texts.push({ parts: [], length: 0 }) - 1}`);
    } else this.#piece.add(bytes);
    this.#endText();
    this.#textBytes = 0;
  }

  #endText(): void {
    const bytes = this.#piece.whole();
    const text = parsed(`"${new TextDecoder().decode(bytes)}"`);
    const long = this.#texts.at(-1);
    if (typeof text === 'string' && long !== undefined) {
      long.parts.push(pack(bytes));
      long.length += text.length;
    }
    this.#piece = new Bytes();
  }

  #endPiece(last: boolean): void {
    const bytes = this.#piece.whole();
    const items = parsed(`[${new TextDecoder().decode(bytes)}]`);
    this.#piece = new Bytes();
    if (!Array.isArray(items)) throw new UnreadableJson('syntax');
    // Nothing between two commas, or behind the last one.
    if (items.length === 0 && (this.#goesOn || !last)) throw new UnreadableJson('syntax');
    this.#goesOn = true;
    this.#rows += items.length;
    if (this.#rows > MOST_ROWS) throw new UnreadableJson('large');
    const list = this.#lists.at(-1);
    if (list === undefined) return;
    list.length += items.length;
    if (this.#kept.lists !== true) for (const item of items) list.rows.push(item);
    else if (items.length > 0) list.parts.push(pack(bytes));
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UnreadableJson('syntax', error);
  }
}

/** Bytes in parts. */
class Bytes {
  #parts: Uint8Array[] = [];
  size = 0;

  /** Copied: a part is not to hold the whole chunk that it came in. */
  add(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#parts.push(bytes.slice());
    this.size += bytes.length;
  }

  addText(text: string): void {
    this.add(new TextEncoder().encode(text));
  }

  /** In one, of its own memory. */
  whole(): Uint8Array {
    return Buffer.concat(this.#parts);
  }

  text(): string {
    return new TextDecoder().decode(this.whole());
  }

  /** Leaves the last text open behind its quotation mark, and answers what of it was here, with `more` behind. */
  cutBehindQuote(more: Uint8Array): Uint8Array {
    const all = Buffer.concat([...this.#parts, more]);
    const quote = openQuote(all);
    this.#parts = [all.subarray(0, quote + 1)];
    this.size = quote + 1;
    return all.subarray(quote + 1);
  }
}

/** Where the text begins that is open at the end. */
function openQuote(bytes: Uint8Array): number {
  let open = -1;
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] === BACKSLASH && open >= 0) at += 1;
    else if (bytes[at] === QUOTE) open = open < 0 ? at : -1;
  }
  return open;
}
