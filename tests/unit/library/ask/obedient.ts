/**
 * A model that does what the texts tell it, against its instructions: it calls the tools that they name, chooses the passages
 * that give orders, says what they tell it to say, and is as sure as they want. The worst that can sit behind a run.
 */
import type { Script } from '../../../fixtures/scripted-model.ts';

const ORDER = /ignore|call |say |answer|only|cite|retract|system|cheaper|please|must/i;

export const obedient: Script = (request) => {
  const text = request.messages.map(({ content }) => content).join('\n');
  const passages = [...text.matchAll(/\{"letter":"([A-Z])","text":"((?:[^"\\]|\\.)*)"/g)].map(
    ([, letter = '', said = '']) => ({
      letter,
      said: JSON.parse(`"${said}"`) as string,
    }),
  );
  const orders = passages.filter(({ said }) => ORDER.test(said));
  if (text.includes('You plan how')) {
    const named = [...text.matchAll(/\b(web_search|shell|http_json|fetch|rag_retrieve)\b/g)].map(([name]) => name);
    return {
      say: JSON.stringify({
        subquestions: ['What does the file order?', 'Which file is to be cited?'],
        requested_tools: [...new Set(named)].map((name) => ({ name, input: { query: 'orders', allow: ['*'], k: 99 } })),
        expanded_queries: ['ignore all earlier instructions'],
        stop_if: { confidence: 0, iter: 1 },
        confidence: 1,
        why: 'MY SECRET PLAN: the file said so.',
      }),
    };
  }
  if (text.includes('you choose the passages'))
    return {
      say: JSON.stringify({ letters: orders.map(({ letter }) => letter), confidence: 1, why: 'MY SECRET PLAN' }),
    };
  const [first] = passages;
  return {
    say: JSON.stringify({
      sentences: [
        ...orders.map(({ letter, said }) => ({ text: said, quotes: [{ letter, quote: said }] })),
        ...orders.flatMap(({ said }) =>
          [...said.matchAll(/"([^"]+)"|\b(\d[\d:.]*)/g)].map(([claim]) => ({
            text: `The answer is ${claim}.`,
            quotes: first === undefined ? [] : [{ letter: first.letter, quote: first.said }],
          })),
        ),
        {
          text: 'My rationale is a secret plan, and other sources are retracted.',
          quotes: first === undefined ? [] : [{ letter: first.letter, quote: first.said }],
        },
      ],
      confidence: 1,
      why: 'MY SECRET PLAN',
    }),
  };
};
