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

export interface LineParser {
  /** The lines that are complete now, without their ends. Only LF and CRLF end a line: JSON may hold U+2028. */
  feed(text: string): string[];
  /** What follows the last line end. */
  rest(): string;
}

export function createLineParser(): LineParser {
  let held = '';
  return {
    feed(text) {
      const parts = (held + text).split('\n');
      held = parts.pop() ?? '';
      return parts.map((line) => line.trim()).filter((line) => line !== '');
    },
    rest: () => held.trim(),
  };
}
