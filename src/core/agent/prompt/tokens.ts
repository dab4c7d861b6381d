/**
 * Tokens of a text, estimated so that it is rather too many: a prompt that is thought to fit must fit. Measured on
 * Llama 3's vocabulary (tests/unit/agent/tokens.test.ts): plain words 4 characters a token, JSON 3, other scripts 1.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  let before = '';
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const kind = code >= 0x61 && code <= 0x7a ? 'letter' : code >= 0x30 && code <= 0x39 ? 'digit' : '';
    if (kind === 'letter' || code === 0x20) tokens += 0.3;
    else if (kind === 'digit') tokens += 0.6;
    else if (code < 0x80) tokens += 0.5;
    else if (code < 0x3000) tokens += 1.1;
    else if (code < 0x10000) tokens += 1.7;
    else tokens += 3;
    // Letters and digits in turn (hashes, ids) make short tokens.
    if (kind !== '' && before !== '' && kind !== before) tokens += 0.5;
    before = kind;
  }
  return Math.ceil(tokens);
}
