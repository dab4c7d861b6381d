/** A question as the questions that it consists of. */

export interface QuestionPart {
  text: string;
  /** The part before it, where it speaks of something there: "and what does it cost". */
  about: string | null;
}

const ASKING = '(?:who|whom|whose|what|when|where|why|how|which)';
const PREPOSITION = '(?:of|in|on|at|for|to|from|by|with|under|above|below|during|between|after|before|about|into)';
const AUXILIARY = '(?:is|are|was|were|do|does|did|has|have|had|can|could|may|might|must|shall|should|will|would)';
/** A new question begins: "and when ...", "and at which ...", "; does it ...". */
const NEXT = new RegExp(
  `(?:\\s*[,;]\\s*(?:and|but|or)?\\s+|\\s+(?:and|but)\\s+)(?=(?:also\\s+)?(?:${PREPOSITION}\\s+)?${ASKING}\\b|${AUXILIARY}\\s+(?:it|they|he|she|there|the|this|that|these|those)\\b)`,
  'giu',
);
/** The same thing is asked of something else: ", and on plots with few". */
const SAME = new RegExp(`,?\\s+and\\s+(?:also\\s+)?(${PREPOSITION})\\s+`, 'giu');
const POINTS_BACK = /\b(?:it|its|they|them|their|he|him|his|she|her|this|that|these|those|one|ones|there|so)\b/i;

/** In order; a question that cannot be divided is one part. @param after the question before this one */
export function divideQuestion(question: string, after: string | null = null): QuestionPart[] {
  const parts: QuestionPart[] = [];
  for (const whole of question.split(/(?<=[?？])\s+|(?<=[.!])\s+(?=\p{Lu})/u)) {
    const said = clean(whole);
    if (said === '') continue;
    let before: string | null = parts.at(-1)?.text ?? after;
    for (const one of said.split(NEXT)) {
      const text = clean(one);
      if (text === '') continue;
      for (const same of ofEach(text)) {
        const pointing = before !== null && (POINTS_BACK.test(same) || wordsIn(same) < 3);
        parts.push({ text: asQuestion(same), about: pointing ? before : null });
      }
      before = text;
    }
  }
  return parts;
}

/** "the draught of the Marrow and of the Tern": the draught of each. */
function ofEach(text: string): string[] {
  const all = [...text.matchAll(SAME)];
  const match = all.at(-1);
  if (match === undefined || all.length > 1) return [text];
  const preposition = match[1]?.toLowerCase() ?? '';
  const left = text.slice(0, match.index);
  const right = text.slice(match.index + match[0].length);
  const first = [...left.matchAll(new RegExp(`\\b${preposition}\\s+`, 'gi'))].at(-1);
  if (first === undefined) return [text];
  return [left, `${left.slice(0, first.index)}${preposition} ${right}`];
}

const clean = (text: string): string => text.replaceAll(/\s+/g, ' ').replace(/^[\s,;]+|[\s,;.!?？]+$/g, '');

const wordsIn = (text: string): number => text.split(' ').length;

const asQuestion = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}?`;
