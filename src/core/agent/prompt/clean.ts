/**
 * Text from outside, made fit for a prompt: what a person would see of it, and nothing that only a model sees.
 * It is not the defence (that is structural: letters, handles, tools that only look) but it takes the cheap tricks away.
 *
 *   AGENT-12 control, bidi, zero-width and tag characters, floods of combining marks and the special tokens of chat
 *            templates are taken out and flagged; the text is normalised (NFC) and capped. Text that people really use
 *            (Hebrew, Persian with ZWNJ, Indic joiners, emoji) stays as it is and is not flagged.
 */
export const CLEAN_FLAGS = ['control', 'bidi', 'hidden', 'tags', 'combining', 'template', 'long'] as const;
export type CleanFlag = (typeof CLEAN_FLAGS)[number];

export interface Cleaned {
  text: string;
  /** What was found and taken out, each once. */
  flags: CleanFlag[];
}

/** Code points that a field keeps unless the caller says otherwise. */
export const FIELD_LENGTH = 200;
/** Marks on one letter: cantillated Hebrew and Tibetan stay below. */
const FLOOD = /(\p{M}{6})\p{M}+/gu;

/** Scripts whose spelling needs ZWNJ and ZWJ between letters. */
const JOINING =
  /[\p{scx=Arab}\p{scx=Syrc}\p{scx=Mong}\p{scx=Nkoo}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}]/u;
const LETTER_OR_MARK = /[\p{L}\p{M}]/u;
const EMOJI = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u{FE0F}/u;
const FLAGS_OF_NATIONS =
  /\u{1F3F4}(?:\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F})/gu;
/** First and last code point of what takes no room: fillers, joiners, format characters that no spelling needs here. */
const HIDDEN: readonly (readonly [number, number])[] = [
  [0x34f, 0x34f],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200b],
  [0x2060, 0x2065],
  [0x206a, 0x206f],
  [0x3164, 0x3164],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0080, 0xe00ff],
  [0xe01f0, 0xe0fff],
];

/** Special tokens of the chat templates of Llama, Qwen, Mistral, Gemma, Phi, DeepSeek, GLM and their kin. */
const TEMPLATE_TOKENS: readonly RegExp[] = [
  /<[|｜][^<>|｜\n]{0,48}[|｜]>/gu,
  /\[\/?(?:INST|SYS|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|gMASK|BOS|EOS|CLS|SEP)\]/gi,
  /<<\/?SYS>>/gi,
  /<\/?(?:s|bos|eos|pad|unk|sop|eop|start_of_turn|end_of_turn|start_of_image|end_of_image|end_of_utterance|fim_prefix|fim_middle|fim_suffix)>/gi,
  /<\/?(?:tools?|tool_calls?|tool_response|function_calls?|think|thinking|reasoning|scratch_pad|im_start|im_end|system|assistant)>/gi,
  /<\/?function(?:=[^<>\n]{0,60})?>/gi,
];

/** Most names are of these: nothing in them can be taken out. */
const PLAIN =
  /^[\x21-\x3b\x3d\x3f-\x5a\x5e-\x7b\x7d](?:[\x20-\x3b\x3d\x3f-\x5a\x5e-\x7b\x7d]*[\x21-\x3b\x3d\x3f-\x5a\x5e-\x7b\x7d])?$/;
const LONG_BLANK = / {9}/;

/** Never throws; `length` in code points. Only the beginning of a giant text is read. */
export function cleanText(raw: string, length: number = FIELD_LENGTH): Cleaned {
  const flags = new Set<CleanFlag>();
  const most = Math.max(1, length);
  if (raw.length <= most && PLAIN.test(raw) && !LONG_BLANK.test(raw)) return { text: raw, flags: [] };
  const head = raw.slice(0, most * 16 + 64);
  if (head.length < raw.length) flags.add('long');

  const visible = stripCharacters(head.toWellFormed().normalize('NFC'), flags);
  const whole = capMarks(withoutTemplateTokens(visible, flags), flags)
    .replace(/\s{9,}/gu, ' ')
    .normalize('NFC')
    .trim();

  const points = [...whole];
  if (points.length <= most) return { text: whole, flags: [...flags] };
  flags.add('long');
  const cut = points.slice(0, Math.max(1, most - 1)).join('');
  return { text: `${cut.trimEnd()}…`, flags: [...flags] };
}

/** Text of many lines, not capped: each is cleaned, and keeps what it is indented by. */
export function cleanProse(raw: string): string {
  return raw
    .split('\n')
    .map((line) => {
      const indent = /^[ \t]*/.exec(line)?.[0] ?? '';
      return indent + cleanText(line.slice(indent.length), Math.max(1, line.length)).text;
    })
    .join('\n')
    .trim();
}

function stripCharacters(text: string, flags: Set<CleanFlag>): string {
  const kept = new Set<number>();
  for (const match of text.matchAll(FLAGS_OF_NATIONS)) {
    for (let at = match.index; at < match.index + match[0].length; at++) kept.add(at);
  }
  let out = '';
  let before = '';
  let at = 0;
  for (const character of text) {
    const start = at;
    at += character.length;
    const reason = kept.has(start) ? null : reasonToStrip(character, before, text, at);
    if (reason === null) {
      out += character;
      before = character;
    } else if (reason !== 'silent') flags.add(reason);
  }
  return out;
}

/** Why a character goes; `silent` for those that honest texts carry too. */
function reasonToStrip(character: string, before: string, text: string, next: number): CleanFlag | 'silent' | null {
  const code = character.codePointAt(0) ?? 0;
  if (code === 0x09 || code === 0x0a) return null;
  if (code === 0x0d) return 'silent';
  if (code < 0x20 || (code >= 0x7f && code <= 0x9f)) return 'control';
  if (code < 0xad) return null;
  if (code === 0x200c || code === 0x200d) return joinerBelongs(code, before, text, next) ? null : 'hidden';
  if (code === 0x200e || code === 0x200f || code === 0x61c) return 'silent';
  if ((code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)) return 'bidi';
  if (code === 0x2028 || code === 0x2029) return 'control';
  if (code >= 0xe0000 && code <= 0xe007f) return 'tags';
  if (code >= 0xfe00 && code <= 0xfe0f) return selectorBelongs(before) ? null : 'hidden';
  if (code >= 0xe0100 && code <= 0xe01ef) return /\p{sc=Han}/u.test(before) ? null : 'hidden';
  if (code === 0xfeff && next === character.length) return 'silent';
  if (code === 0xad) return 'silent';
  if (HIDDEN.some(([first, last]) => code >= first && code <= last)) return 'hidden';
  if ((code & 0xfffe) === 0xfffe || (code >= 0xfdd0 && code <= 0xfdef)) return 'control';
  return null;
}

function joinerBelongs(code: number, before: string, text: string, next: number): boolean {
  const after = String.fromCodePoint(text.codePointAt(next) ?? 0x20);
  if (LETTER_OR_MARK.test(before) && JOINING.test(before))
    return JOINING.test(after) ? LETTER_OR_MARK.test(after) : !LETTER_OR_MARK.test(after) && after !== '\u{200C}';
  return code === 0x200d && EMOJI.test(before) && EMOJI.test(after);
}

/** One selector after something visible; a row of them carries bytes. */
function selectorBelongs(before: string): boolean {
  return before !== '' && !/[\s\u{FE00}-\u{FE0F}]/u.test(before);
}

/** Until none is left: what is around a token must not become one. */
function withoutTemplateTokens(text: string, flags: Set<CleanFlag>): string {
  let out = text;
  for (let round = 0; round < 8; round++) {
    let next = out;
    for (const token of TEMPLATE_TOKENS) next = next.replace(token, ' ');
    if (next === out) return out;
    flags.add('template');
    out = next;
  }
  return out.replace(/[<>[\]|]/g, ' ');
}

function capMarks(text: string, flags: Set<CleanFlag>): string {
  return text.replace(FLOOD, (_run, first: string) => {
    flags.add('combining');
    return first;
  });
}
