const OTHER = 0;
const LETTER = 1;
const DIGIT = 4;

/**
 * Tokens of a text, estimated so that it is rather too many: a prompt that is thought to fit must fit. Measured on
 * Llama 3's vocabulary (tests/unit/agent/envelope.test.ts): plain words 4 characters a token, JSON 3, other scripts 1.
 */
export function estimateTokens(text: string): number {
  // In tenths, over UTF-16 units: this runs over every line of every prompt.
  let tenths = 0;
  let before = OTHER;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const kind = code >= 0x61 && code <= 0x7a ? LETTER : code >= 0x30 && code <= 0x39 ? DIGIT : OTHER;
    if (kind === LETTER || code === 0x20) tenths += 3;
    else if (kind === DIGIT) tenths += 6;
    else if (code < 0x80) tenths += 5;
    else if (code < 0x3000) tenths += 11;
    else tenths += 17;
    // Letters and digits in turn (hashes, ids) make short tokens.
    if (kind + before === LETTER + DIGIT) tenths += 5;
    before = kind;
  }
  return Math.ceil(tenths / 10);
}
