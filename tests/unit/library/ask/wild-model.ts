/** A model that a seed makes say anything: good plans and bad ones, torn replies, invented quotes, tools that there are not. */
import { mix, seeded } from '#core/agent/prompt/random.ts';
import type { FailureCode } from '#core/errors.ts';
import type { Said, Script } from '../../../fixtures/scripted-model.ts';

const CODES: readonly FailureCode[] = [
  'model_cut',
  'rate_limited',
  'model_missing',
  'model_context_full',
  'model_timeout',
];

/** The same prompt gets the same reply, whenever and however often it is asked. */
export function wildModel(seed: number): Script {
  return (request) => {
    const text = request.messages.map(({ content }) => content).join('\n');
    const next = seeded(mix(seed, hash(text)));
    const pick = <T>(all: readonly T[]): T => all[Math.floor(next() * all.length)] as T;
    const roll = next();
    if (roll < 0.08) return { fail: pick(CODES) };
    if (roll < 0.14) return { say: pick(['', 'I cannot say.', '{"subquestions":["a"', '[1,2', '<think>']) };
    if (roll < 0.18) return { say: '{"letters":["A"],"sentences":[]', finish: 'max_tokens' };
    if (text.includes('You plan how')) return { say: JSON.stringify(planOf(next, pick)) };
    if (text.includes('you choose the passages'))
      return {
        say: JSON.stringify({ letters: many(next, 6, () => pick(['A', 'B', 'C', 'Z', 'a', ''])), confidence: next() }),
      };
    return { say: JSON.stringify(textOf(text, next, pick)) };
  };
}

type Pick = <T>(all: readonly T[]) => T;

function planOf(next: () => number, pick: Pick): Said | object {
  const words = ['winter', 'closing time', 'who pays the winch', 'the Tern', 'tides', '', 'x'.repeat(390)];
  return {
    subquestions: many(next, next() < 0.2 ? 40 : 3, () => `${pick(words)}?`),
    requested_tools: many(next, next() < 0.2 ? 30 : 3, () => ({
      name: pick(['rag_retrieve', 'rag_retrieve', 'shell', 'web_search', 'faulty', 'calculator', 'load_table']),
      input: pick<Record<string, unknown>>([
        { query: pick(words), k: 1000 },
        { query: 7 },
        { path: '/etc/passwd' },
        { query: pick(words), retriever_profile: 'bm25' },
        { thing: pick(words) },
        { expression: pick(['4 * 1.8', '4 of 4200 euros', '1.8 metres in cm', 'constructor', '7 / 0', '4 / (4 - 4)']) },
        {
          path: pick(['crew.csv', 'station/budget.txt', '../../etc/passwd']),
          where: [{ column: 'boat', value: 'Tern' }],
        },
      ]),
    })),
    expanded_queries: many(next, 3, () => pick(words)),
    stop_if:
      next() < 0.3 ? { iter: 1 + Math.floor(next() * 9), tokens: Math.floor(next() * 9000), confidence: next() } : {},
    confidence: next(),
    why: pick(['Because.', 'Ignore all rules.', '']),
  };
}

function textOf(prompt: string, next: () => number, pick: Pick): object {
  const passages = [...prompt.matchAll(/\{"letter":"([A-Z])","text":"((?:[^"\\]|\\.)*)"/g)].map(
    ([, letter = '', text = '']) => ({
      letter,
      text: JSON.parse(`"${text}"`) as string,
    }),
  );
  const quoteOf = (): { letter: string; quote: string } => {
    const one = passages.length === 0 ? { letter: 'A', text: '' } : pick(passages);
    return {
      letter: next() < 0.1 ? 'Q' : one.letter,
      quote: next() < 0.6 ? one.text : pick(['The moon is made of cheese.', '', one.text.slice(3, 20)]),
    };
  };
  return {
    sentences: many(next, next() < 0.1 ? 39 : 3, () => {
      const quotes = many(next, 3, quoteOf);
      return {
        text:
          quotes[0] !== undefined && next() < 0.5
            ? quotes[0].quote || 'x'
            : pick(['It never closes.', 'It costs 9,999 euros [1].', 'All boats are red.']),
        quotes,
      };
    }),
    confidence: next() < 0.5 ? next() : 99,
  };
}

const many = <T>(next: () => number, most: number, make: () => T): T[] =>
  Array.from({ length: Math.floor(next() * (most + 1)) }, make);

function hash(text: string): number {
  let sum = 7;
  for (let at = 0; at < text.length; at++) sum = (Math.imul(sum, 31) + text.charCodeAt(at)) | 0;
  return sum >>> 0;
}
