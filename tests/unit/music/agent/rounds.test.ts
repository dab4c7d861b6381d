import { describe, expect, test } from 'vitest';
import type { DownloadRequest } from '#lanes/music/core/catalog.ts';
import { buildCatalogIndex } from '#lanes/music/core/index/compact-index.ts';
import { COMPUTER, FIRST, ROAD, SECOND, THIRD, catalogOf, file, fillers, filesOf, two } from '../small-catalog.ts';
import { choosing, runBatch, scripted, type Dropped } from './support.ts';

const plans = [ROAD, COMPUTER, FIRST, SECOND, THIRD, ...fillers(12)];
const index = buildCatalogIndex(catalogOf(plans));
const albumOf = (plan: (typeof plans)[number]): string => `album-${plans.indexOf(plan)}`;

/** Use case 3: nothing but lengths, which fit several albums. */
const nameless = FIRST.tracks.map(([, seconds], at): Dropped => ({
  path: `track${two(at + 1)}.mp3`,
  duration_ms: (seconds + (at % 2 === 0 ? 0.5 : -0.5)) * 1000,
}));

describe('album first, then tracks', () => {
  test('AGENT-2 one workflow for the album, none for its tracks while it is open; the answer is advice', async () => {
    const provider = scripted(choosing(SECOND.title));
    const round = await runBatch({ index, files: nameless, provider });
    expect(round.workflows.map(({ input }) => [input.kind, input.file_ids.length])).toEqual([['album', 10]]);
    expect(round.actions).toMatchObject([{ type: 'MatchToAlbum', album_id: albumOf(SECOND) }]);
    const [review] = round.reviews;
    expect(round.reviews).toHaveLength(1);
    expect(review).toMatchObject({
      kind: 'album',
      advice: { option_id: `album:${albumOf(SECOND)}`, model: 'openai/scripted', recorded: false, failed: null },
    });
    expect(review?.options[0]?.id).toBe(`album:${albumOf(SECOND)}`);
    expect(round.jobs.every(({ phase }) => phase === 'review')).toBe(true);
    // Each ballot in another order, the same answer.
    expect(provider.asked).toHaveLength(2);
    expect(round.jobs[0]?.agent).toMatchObject({ agreement: 1, rounds: 1 });
    expect(round.jobs[0]?.agent?.confidence).toBeLessThanOrEqual(0.9);
  });

  test('AGENT-2, AGENT-58 a person chooses the album; what contradicts it is asked track by track, with their word', async () => {
    // The option with the number that the file's name has.
    const provider = scripted((prompt) =>
      choosing(`"track":"${Number(/track(\d\d)\.mp3/.exec(prompt.text)?.[1])}"`)(prompt),
    );
    const round = await runBatch({
      index,
      files: nameless,
      provider,
      person: ({ kind }) => (kind === 'album' ? `album:${albumOf(THIRD)}` : null),
    });
    const [first, ...tracks] = round.workflows;
    expect(first?.input.kind).toBe('album');
    expect(tracks.map(({ input }) => input.kind)).toEqual(['track', 'track', 'track']);
    for (const { input } of tracks) {
      expect(input.album?.id).toBe(albumOf(THIRD));
      expect(input.said).toEqual([`10 files: "${THIRD.title}"`]);
    }
    expect(provider.asked.at(-1)?.text).toContain(`10 files: \\"${THIRD.title}\\"`);
    expect(round.jobs.filter(({ phase }) => phase === 'approved')).toHaveLength(7);
    const open = round.reviews.filter(({ resolved_at }) => resolved_at === null);
    expect(open.map(({ kind }) => kind)).toEqual(['track', 'track', 'track']);
    for (const review of open) expect(review.options[0]?.id).toBe(review.advice?.option_id);
  });

  test('AGENT-6 a model that changes its mind with the order is asked no further: a person decides', async () => {
    const round = await runBatch({
      index,
      files: nameless,
      provider: scripted(() => ({ content: '{"answer":"A","why":"first"}' })),
    });
    expect(round.workflows[0]?.state.type).toBe('AwaitingReview');
    expect(round.reviews[0]?.advice).toMatchObject({ option_id: null, agreement: 0.5, failed: null });
  });

  test('AGENT-1, AGENT-55 the same doubt is not asked twice', async () => {
    const provider = scripted(() => ({ content: '{"answer":"NONE","why":"no"}' }));
    const round = await runBatch({ index, files: nameless, provider });
    expect(round.workflows).toHaveLength(1);
    expect(round.reviews[0]?.advice).toMatchObject({ option_id: 'none', why: 'no' });
  });
});

describe('a single track', () => {
  // Use case 2: two tracks of 91 s are unfilled, and the name of one file speaks for neither.
  const files: Dropped[] = [
    ...filesOf(ROAD, { tagged: true }).filter((_, at) => at !== 13 && at !== 16),
    file('17 - Hr Xclcy.flac', 91.2),
  ];

  test('AGENT-6 the album goes through, its one doubtful file is asked and comes with advice', async () => {
    const provider = scripted(choosing('Golden Lullabies'));
    const round = await runBatch({ index, files, provider });
    const doubtful = round.workflows.map(({ input }) => input.kind);
    expect(doubtful).toEqual(['track']);
    expect(round.actions).toMatchObject([{ type: 'MatchToTrack', confidence: expect.any(Number) }]);
    const [review] = round.reviews;
    expect(review?.kind).toBe('track');
    expect(review?.options[0]?.label).toBe('Golden Lullabies');
    expect(review?.advice?.option_id).toBe(review?.options[0]?.id);
  });

  test('AGENT-8 in the context of a request the action fulfils it, as the specification has it', async () => {
    const request: DownloadRequest = {
      id: 'rq-1',
      status: 'pending',
      album_id: albumOf(ROAD),
      track_id: null,
      requested_by: 'alice',
      created_at: 1,
      fulfilled_at: null,
    };
    const batch = { context_type: 'DOWNLOAD_REQUEST' as const, context_id: 'rq-1' };
    const round = await runBatch({
      index,
      files,
      provider: scripted(choosing('Her Excellency')),
      batch,
      requests: [request],
    });
    expect(round.actions).toMatchObject([{ type: 'FulfillDownloadRequest', request_id: 'rq-1' }]);
    const other = { ...request, id: 'rq-2', album_id: albumOf(COMPUTER) };
    const elsewhere = await runBatch({
      index,
      files,
      provider: scripted(choosing('Her Excellency')),
      batch: { ...batch, context_id: 'rq-2' },
      requests: [other],
    });
    expect(elsewhere.actions.every(({ type }) => type === 'MatchToTrack')).toBe(true);
  });
});
