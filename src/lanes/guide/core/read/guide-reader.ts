/**
 * Reads the text of a guide as it comes, and tells of each channel and each programme when it was read whole.
 *
 *   text --> TextMender --> saxes --> elements --> GuideHandler
 *
 * It holds one channel or programme at a time. Where a document is not well-formed, or too much of something, reading
 * stops there, and what was read whole before it stays.
 */
import { SaxesParser } from 'saxes';
import { XMLTV } from './dtd.ts';
import { isBlank, newElement, type GuideElement } from './element.ts';
import { TextMender, type TextCode } from './mend-text.ts';
import { validate, validateAttributes, type FormCode } from './validate.ts';

/** What is wrong with the writing of an element: its form, and the characters in it. */
export type WritingCode = `notvalid:${FormCode}` | TextCode;

/** Who is told what was read. */
export interface GuideHandler {
  /** The document's own element was opened. */
  tv?(attributes: Readonly<Record<string, string>>): void;
  /** `codes`: what is wrong with it, each once. */
  channel(channel: GuideElement, codes: readonly WritingCode[]): void;
  programme(programme: GuideElement, codes: readonly WritingCode[]): void;
}

export interface ReadGuide {
  /** What is wrong with the document's own element and what lies between channels and programmes. */
  codes: readonly WritingCode[];
  /** Why reading stopped before the end, in a sentence for a person; null: the document was read whole. */
  stopped: string | null;
  /** Texts of more characters than are kept; they were cut. */
  cutTexts: number;
}

/** The most that is read of anything. */
export interface ReadLimits {
  programmes: number;
  /** Characters of one text. */
  text: number;
  /** Elements within elements. */
  depth: number;
}

export const READ_LIMITS: ReadLimits = { programmes: 1_000_000, text: 65_536, depth: 32 };

/** So many first characters are looked at. */
const HEAD = 200;
const WEB_PAGE = /^\s*(?:<!--[^>]*-->\s*)?<(?:!doctype\s+html|html)\b/i;

/** Thrown through the parser, which would otherwise go on. */
class Stop extends Error {}

export class GuideReader {
  readonly #handler: GuideHandler;
  readonly #limits: ReadLimits;
  readonly #mender = new TextMender();
  readonly #parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false });
  /** Elements that are open: `tv`, a channel or programme, and what is in it. */
  readonly #open: GuideElement[] = [];
  /** Of `tv` and of what lies directly in it. */
  readonly #codes = new Set<WritingCode>();
  #mendsTaken = 0;
  #programmes = 0;
  #stopped: string | null = null;
  #cutTexts = 0;
  /** A channel or programme that was read whole, unless its end tag turns out to be another's: then saxes says so next. */
  #whole: { element: GuideElement; codes: readonly WritingCode[] } | null = null;
  /** The first characters, by which a web page is known. */
  #head = '';
  /** Characters since the last tag was opened or closed. */
  #run = 0;

  constructor(handler: GuideHandler, limits: ReadLimits = READ_LIMITS) {
    this.#handler = handler;
    this.#limits = limits;
    const parser = this.#parser;
    parser.on('error', (error) => {
      if (error.message.includes('unexpected close tag')) this.#whole = null;
      this.#tell();
      throw new Stop(WEB_PAGE.test(this.#head) ? SENTENCES.otherRoot('html') : sentenceOf(error.message, this.#open));
    });
    parser.on('opentag', ({ name, attributes }) => this.#opened(name, attributes));
    parser.on('closetag', () => this.#closed());
    parser.on('text', (text) => this.#text(text));
    parser.on('cdata', (text) => {
      this.#tell();
      const element = this.#open.at(-1);
      if (element === undefined) return;
      element.filled = true;
      element.section = true;
      this.#add(element, text);
      if (this.#open.length === 1) this.#codes.add('notvalid:nesting');
    });
    const filled = (): void => {
      this.#tell();
      const element = this.#open.at(-1);
      if (element !== undefined) element.filled = true;
    };
    parser.on('comment', filled);
    parser.on('processinginstruction', filled);
  }

  /** True where nothing more is read. */
  get stopped(): boolean {
    return this.#stopped !== null;
  }

  /** Channels and programmes that end in this piece are told before it returns. */
  write(text: string): void {
    if (this.#stopped !== null || text === '' || this.#isEndless(text)) return;
    if (this.#head.length < HEAD) this.#head += text.slice(0, HEAD);
    this.#guard(() => {
      const mended = this.#mender.write(text);
      if (mended !== '') this.#parser.write(mended);
      this.#tell();
    });
  }

  /** Nothing more can be read, for this reason. */
  stop(sentence: string): void {
    this.#stopped ??= sentence;
  }

  end(): ReadGuide {
    if (this.#stopped === null)
      this.#guard(() => {
        const rest = this.#mender.end();
        if (rest !== '') this.#parser.write(rest);
        this.#parser.close();
        this.#tell();
      });
    this.#takeMends(Infinity, this.#codes);
    return { codes: [...this.#codes], stopped: this.#stopped, cutTexts: this.#cutTexts };
  }

  #guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
      this.#stopped = error.message;
    }
  }

  /** What goes on and on without a tag is left out: the parser would hold all of it, and it is cut anyway. */
  #isEndless(text: string): boolean {
    const tag = text.lastIndexOf('<');
    if (tag < 0 && this.#run > this.#limits.text) return true;
    this.#run = tag < 0 ? this.#run + text.length : text.length - tag;
    return false;
  }

  #opened(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#tell();
    const depth = this.#open.length;
    const element = newElement(name, attributes);
    if (depth === 0) {
      if (name !== 'tv') throw new Stop(SENTENCES.otherRoot(name));
      const found = new Set<FormCode>();
      const rule = XMLTV.get('tv');
      if (rule !== undefined) validateAttributes(attributes, rule, found);
      for (const code of found) this.#codes.add(`notvalid:${code}`);
      this.#takeMends(this.#parser.position, this.#codes);
      this.#handler.tv?.(attributes);
    } else if (depth === 1) {
      if (name === 'channel' && this.#programmes > 0) this.#codes.add('notvalid:order');
      else if (name !== 'channel' && name !== 'programme')
        this.#codes.add(XMLTV.has(name) ? 'notvalid:nesting' : 'notvalid:unknown');
    } else {
      if (depth >= this.#limits.depth) throw new Stop(SENTENCES.tooDeep(this.#limits.depth));
      this.#open[depth - 1]?.children.push(element);
    }
    this.#open.push(element);
  }

  #closed(): void {
    this.#tell();
    const element = this.#open.pop();
    if (element === undefined || this.#open.length !== 1) return;
    const codes = new Set<WritingCode>();
    this.#takeMends(this.#parser.position, codes);
    const found = new Set<FormCode>();
    validate(element, found);
    for (const code of found) codes.add(`notvalid:${code}`);
    if (element.name === 'channel' || element.name === 'programme') this.#whole = { element, codes: [...codes] };
    else for (const code of codes) this.#codes.add(code);
  }

  /** Tells of what was read whole. */
  #tell(): void {
    if (this.#whole === null) return;
    const { element, codes } = this.#whole;
    this.#whole = null;
    if (element.name === 'channel') {
      this.#handler.channel(element, codes);
      return;
    }
    if (++this.#programmes > this.#limits.programmes) throw new Stop(SENTENCES.tooMany(this.#limits.programmes));
    this.#handler.programme(element, codes);
  }

  #text(text: string): void {
    this.#tell();
    const element = this.#open.at(-1);
    if (element === undefined) return;
    element.filled = true;
    if (this.#open.length === 1) {
      this.#takeMends(this.#parser.position, this.#codes);
      if (!isBlank(text)) this.#codes.add('notvalid:nesting');
      return;
    }
    // Blanks that only put children in order are not kept; a text's own blanks are.
    if (element.text === '' && isBlank(text) && XMLTV.get(element.name)?.content.kind === 'sequence') return;
    this.#add(element, text);
  }

  #add(element: GuideElement, text: string): void {
    const room = this.#limits.text - element.text.length;
    if (text.length > room) this.#cutTexts++;
    element.text += text.length > room ? whole(text.slice(0, Math.max(room, 0))) : text;
  }

  #takeMends(before: number, into: Set<WritingCode>): void {
    const { mends } = this.#mender;
    while (this.#mendsTaken < mends.length) {
      const mend = mends[this.#mendsTaken];
      if (mend === undefined || mend.at >= before) break;
      into.add(mend.code);
      this.#mendsTaken++;
    }
    if (this.#mendsTaken === mends.length && mends.length > 0) {
      mends.length = 0;
      this.#mendsTaken = 0;
    }
  }
}

/** Without half a pair of surrogates at its end. */
const whole = (text: string): string => text.replace(/[\ud800-\udbff]$/, '');

const SENTENCES = {
  otherRoot: (name: string): string =>
    /^html$/i.test(name)
      ? 'This is a web page, not a guide: its outermost element is <html>. The address may ask for a sign-in, or the guide has moved.'
      : `This is no XMLTV guide: its outermost element is <${name}>, not <tv>.`,
  tooMany: (limit: number): string => `It has more than ${limit} programmes; those before were read.`,
  tooDeep: (limit: number): string =>
    `Its elements lie within each other more than ${limit} deep; reading stopped there.`,
};

/** saxes' own words, with what a person looks for. */
function sentenceOf(message: string, open: readonly GuideElement[]): string {
  const within = open.at(-1)?.name;
  if (/unclosed tag|unexpected end/.test(message)) return 'The document breaks off before its end.';
  if (/must contain a root/.test(message)) return 'The document is empty: there is no <tv> in it.';
  const place = within === undefined ? '' : ` (in <${within}>)`;
  return `The document is not well-formed${place}: ${message.replace(/\.$/, '')}.`;
}
