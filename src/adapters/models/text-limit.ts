import type { JsonSchema } from '#core/agent/llm/message.ts';

/** Characters of the longest text that the schema allows; Infinity where one has no limit. */
export function longestText(schema: JsonSchema): number {
  let longest = 0;
  const walk = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    if ('type' in part && part.type === 'string' && !('enum' in part)) {
      const most = 'maxLength' in part ? part.maxLength : null;
      longest = Math.max(longest, typeof most === 'number' ? most : Infinity);
    }
    Object.values(part).forEach(walk);
  };
  walk(schema);
  return longest;
}

/** Reads JSON as it comes and says when one of its texts grows longer than any may be. */
export class TextLimit {
  passed = false;
  readonly #limit: number;
  #inside = false;
  #escaped = false;
  #length = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** True from the piece on in which it happened. Keys count as texts: none is longer. */
  passedBy(piece: string): boolean {
    for (const char of piece) {
      if (!this.#inside) {
        this.#inside = char === '"';
        this.#length = 0;
      } else if (this.#escaped) {
        this.#escaped = false;
        this.#length += 1;
      } else if (char === '\\') {
        this.#escaped = true;
      } else if (char === '"') {
        this.#inside = false;
      } else {
        this.#length += 1;
      }
      // Enumerated answers and keys are short: a schema without texts sets no limit.
      if (this.#limit > 0 && this.#length > this.#limit) this.passed = true;
    }
    return this.passed;
  }
}
