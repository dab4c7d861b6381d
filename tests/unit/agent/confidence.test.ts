import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerConfidence, doubtedConfidence } from '#core/agent/workflow/confidence.ts';
import { doubtKey } from '#lanes/music/core/questions/ask-agent.ts';

const share = fc.double({ min: 0, max: 1, noNaN: true });
const facts = fc.record({
  evidence: share,
  next: share,
  agreement: share,
  logprob: fc.option(fc.double({ min: -50, max: 0, noNaN: true }), { nil: null }),
  claim: fc.option(fc.double({ min: -5, max: 5, noNaN: true }), { nil: null }),
  threshold: fc.double({ min: 0.5, max: 1, noNaN: true }),
});

describe('confidence of an answer', () => {
  test('AGENT-6, AGENT-64 nothing that a model says lifts it over the threshold, or over evidence that is', () => {
    fc.assert(
      fc.property(facts, (one) => {
        const value = answerConfidence(one);
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(Math.max(one.threshold, one.evidence));
        if (one.evidence <= one.threshold) expect(value).toBeLessThanOrEqual(one.threshold);
      }),
    );
  });

  test('AGENT-6, AGENT-64 less agreement, a less likely letter, a smaller claim never lift it', () => {
    fc.assert(
      fc.property(facts, share, (one, less) => {
        const value = answerConfidence(one);
        expect(answerConfidence({ ...one, agreement: one.agreement * less })).toBeLessThanOrEqual(value);
        expect(answerConfidence({ ...one, logprob: (one.logprob ?? 0) - 3 * less })).toBeLessThanOrEqual(value);
        const claim = (one.claim === null ? 1 : Math.max(0, Math.min(1, one.claim))) * less;
        expect(answerConfidence({ ...one, claim })).toBeLessThanOrEqual(value);
      }),
    );
  });

  test('AGENT-6, AGENT-65 a model that finds none right, or gives up, lowers what it doubts', () => {
    fc.assert(
      fc.property(share, share, (evidence, agreement) => {
        expect(doubtedConfidence(evidence, 'none', agreement)).toBeLessThanOrEqual(evidence);
        expect(doubtedConfidence(evidence, 'ask', agreement)).toBeLessThanOrEqual(evidence);
      }),
    );
    expect(doubtedConfidence(0.6, 'none', 1)).toBeLessThan(doubtedConfidence(0.6, 'ask', 1));
  });
});

describe('name of a doubt', () => {
  test('AGENT-1, AGENT-55 the same files, kind and options are the same doubt, in whatever order', () => {
    const ids = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(ids, ids, (files, options) => {
        const key = doubtKey('album', files, options);
        expect(doubtKey('album', [...files].reverse(), [...options].reverse())).toBe(key);
        expect(doubtKey('track', files, options)).not.toBe(key);
        expect(doubtKey('album', files, [...options, 'one more option'])).not.toBe(key);
      }),
    );
  });
});
