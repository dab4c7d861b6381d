import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createThinkFilter, withoutThinking } from '#adapters/llm/streams.ts';
import { cut } from '../../fixtures/model-wire.ts';

describe('thinking', () => {
  it('LLM-42 a leading block is dropped, however it is cut', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 30 }).filter((text) => !text.includes('</think>')),
        fc.string({ minLength: 1, maxLength: 30 }).filter((text) => !/^\s*(?:<|$)/.test(text)),
        fc.integer({ min: 1, max: 60 }),
        (thought, answer, pieces) => {
          const filter = createThinkFilter();
          const whole = ` <think>${thought}</think>${answer}`;
          const out = cut(whole, pieces).map((part) => filter.feed(part));
          expect(out.join('') + filter.end()).toBe(answer);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('LLM-42 a block that does not end has no answer, and one inside an answer is part of it', () => {
    expect(withoutThinking('<think>and so on')).toBe('');
    expect(withoutThinking('{"why":"<think>x</think>"}')).toBe('{"why":"<think>x</think>"}');
    expect(withoutThinking('<thinker> is a statue')).toBe('<thinker> is a statue');
  });

  it('LLM-42, LLM-82 an end whose beginning stood in the prompt ends thinking, but not inside JSON', () => {
    expect(withoutThinking('let me see\n</think>\n\n{"answer":"B"}')).toBe('{"answer":"B"}');
    expect(withoutThinking('{"why":"</think>"}')).toBe('{"why":"</think>"}');
  });
});
