/**
 * Text of files and catalogs that speaks to the agent instead of naming music. What is left out here never reaches a
 * prompt; the matcher reads the whole text as ever. That is a courtesy to small models, not the defence: nothing that a
 * model answers opens a gate (AGENT-5), so what slips through this sieve steers nothing either.
 *
 *   AGENT-7 a segment that gives orders to an assistant, names an option to choose, or is call, markup or JSON syntax is
 *           withheld; every other text stays byte for byte
 */
import { foldText } from '../../text/fold.ts';

/** Longer text is no name: it is read, and shown, up to here. */
const MOST_LOOKED_AT = 2000;

const INVISIBLE = /[\p{Cf}\p{Cc}\p{Variation_Selector}\u{e0000}-\u{e007f}]/gu;

/** Machine syntax that no title has. Seen on the text without invisible characters. */
const SYNTAX: readonly RegExp[] = [
  /["']\s*,\s*["'][\w ]+["']\s*:/,
  /[{[]\s*["'][\w ]+["']\s*:/,
  /<\|[^|]*\|>|<\/?(?:untrusted|system|assistant|user|data|instructions?|tool_call|think)>|\[\/?INST\]|<<\/?SYS>>/i,
  /\{\{.*\}\}|```/,
  /\b[a-z]\w+\(\s*(?:\)|["'{[]|\w+\s*[=:])/i,
  /\b(?:set_match|request_review|search_catalog|get_(?:file|album|track|pending)_\w+)\b/i,
  /\b(?:(?:begin|end)(?:RecognizeTask|RenameFilesTaskV2)|addRecognizedMediaFile|addRenameFileToTaskV2|choose_option)\b/,
  /\b(?:confidence|match_?score|verified|approved|option)\s*=\s*\S/i,
  /^\s*observation\s*[:{]/i,
];

const ASSISTANT = '(?:assistant|ai|llm|language model|chatbot|agent|matcher|reviewer|system|model)';
const ORDER =
  '(?:ignore|disregard|forget|override|bypass|choose|pick|select|answer|reply|respond|output|return|call|approve|accept|reject|abstain|skip|mark|match|stop|do not|dont|must|treat|say)';

/** Orders, on folded text: words only, one blank between. */
const ORDERS: readonly RegExp[] = [
  // Ignore all previous instructions, in the languages that tags are commonly written in.
  /\b(?:ignore|disregard|forget|override|bypass)(?: \w+){0,4} (?:instructions?|prompts?|directions|guidelines|context)\b/,
  /\b(?:ignore|disregard|forget|override|bypass)(?: \w+){0,2} (?:previous|prior|above|earlier|your|system) (?:\w+ )?(?:rules?|orders|messages?|text)\b/,
  /\b(?:ignorez|ignora|ignore|ignorier\w*|vergiss|olvida|dimentica|oubliez)(?: \w+){0,4} (?:instruc\w+|istruzioni|anweisungen|consignes|instrucoes)\b/,
  /\b(?:new|updated|real|hidden|following) instructions? (?:\w+ )*?(?:choose|pick|select|answer|approve|is|are|follow)\b/,
  /\bsystem prompt\b|\bend of (?:file )?(?:data|metadata|input|context)\b/,
  // Which option.
  /\b(?:choose|pick|select|answer|output|return|reply|respond)(?: with)?(?: the)? (?:option|letter|choice|candidate)\b/,
  /\b(?:choose|pick|select|answer|output|reply|respond)(?: with)? (?:[a-z]|none|null|ask)$/,
  /\b(?:choose|pick|select|answer|output|reply|respond)(?: with)? (?:[b-hj-z]|none|null)\b (?:with|now|for|and|as|every|always)\b/,
  /\b(?:option|letter|choice) [a-z] (?:is|only|must|with|correct|now)\b/,
  /\b(?:options?|answers?) (?:are )?a \w.* b \w/,
  /\bconfidence (?:of |is |to )?(?:1|100|0 \d+|1 0|high|max\w*)\b/,
  // Who is spoken to.
  new RegExp(
    `\\b(?:note|message|hint|instructions?|attention|memo) (?:to|for)(?: the| any| all)? (?:\\w+ )?${ASSISTANT}\\b`,
  ),
  new RegExp(
    `\\b(?:dear|hey|attention|as the|you are(?: now)?(?: an?| the)?) (?:\\w+ )?${ASSISTANT}\\b.*\\b${ORDER}\\b`,
  ),
  new RegExp(
    `^${ASSISTANT} (?:please |now |you )?(?:must |should |will )?${ORDER} (?:\\w+ )*?(?:on|the|this|every|all|it|option|any|these|file|now|everything)\\b`,
  ),
  new RegExp(`^(?:system|assistant|developer) (?:\\w+ )*?(?:verified|approved|preapproved|authorized|confirmed)\\b`),
  new RegExp(
    `\\byou (?:must|should|shall|will|now|have to)(?: now| always| only)? ${ORDER} (?:\\w+ )*?(?:everything|option|all|this (?:file|track)|every|it as|review)\\b`,
  ),
  // What is to be skipped.
  /\b(?:is|are|be|been|already|file|track|this)(?: \w+)? pre ?approved\b|\bpre ?approved (?:file|track|by|do|for|and)\b|\bauto ?approve[ds]?\b|\bapprove (?:all|everything|every|this (?:file|track|album))\b/,
  /\b(?:do not|dont|never|no need to|without) (?:\w+ )?(?:send|ask|request|review)(?: \w+){0,3} (?:review|person|human|approval)\b/,
  /\b(?:skip|bypass|no) (?:the |human |manual )?review (?:needed|required|queue|this|for|of|and)\b|\bskip (?:the |human |manual )review\b/,
  /\babstain (?:on|from|for)\b.*\b(?:file|files|job|batch|option|track|tracks|every|all)\b/,
  /\bfor (?:all|every|each)(?: the)?(?: other| remaining)? (?:documents?|files?|items?|jobs?)\b.*\b(?:use|set|choose|answer|match|apply)\b/,
];

/** True where the text gives orders to an assistant or is machine syntax. */
export function readsLikeInstruction(text: string): boolean {
  const plain = text.slice(0, MOST_LOOKED_AT).normalize('NFKC').replace(INVISIBLE, '');
  if (SYNTAX.some((pattern) => pattern.test(plain))) return true;
  const words = foldText(plain);
  // `c.h.o.o.s.e` and the like: single letters are put together again.
  const joined = words.replace(/\b(?:\w ){3,}\w\b/g, (run) => run.replaceAll(' ', ''));
  return ORDERS.some((pattern) => pattern.test(words) || pattern.test(joined));
}

/** A text without the segments that read like an instruction. `withheld` says that there were some. */
export function withoutInstructions(text: string): { text: string; withheld: boolean } {
  if (!readsLikeInstruction(text)) return { text, withheld: false };
  // Text in brackets, then text in a sentence or a line of its own.
  const kept = segments(text).filter((segment) => !readsLikeInstruction(segment));
  const rest = kept.join(' ').replace(/\s+/g, ' ').trim();
  // Orders that only the whole gives are withheld with the whole.
  const left = readsLikeInstruction(rest) || !/[\p{L}\p{N}]/u.test(rest) ? '' : rest;
  return { text: left, withheld: true };
}

/** The text outside brackets first, and each bracket by itself; lines and sentences apart. */
function segments(text: string): string[] {
  const found: string[] = [];
  const outside = text.slice(0, MOST_LOOKED_AT).replace(/[([{]([^()[\]{}]*)[)\]}]/g, (_all, inner: string) => {
    found.push(inner);
    return '\n';
  });
  const whole = outside
    .split(/[\r\n]+|(?<=[.!?;])\s+|\s+[-\u2013\u2014|]\s+/)
    .map((segment) => segment.trim())
    .filter((segment) => segment !== '');
  // A bracket that says nothing bad belongs to the name, yet nothing is gained by showing it beside an attack.
  return whole.length > 0 ? whole : found;
}

/** Text from outside as the model may read it; null where nothing of it is left. */
export function quiet(text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null;
  const left = withoutInstructions(text).text;
  return left === '' ? null : left;
}
