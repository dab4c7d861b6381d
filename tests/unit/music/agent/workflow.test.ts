import { describe, expect, test } from 'vitest';
import { failure } from '#core/errors.ts';
import { buildCatalogIndex } from '#lanes/music/core/index/compact-index.ts';
import { agentCatalog } from '../../../fixtures/agent-catalog.ts';
import { call, choosing, decisions, runBatch, scripted, type Say } from './support.ts';

const standards = agentCatalog();
const index = buildCatalogIndex(standards.catalog);
const { files } = standards;

describe('a doubt that the agent resolves', () => {
  test('AGENT-5 without a model the album is not found, and a person is asked', async () => {
    const round = await runBatch({ index, files, provider: null });
    expect(round.reviews.map(({ kind, job_ids }) => [kind, job_ids.length])).toEqual([['no_match', 8]]);
    expect(round.jobs.every(({ phase }) => phase === 'review')).toBe(true);
  });

  test.each<[string, Say]>([
    ['the right one', choosing('Standards', 'Marta Lindqvist Trio')],
    ['none', () => ({ content: '{"answer":"NONE","why":"I do not know these."}' })],
    ['ask a person', () => ({ content: '{"answer":"ASK","why":"I am not sure."}' })],
    ['the first letter', () => ({ content: '{"answer":"A","why":"A is best."}' })],
  ])(
    'AGENT-5 what a search brings is looked at and evidence decides, whatever the model answers: %s',
    async (_, say) => {
      const round = await runBatch({ index, files, provider: scripted(say) });
      expect(round.jobs.map(({ matched_track_id }) => matched_track_id)).toEqual(files.map(({ track_id }) => track_id));
      expect(round.jobs.every(({ phase, match_source }) => phase === 'approved' && match_source === 'AGENT')).toBe(
        true,
      );
      expect(round.reviews).toEqual([]);
      expect(round.workflows).toHaveLength(1);
    },
  );

  test('AGENT-3, AGENT-59 tools: the model searches with words of its own', async () => {
    const handles: string[] = [];
    const provider = scripted(({ text, turn }) => {
      if (turn === 0) return call('search_catalog', { query: 'Lindqvist Trio standards' });
      const found = /"album":"(A\d+)","title":"Standards","artist":"Marta Lindqvist Trio"/.exec(text)?.[1] ?? 'A1';
      handles.push(found);
      return call('set_match', {
        file_id: 'F1',
        album_id: found,
        confidence: 1,
        reasoning: 'Artist and titles agree.',
      });
    });
    const round = await runBatch({ index, files, provider, strategy: 'tools' });
    expect(handles).toHaveLength(1);
    expect(round.actions).toMatchObject([{ type: 'MatchToAlbum', album_id: standards.album_id }]);
    expect(round.jobs.map(({ matched_track_id }) => matched_track_id)).toEqual(files.map(({ track_id }) => track_id));
  });

  test('AGENT-6, AGENT-66 a model that cannot be reached is no answer: its reason goes to the person', async () => {
    const dead = scripted(() => ({
      ...failure('model_unreachable', 'Nothing answers at http://localhost:11434.'),
      retryable: false,
    }));
    const round = await runBatch({ index, files, provider: dead });
    // What code found by itself is evidence like any other.
    expect(round.jobs.every(({ agent }) => agent?.answer === 'failed')).toBe(true);
    expect(round.jobs[0]?.agent?.failed).toContain('Nothing answers');
    expect(decisions(round)).toMatchObject({ asked: [] });
  });

  test('AGENT-7 no id reaches the prompt', async () => {
    const provider = scripted(choosing('Standards', 'Marta Lindqvist Trio'));
    await runBatch({ index, files, provider });
    expect(provider.asked.length).toBeGreaterThan(0);
    for (const { text } of provider.asked) expect(text).not.toMatch(/std-(?:al|tr|ar)/);
  });
});
