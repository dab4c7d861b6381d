/** Bytes of an answer into text, and text into lines. Both hold what is not whole yet. */

/** Characters of one answer; a server that sends more is not answering a question. */
export const MAX_ANSWER_CHARS = 8_000_000;

/**
 * The body as text, UTF-8 characters never cut. Throws what the reader throws (a dead connection, an abort).
 * `onChunk` is called for every piece as it arrives, before it is decoded.
 */
export async function* textOf(body: ReadableStream<Uint8Array> | null, onChunk: () => void): AsyncGenerator<string> {
  if (body === null) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      onChunk();
      if (done) break;
      const text = decoder.decode(value, { stream: true });
      if (text !== '') yield text;
    }
    const rest = decoder.decode();
    if (rest !== '') yield rest;
  } finally {
    // A reader that stopped early leaves a connection that still sends.
    await reader.cancel().catch(() => undefined);
  }
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
