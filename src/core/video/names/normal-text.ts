/** A name as it was written and as the rules read it: both have the same length, so that a place in one is a place in the other. */
export interface NormalText {
  /** NFC of what was given, for titles. */
  raw: string;
  /** One letter for one letter: full-width forms, other digits, dashes and multiplication signs as ASCII. */
  text: string;
}

/** Zero of every decimal script that file names are seen in. */
const ZEROS = [0x0660, 0x06f0, 0x0966, 0x09e6, 0x0e50, 0x0ed0];
const SAME_AS: Record<string, string> = {
  '‐': '-',
  '‑': '-',
  '‒': '-',
  '–': '-',
  '—': '-',
  '―': '-',
  '−': '-',
  '〜': '~',
  '～': '~',
  '×': 'x',
  '✕': 'x',
  '’': "'",
  '`': "'",
  '´': "'",
  '【': '[',
  '】': ']',
  '［': '[',
  '］': ']',
  '（': '(',
  '）': ')',
  '｛': '{',
  '｝': '}',
  '\u00a0': ' ',
  '\u3000': ' ',
  '\u200b': ' ',
  '\ufeff': ' ',
};
/** Nothing that a name is read by lies beyond this many UTF-16 units. */
const LONGEST = 1024;

/** Reads a name once for all rules. Longer names than 1,024 units are cut: what follows is not read. */
export function normalText(given: string): NormalText {
  const raw = spaced(given.normalize('NFC').slice(0, LONGEST));
  if (/^[ -_a-~]*$/.test(raw)) return { raw, text: raw };
  let text = '';
  for (let at = 0; at < raw.length; at++) text += plain(raw.charAt(at));
  return { raw, text };
}

/** A name that came through an address has `+` or `%20` for spaces. */
function spaced(text: string): string {
  if (!/[+%]/.test(text)) return text;
  const words = text.replaceAll('%20', ' ');
  return /^[^\s_]*\+[^\s_]*\+[^\s_]*$/.test(words) && !/[.-].*[.-]/.test(words) ? words.replaceAll('+', ' ') : words;
}

function plain(letter: string): string {
  const same = SAME_AS[letter];
  if (same !== undefined) return same;
  const code = letter.charCodeAt(0);
  if (code < 0x80) return code < 0x20 || code === 0x7f ? ' ' : letter;
  for (const zero of ZEROS) if (code >= zero && code <= zero + 9) return String(code - zero);
  // A surrogate alone is left; a form that becomes longer would move every place behind it.
  const folded = letter.normalize('NFKC');
  return folded.length === 1 ? folded : letter;
}
