/** Bytes of an answer into text, and text into lines. Both hold what is not whole yet. */
import { chunksOf } from '../media/blob-pieces.ts';

/** Characters of one answer; a server that sends more is not answering a question. */
export const MAX_ANSWER_CHARS = 8_000_000;

/**
 * The body as text, UTF-8 characters never cut. Throws what the reader throws (a dead connection, an abort).
 * `onChunk` is called for every piece as it arrives, before it is decoded.
 */
export async function* textOf(body: ReadableStream<Uint8Array> | null, onChunk: () => void): AsyncGenerator<string> {
  if (body === null) return;
  const decoder = new TextDecoder();
  for await (const chunk of chunksOf(body)) {
    onChunk();
    const text = decoder.decode(chunk, { stream: true });
    if (text !== '') yield text;
  }
  onChunk();
  const rest = decoder.decode();
  if (rest !== '') yield rest;
}

export function createLineParser() {
  let held = '';
  return {
    /** The lines that are complete now, without their ends. Only LF and CRLF end a line: JSON may hold U+2028. */
    feed(text: string): string[] {
      const parts = (held + text).split('\n');
      held = parts.pop() ?? '';
      return parts.map((line) => line.trim()).filter((line) => line !== '');
    },
    /** What follows the last line end. */
    rest: (): string => held.trim(),
  };
}

/**
 * What is taken out of an answer's text while it comes: thinking, and white space without end.
 *
 * Raw thinking that a server left in the text: a leading `<think>...</think>`. It is neither stored nor shown.
 *
 *   start --"<think>"--> inside --"</think>"--> start      start --anything else--> through
 */
const OPEN = '<think>';
const CLOSE = '</think>';

export function createThinkFilter() {
  let state: 'start' | 'inside' | 'through' = 'start';
  let held = '';
  return {
    /** The part of the text so far that is answer and was not given out before. */
    feed(text: string): string {
      if (state === 'through') return text;
      held += text;
      for (;;) {
        if (state === 'inside') {
          const at = held.indexOf(CLOSE);
          if (at < 0) {
            held = held.slice(-(CLOSE.length - 1));
            return '';
          }
          held = held.slice(at + CLOSE.length);
          state = 'start';
        }
        const begun = held.trimStart();
        if (begun.startsWith(OPEN)) {
          held = begun.slice(OPEN.length);
          state = 'inside';
        } else if (OPEN.startsWith(begun)) {
          return '';
        } else {
          return through();
        }
      }
    },
    /** What was held back in doubt. */
    end: (): string => (state === 'start' ? through() : ''),
  };

  function through(): string {
    const out = held;
    held = '';
    state = 'through';
    return out;
  }
}

/** The whole text without its thinking, an end without a beginning (some templates open it in the prompt) included. */
export function withoutThinking(text: string): string {
  const filter = createThinkFilter();
  const rest = filter.feed(text) + filter.end();
  const begun = rest.trimStart();
  // In JSON the tag is part of a string and none of ours.
  if (begun.startsWith('{') || begun.startsWith('[')) return rest;
  const at = rest.lastIndexOf(CLOSE);
  return at < 0 ? rest : rest.slice(at + CLOSE.length).trimStart();
}

/**
 * Characters. Small models that are bound to JSON may write white space for ever: it is allowed between any two tokens.
 * No answer of ours has so many in a row.
 */
const MOST = 200;

export function createPaddingWatch() {
  let run = 0;
  return {
    /** Whether the text so far ends in a run that is too long. */
    feed(text: string): boolean {
      const tail = text.length - text.trimEnd().length;
      run = tail === text.length ? run + tail : tail;
      return run > MOST;
    },
  };
}

/** What was said before the run began: the same, however much of the run had arrived. */
export function withoutPadding(text: string): string {
  const run = new RegExp(`\\s{${MOST},}`).exec(text);
  return run === null ? text.trimEnd() : text.slice(0, run.index);
}
