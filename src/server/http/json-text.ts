/** Levels of arrays and objects that a body may have; ours have eight. */
const MOST_LEVELS = 64;

/** Whether JSON text is nested deeper than anything here reads. Looks at the text alone, and needs no stack. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (quoted) {
      if (sign === BACKSLASH) at += 1;
      else if (sign === QUOTE) quoted = false;
    } else if (sign === QUOTE) quoted = true;
    else if (sign === OPEN_ARRAY || sign === OPEN_OBJECT) {
      depth += 1;
      if (depth > MOST_LEVELS) return true;
    } else if (sign === CLOSE_ARRAY || sign === CLOSE_OBJECT) depth -= 1;
  }
  return false;
}

const [QUOTE, BACKSLASH, OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];
