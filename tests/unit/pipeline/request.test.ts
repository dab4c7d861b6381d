import { afterEach, describe, expect, test } from 'vitest';
import { albumFiles, openWorld } from './remembering.ts';

let world: Awaited<ReturnType<typeof openWorld>>;
afterEach(() => world.stop());

/** Files of "Harbour Songs", sent for a request. */
async function sentFor(album_id: string | null, track_id: string | null, files = albumFiles()) {
  world = await openWorld();
  const about = { id: 'wish', status: 'pending' as const, requested_by: 'me', created_at: 0, fulfilled_at: null };
  world.records.requests.set('wish', { ...about, album_id, track_id });
  await world.drop(files, { context_type: 'DOWNLOAD_REQUEST', context_id: 'wish' });
}
const phases = () => world.store.allJobs().map(({ phase }) => phase);

describe('REVIEW-46 files that were sent for a request', () => {
  test('what it wants is published without a question', async () => {
    await sentFor('al0', null);
    expect(phases()).toEqual(albumFiles().map(() => 'waiting'));
  });

  test('what is another album is asked about once, and published by that word', async () => {
    await sentFor('al1', null);
    const [review, more] = await world.openReviews();
    expect(more).toBeUndefined();
    expect(review).toMatchObject({ kind: 'tracks', variant: 'unrequested', job_ids: { length: albumFiles().length } });
    expect(review?.question).toBe(
      'You sent 5 files for "Copper Valley" by Ida Strand; they are on "Harbour Songs". Publish them anyway?',
    );
    await world.answer({ kind: 'option', option_id: 'accept' });
    expect(phases()).toEqual(albumFiles().map(() => 'waiting'));
    expect(await world.openReviews()).toEqual([]);
  });

  test('none of it is published after a no', async () => {
    await sentFor('al1', null);
    await world.answer({ kind: 'none' });
    expect(phases()).toEqual(albumFiles().map(() => 'failed'));
  });

  test('one by one, each is asked about by itself', async () => {
    await sentFor('al1', null);
    await world.answer({ kind: 'option', option_id: 'each' });
    const reviews = await world.openReviews();
    expect(reviews.map(({ job_ids, options }) => [job_ids.length, options[0]?.label])).toEqual(
      albumFiles().map(() => [1, 'Publish it anyway']),
    );
  });

  test('of a track, another track of its album is asked about', async () => {
    await sentFor('al0', 'tr0-1');
    const [review] = await world.openReviews();
    expect(review?.job_ids).toHaveLength(albumFiles().length - 1);
    expect(phases().filter((phase) => phase === 'waiting')).toHaveLength(1);
  });
});
