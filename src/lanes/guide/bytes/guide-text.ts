/** Bytes of a guide to its text: by its byte order mark, its shape, or what its declaration says. UTF-8 otherwise. */

/** What is wrong with bytes, in a sentence for a person; what was decoded before stays. */
export class Undecodable extends Error {
  /** Text that came before what cannot be decoded. */
  readonly before: string;
  constructor(sentence: string, before = '') {
    super(sentence);
    this.name = 'Undecodable';
    this.before = before;
  }
}

/** A declaration is looked for in so many bytes. */
const HEAD = 1_024;

/** First bytes of what is no text, with what to do. */
const PACKED: readonly (readonly [bytes: readonly number[], sentence: string])[] = [
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a], 'This is packed with xz (.xz). Unpack it, or take the .gz of the same guide.'],
  [[0x50, 0x4b, 0x03, 0x04], 'This is a ZIP archive. Unpack it and take the guide in it.'],
  [[0x42, 0x5a, 0x68], 'This is packed with bzip2 (.bz2). Unpack it, or take the .gz of the same guide.'],
  [[0x28, 0xb5, 0x2f, 0xfd], 'This is packed with Zstandard (.zst). Unpack it, or take the .gz of the same guide.'],
  [[0x37, 0x7a, 0xbc, 0xaf], 'This is a 7z archive. Unpack it and take the guide in it.'],
  [[0x25, 0x50, 0x44, 0x46], 'This is a PDF, not a guide.'],
  [[0, 0, 0xfe, 0xff], 'This is UTF-32, which is not read. Save it as UTF-8.'],
  [[0xff, 0xfe, 0, 0], 'This is UTF-32, which is not read. Save it as UTF-8.'],
];

const startsWith = (bytes: Uint8Array, start: readonly number[]): boolean =>
  start.every((byte, at) => bytes[at] === byte);

/** True where bytes are packed with gzip, whatever the file is called. */
export const isGzip = (head: Uint8Array): boolean => startsWith(head, [0x1f, 0x8b]);

interface Encoding {
  label: string;
  /** Bytes of the mark before the text. */
  skip: number;
}

function encodingOf(head: Uint8Array): Encoding {
  for (const [bytes, sentence] of PACKED) if (startsWith(head, bytes)) throw new Undecodable(sentence);
  if (startsWith(head, [0xef, 0xbb, 0xbf])) return { label: 'utf-8', skip: 3 };
  if (startsWith(head, [0xff, 0xfe])) return { label: 'utf-16le', skip: 2 };
  if (startsWith(head, [0xfe, 0xff])) return { label: 'utf-16be', skip: 2 };
  if (startsWith(head, [0x3c, 0])) return { label: 'utf-16le', skip: 0 };
  if (startsWith(head, [0, 0x3c])) return { label: 'utf-16be', skip: 0 };
  const ascii = String.fromCharCode(...head.subarray(0, HEAD));
  const declared = /^<\?xml\s[^>]*?encoding\s*=\s*["']([^"']*)["']/.exec(ascii)?.[1]?.trim();
  // Programs that write into a text of their own say UTF-16 and save something else.
  if (declared === undefined || /^utf-?16|^ucs-?2|^iso-10646-ucs-2/i.test(declared)) return { label: 'utf-8', skip: 0 };
  return { label: declared, skip: 0 };
}

/** Decodes a guide a piece at a time. */
export class GuideText {
  #head: Uint8Array = new Uint8Array();
  #decoder: { decode(bytes: Uint8Array, isLast: boolean): string } | null = null;

  /** @returns the text of this piece, none while the head is looked at. Throws Undecodable. */
  write(bytes: Uint8Array): string {
    if (this.#decoder !== null) return this.#decoder.decode(bytes, false);
    this.#head = joined(this.#head, bytes);
    return this.#head.length < HEAD ? '' : this.#begin(false);
  }

  /** @returns the text that was still to come. Throws Undecodable. */
  end(): string {
    return this.#decoder === null ? this.#begin(true) : this.#decoder.decode(new Uint8Array(), true);
  }

  #begin(isLast: boolean): string {
    const { label, skip } = encodingOf(this.#head);
    this.#decoder = /^utf-?8$/i.test(label) ? new Utf8() : new Legacy(label);
    const text = this.#decoder.decode(this.#head.subarray(skip), isLast);
    this.#head = new Uint8Array();
    return text;
  }
}

/** Every other encoding that browsers know; what is not well-formed in it becomes U+FFFD. */
class Legacy {
  readonly #decoder: TextDecoder;
  constructor(label: string) {
    try {
      this.#decoder = new TextDecoder(label);
    } catch {
      throw new Undecodable(
        `It says that it is written in "${label}", an encoding that is not known. Save it as UTF-8.`,
      );
    }
  }
  decode(bytes: Uint8Array, isLast: boolean): string {
    return this.#decoder.decode(bytes, { stream: !isLast });
  }
}

/** UTF-8, of which every byte must be right: a guide in another encoding that does not say so would be read as nonsense. */
class Utf8 {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  #rest: Uint8Array = new Uint8Array();

  decode(bytes: Uint8Array, isLast: boolean): string {
    const all = this.#rest.length === 0 ? bytes : joined(this.#rest, bytes);
    const end = isLast ? all.length : all.length - unfinished(all);
    this.#rest = all.slice(end);
    const whole = all.subarray(0, end);
    try {
      return this.#decoder.decode(whole);
    } catch {
      throw new Undecodable(
        'It is not the UTF-8 that it says it is: a byte in it stands for no character. Save it as UTF-8, or let it declare its encoding.',
        this.#longestRight(whole),
      );
    }
  }

  /** The text up to the first byte that is wrong. */
  #longestRight(bytes: Uint8Array): string {
    let [right, wrong] = [0, bytes.length];
    let text = '';
    while (wrong - right > 1) {
      const middle = (right + wrong) >> 1;
      const cut = middle - unfinished(bytes.subarray(0, middle));
      try {
        text = this.#decoder.decode(bytes.subarray(0, cut));
        right = middle;
      } catch {
        wrong = middle;
      }
    }
    return text;
  }
}

/** How many bytes at the end are the beginning of a character. */
function unfinished(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const all = new Uint8Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  return all;
}
