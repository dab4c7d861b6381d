/** Log-probabilities of the token that decides: the first of the answer, or of its first value where it is JSON. */

export interface TokenLogprobs {
  token: string;
  logprob: number;
  /** Natural log-probability by token, the chosen one not always among them. */
  top: Readonly<Record<string, number>>;
}

/** What stands before the first value of an object, its opening quote included. */
const BEFORE_VALUE = /^\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*"?/;

/**
 * `bound`: the answer is JSON of a schema; then the alternatives are read at its first value (`{"choice":"B"` at `B`),
 * cleaned of what stands around it in the token. null where nothing was offered.
 */
export function valueLogprobs(tokens: readonly TokenLogprobs[], bound: boolean): Record<string, number> | null {
  const text = tokens.map((token) => token.token).join('');
  const start = bound ? (BEFORE_VALUE.exec(text)?.[0].length ?? null) : 0;
  if (start === null) return null;
  let at = 0;
  for (const token of tokens) {
    const end = at + token.token.length;
    if (end > start) return alternatives(token, token.token.slice(0, start - at), bound);
    at = end;
  }
  return null;
}

function alternatives(token: TokenLogprobs, head: string, bound: boolean): Record<string, number> | null {
  const found = new Map<string, number>();
  for (const [text, logprob] of [[token.token, token.logprob] as const, ...Object.entries(token.top)]) {
    if (!text.startsWith(head) || !Number.isFinite(logprob)) continue;
    const rest = text.slice(head.length);
    const name = bound ? (/^[^"\\]*/.exec(rest)?.[0] ?? '').trim() : rest;
    // Several tokens may begin with the same value (`B`, `B"`): the likeliest stands for it.
    if (name !== '') found.set(name, Math.max(logprob, found.get(name) ?? -Infinity));
  }
  return found.size === 0 ? null : Object.fromEntries(found);
}
