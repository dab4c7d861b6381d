import { describe, expect, it } from 'vitest';
import type { Review, ReviewAdvice } from '#core/job/review.ts';
import { advisedIndex, adviceSource, adviceWords } from '#ui/review/advice.ts';
import { agentRun, runFacts, runState } from '#ui/trace/agent-run.ts';
import { advisedBulk, bulks, pickOf } from '#ui/review/bulk.ts';
import { groupProgress } from '#ui/ingest/groups.ts';
import { transcriptText } from '#ui/trace/trace.ts';
import { job, trackReview } from './fixtures.ts';

const advice = (patch: Partial<ReviewAdvice> = {}): ReviewAdvice => ({
  option_id: 'track:a',
  why: 'The length fits.',
  model: 'ollama/llama3.1:8b',
  recorded: false,
  agreement: 1,
  failed: null,
  ...patch,
});
const advised = (id: string, patch: Partial<ReviewAdvice> = {}, group = 'g'): Review => ({
  ...trackReview(id, group, 0.5),
  advice: advice({ option_id: `track:${id}`, ...patch }),
});

describe('TRACE-6: advice', () => {
  it.each([
    [{}, 'The model suggests \u201ca\u201d'],
    [{ option_id: 'none' }, 'The model suggests none of these'],
    [{ option_id: null }, 'The model leaves this to you'],
    [{ option_id: null, failed: 'It died.' }, 'The model could not be asked'],
    [{ option_id: 'track:gone' }, 'The model suggests something else'],
  ] as const)('TRACE-6 %j reads %s', (patch, words) => {
    expect(adviceWords(advised('a', patch))).toBe(words);
  });

  it('TRACE-6 says whether it is recorded and how far the answers agree', () => {
    expect(adviceSource(advice({ recorded: true, agreement: 0.67 }))).toMatch(/^recorded, said so 67/);
    expect(adviceSource(advice({ failed: 'x', option_id: null }))).toBe('');
  });

  it('TRACE-6, TRACE-16 marks its option, and nothing where it has none', () => {
    expect(advisedIndex(advised('a'))).toBe(0);
    expect(advisedIndex(advised('a', { option_id: 'none' }))).toBe(-1);
    expect(advisedIndex(trackReview('a', 'g', 0.9))).toBe(-1);
  });

  it('TRACE-7 suggestions are accepted together only where there are several, and nothing but candidates', () => {
    const reviews = [
      advised('a'),
      advised('b', {}, 'h'),
      advised('c', { option_id: 'none' }),
      trackReview('d', 'g', 0.9),
    ];
    const bulk = advisedBulk(reviews);
    expect(bulk?.reviews.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(bulk?.reviews.map((review) => pickOf('advised', review)?.id)).toEqual(['track:a', 'track:b']);
    expect(advisedBulk([advised('a')])).toBeNull();
    // Advice lifts nothing: what is less than Likely is in no other bulk.
    expect(bulks(reviews)).toEqual([]);
  });
});

describe('the agent on a job', () => {
  const state = {
    id: 'w',
    strategy: 'choice',
    model: 'm',
    recorded: true,
    state: { type: 'Thinking' },
    spent: { iterations: 2, tokens_in: 1200, tokens_out: 34, cost: 0, milliseconds: 2500, repairs: 0 },
  };

  it('TRACE-1 its head says state, model, strategy, tokens and time', () => {
    const run = agentRun({ workflow_state: JSON.stringify(state) });
    if (run === null) throw new Error('the run was not read');
    expect(runState(run)).toBe('Asking the model');
    const facts = new Map(runFacts(run).map(({ name, value }) => [name, value]));
    expect(facts.get('Model')).toBe('m (recorded)');
    expect(facts.get('Tokens in')).toBe('1,200');
    expect(facts.get('Time with the model')).toBe('2.5\u00a0s');
    expect(facts.get('Cost')).toBeNull();
  });

  it('TRACE-1, TRACE-14 a record that cannot be read is no head, and no error', () => {
    for (const text of [null, '', '{', '{"id":1}']) expect(agentRun({ workflow_state: text })).toBeNull();
  });

  it('TRACE-10 a group of which one file is with the model says so', () => {
    const jobs = [
      job('a', { phase: 'thinking', status: 'PROCESSING' }),
      job('b', { phase: 'published', status: 'COMPLETED' }),
    ];
    expect(groupProgress(jobs)).toMatchObject({ words: 'Asking the model', tone: 'busy', done: 1, total: 2 });
  });

  it('TRACE-2 the transcript of several files names the file in each line', () => {
    const step = {
      id: 's',
      job_id: 'j',
      step_number: 1,
      timestamp: 0,
      step_type: 'Context' as const,
      content: 'Arrived',
      metadata: {},
      duration_ms: null,
    };
    const line: unknown = JSON.parse(transcriptText([step], new Map([['j', 'a.flac']])));
    expect(line).toMatchObject({ ts: '1970-01-01T00:00:00.000Z', role: 'system', content: { file: 'a.flac' } });
    expect(transcriptText([step, step]).split('\n')).toHaveLength(3);
  });
});
