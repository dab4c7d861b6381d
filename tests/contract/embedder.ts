/** What every embedder must do; each adapter runs it (embedder.test.ts). */
import { afterEach, describe, expect, test } from 'vitest';
import type { Embedder } from '#core/agent/llm/embedder.ts';
import type { FailureCode } from '#core/errors.ts';
import type { VectorReply } from '../fixtures/embedding-server.ts';

export interface OpenedEmbedder {
  embedder: Embedder;
  /** Texts of each question that arrived. */
  asked: readonly string[][];
  end(): Promise<void>;
}

type Open = (reply: (texts: string[], call: number) => VectorReply) => Promise<OpenedEmbedder>;

/** `oneByOne`: it asks for a text at a time, and so is never answered too few. */
export function embedderConformance(name: string, open: Open, { oneByOne = false } = {}): void {
  describe(`LIBRARY-98 ${name}`, () => {
    const ends: (() => Promise<void>)[] = [];
    afterEach(async () => {
      for (const end of ends.splice(0)) await end();
    });
    const opened = async (reply: Parameters<Open>[0]): Promise<OpenedEmbedder> => {
      const one = await open(reply);
      ends.push(() => one.end());
      return one;
    };
    const numbersFor = (texts: string[]): number[][] => texts.map((text) => [text.length, 1, 0]);

    test('a vector of length 1 for each text, in their order', async () => {
      const { embedder, asked } = await opened((texts) => ({ vectors: numbersFor(texts), shuffled: true }));
      const answer = await embedder.embed(['a', 'bbb', 'cc']);
      if (!answer.ok) throw new Error(answer.failure.message);
      const ratios = answer.value.map((vector) => (vector[0] ?? 0) / (vector[1] ?? 1));
      for (const [at, wanted] of [1, 3, 2].entries()) expect(ratios[at]).toBeCloseTo(wanted, 3);
      for (const vector of answer.value) expect(Math.hypot(...vector)).toBeCloseTo(1, 4);
      expect(asked).toEqual(oneByOne ? [['a'], ['bbb'], ['cc']] : [['a', 'bbb', 'cc']]);
      expect(embedder.name).toMatch(/^\w+\/tiny$/);
    });

    const bad: [what: string, vectors: (texts: string[]) => unknown[], said: RegExp][] = [
      ['no numbers', (texts) => texts.map(() => [null, 1, 0]), /points nowhere/],
      ['words instead of numbers', (texts) => texts.map(() => ['NaN', 1, 0]), /points nowhere/],
      ['nothing but zeros', (texts) => texts.map(() => [0, 0, 0]), /points nowhere/],
      ['an empty vector', (texts) => texts.map(() => []), /no vector/],
      ['no vector', (texts) => texts.map(() => 'none'), /no vector/],
    ];
    if (!oneByOne) {
      bad.push(
        ['too few', (texts) => numbersFor(texts).slice(1), /asked for 2 vectors and answered 1/],
        ['too many', (texts) => [...numbersFor(texts), [1, 2, 3]], /asked for 2 vectors and answered 3/],
        [
          'two dimensions',
          () => [
            [1, 2, 3],
            [1, 2],
          ],
          /2 numbers beside one of 3/,
        ],
      );
    }
    test.each(bad)('%s: a sentence', async (_, vectors, said) => {
      const { embedder } = await opened((texts) => ({ vectors: vectors(texts) }));
      expect(await embedder.embed(['one', 'two'])).toMatchObject({
        ok: false,
        failure: { message: expect.stringMatching(said) as string },
      });
    });

    test('another dimension than before: a sentence', async () => {
      let dimension = 3;
      const { embedder } = await opened((texts) => ({ vectors: texts.map(() => Array(dimension).fill(1)) }));
      expect(await embedder.embed(['one'])).toMatchObject({ ok: true });
      dimension = 4;
      expect(await embedder.embed(['two'])).toMatchObject({
        ok: false,
        failure: { message: expect.stringContaining('4 numbers beside one of 3') as string },
      });
    });

    const wrong: [what: string, reply: VectorReply, codes: readonly FailureCode[]][] = [
      ['asked too often', { status: 429, error: 'slow down', retryAfter: '7' }, ['rate_limited']],
      ['cut', { cut: true }, ['model_cut', 'model_error']],
      ['a server that fails', { status: 500, error: 'out of memory' }, ['model_error']],
      ['a model that is not there', { status: 404, error: 'model "tiny" not found' }, ['model_missing', 'model_error']],
    ];
    test.each(wrong)('%s: a failure with its code', async (_, reply, codes) => {
      const { embedder } = await opened(() => reply);
      const answer = await embedder.embed(['one']);
      if (answer.ok) throw new Error('it answered');
      expect(codes).toContain(answer.failure.code);
      expect(answer.failure.message).toMatch(/\w.*\.$/);
      if (codes[0] === 'rate_limited' && !oneByOne) expect(answer.failure.retryAfterMs).toBeGreaterThan(5_000);
    });

    test('cancelled, it ends', async () => {
      const { embedder } = await opened(() => ({ hang: true }));
      const stop = new AbortController();
      const answer = embedder.embed(['one'], stop.signal);
      stop.abort();
      expect(await answer).toMatchObject({ ok: false, failure: { code: 'cancelled' } });
    });
  });
}
