import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ReasoningStep } from '#core/job/job.ts';
import { clip, oneLine } from '#ui/parts/outside-text.ts';
import { countTypes, filterSteps, lineOf, marked, offsetsOf, rowAt, windowOf } from '#ui/trace/trace-rows.ts';

const step = (number: number, patch: Partial<ReasoningStep> = {}): ReasoningStep => ({
  id: `s${number}`,
  job_id: 'j',
  step_number: number,
  timestamp: number,
  step_type: 'Context',
  content: `step ${number}`,
  metadata: {},
  duration_ms: null,
  ...patch,
});

describe('text from outside', () => {
  it('TRACE-4 is cut before it is looked at, and the rest is counted', () => {
    const lyrics = 'la '.repeat(3_500_000);
    const started = performance.now();
    const { text, left } = clip(lyrics, 4000);
    expect(text).toHaveLength(4000);
    expect(left).toBe(lyrics.length - 4000);
    expect(oneLine(lyrics, 10)).toBe('la la la l\u2026');
    expect(performance.now() - started).toBeLessThan(200);
  });

  it('TRACE-4 never tears a character in two', () => {
    expect(clip('ab\u{1f600}', 3)).toEqual({ text: 'ab', left: 2 });
  });

  it('TRACE-4 writes out what cannot be seen, so that no name is read backwards', () => {
    expect(oneLine('cover\u202egpj.exe', 100)).toBe('cover\\u{202e}gpj.exe');
    expect(oneLine('a\u200bb\u0007c\u{e0041}d\ufeff', 100)).toBe('a\\u{200b}b\\u{7}c\\u{e0041}d\\u{feff}');
    expect(clip('a\r\nb\tc', 100).text).toBe('a\nb\tc');
  });

  it('TRACE-4 flattens stacks of accents and leaves those that a language has', () => {
    expect(oneLine(`Z${'\u0351'.repeat(60)}algo`, 200)).toBe(`Z${'\u0351'.repeat(3)}algo`);
    expect(oneLine('Vi\u0323\u0302t \u05e9\u05c1\u05bc', 100)).toBe('Vi\u0323\u0302t \u05e9\u05c1\u05bc');
  });

  it('TRACE-4 keeps markup as the text that it is', () => {
    expect(oneLine('<img src=x onerror=alert(1)>', 100)).toBe('<img src=x onerror=alert(1)>');
  });
});

describe('search and filter', () => {
  const steps = [
    step(1, { content: 'Read 01 - HeLLo.flac' }),
    step(2, { step_type: 'Error', content: 'It broke', metadata: { code: 'model_cut' } }),
    step(3, { step_type: 'Error', content: `${'x'.repeat(1000)} Needle here` }),
  ];

  it('TRACE-5 finds words in the text and in the data, case aside', () => {
    expect(filterSteps(steps, new Set(), 'hello')).toEqual([steps[0]]);
    expect(filterSteps(steps, new Set(), ' MODEL_CUT ')).toEqual([steps[1]]);
    expect(filterSteps(steps, new Set(), '.*')).toEqual([]);
  });

  it('TRACE-5 joins the types that are chosen with the words', () => {
    expect(filterSteps(steps, new Set(['Error']), '')).toHaveLength(2);
    expect(filterSteps(steps, new Set(['Error']), 'hello')).toHaveLength(0);
    expect(filterSteps(steps, new Set(), '')).toBe(steps);
    expect([...countTypes(steps)]).toEqual([
      ['Context', 1],
      ['Error', 2],
    ]);
  });

  it('TRACE-5 a row shows the place that was found', () => {
    expect(lineOf(steps[2] ?? step(0), 'needle')).toMatch(/^\u2026x+ Needle here$/);
    expect(lineOf(steps[1] ?? step(0), 'model_cut')).toContain('model_cut');
    expect(marked('A needle, a Needle', 'needle').filter((part) => part.hit)).toHaveLength(2);
  });

  it('TRACE-5 marking cuts a line and loses nothing of it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ maxLength: 3 }), (line, query) => {
        const joined = marked(line, query)
          .map((part) => part.text)
          .join('');
        expect(joined).toBe(line);
      }),
    );
  });
});

describe('rows in sight', () => {
  const heights = fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 300 });

  it('TRACE-3 every pixel in sight is covered by a drawn row, and the spaces make up for the rest', () => {
    fc.assert(
      fc.property(heights, fc.nat(20_000), fc.integer({ min: 1, max: 900 }), fc.nat(5), (rows, top, height, over) => {
        const offsets = offsetsOf(rows.length, (row) => rows[row] ?? 0);
        const whole = offsets[rows.length] ?? 0;
        const seen = windowOf(offsets, top, height, over);
        const drawn = rows.slice(seen.first, seen.end).reduce((sum, one) => sum + one, 0);
        expect(seen.before + drawn + seen.after).toBe(whole);
        const inside = Math.min(top, Math.max(0, whole - 1));
        if (rows.length > 0) {
          expect(seen.before).toBeLessThanOrEqual(inside);
          expect(seen.before + drawn).toBeGreaterThanOrEqual(Math.min(whole, inside + Math.min(height, 1)));
        }
      }),
    );
  });

  it('TRACE-3 the row at a height is the one that lies there', () => {
    fc.assert(
      fc.property(heights, fc.nat(20_000), (rows, y) => {
        fc.pre(rows.length > 0);
        const offsets = offsetsOf(rows.length, (row) => rows[row] ?? 0);
        const row = rowAt(offsets, y);
        expect(offsets[row]).toBeLessThanOrEqual(y);
        if (row < rows.length - 1) expect(offsets[row + 1]).toBeGreaterThan(y);
      }),
    );
  });

  it('TRACE-3 of 5,000 steps some dozen are drawn', () => {
    const offsets = offsetsOf(5000, () => 36);
    const { first, end } = windowOf(offsets, 90_000, 640, 10);
    expect(end - first).toBeLessThan(45);
  });
});
