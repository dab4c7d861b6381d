import { expect, test } from 'vitest';
import { answerReview, takeRemoteAnswer } from '#core/run/answer.ts';
import { createDice } from '../../fixtures/faults/dice.ts';
import { Ledger } from '../../fixtures/faults/ledger.ts';
import { Workstation } from '../../fixtures/faults/workstation.ts';

const known = (id: string) => ({
  ...{ id, title: `Track ${id}`, artist: 'A', album_id: 'al', album: 'Al', position: 1, duration_ms: 20_000 },
});

async function asked() {
  const tracks = new Map([known('t1'), known('t2')].map((track) => [track.id, track]));
  const station = new Workstation({
    ...{ name: 'w', token: 'good', dice: createDice(1), server: () => 'http://127.0.0.1:9', tracks, files: new Map() },
    ledger: new Ledger(),
  });
  await station.db.tracks.bulkPut(
    [...tracks.values()].map((track) => ({
      ...track,
      ...{ artist_id: 'ar', artist: 'A', disc: 1, position: 1, availability: 'missing' as const },
    })),
  );
  await station.ask([known('t1'), known('t2')]);
  const { context } = station;
  const [review] = await station.openReviews();
  return {
    station,
    id: review?.id ?? '',
    here: (track: string) =>
      answerReview(context, review?.id ?? '', { kind: 'option', option_id: `track:${track}` }, 'me'),
    there: (track: string) => takeRemoteAnswer(context, review?.id ?? '', `track:${track}`, 'eve'),
    job: () => station.db.jobs.toCollection().first(),
  };
}

test('SYNC-27 an answer given here gives way to the one that the server had first, as long as it can be taken back', async () => {
  const { station, id, here, there, job } = await asked();
  await here('t1');
  await station.convertAll();
  expect(await station.db.outbox.count()).toBe(1);
  await there('t2');
  expect(await station.db.reviews.get(id)).toMatchObject({ selected_option: 'track:t2', resolved_by_user_id: 'eve' });
  expect(await job()).toMatchObject({ status: 'CONVERTING', matched_track_id: 't2' });
  expect([await station.db.outbox.count(), await station.db.reviews.count()]).toEqual([0, 1]);
  await there('t2');
  expect((await station.db.steps.toArray()).filter((step) => step.metadata['by'] === 'eve')).toHaveLength(1);
});

test('SYNC-27, SYNC-46 an answer whose result may be published already stands, which is said and told to the server', async () => {
  const { station, id, here, there, job } = await asked();
  await here('t1');
  await station.convertAll();
  await station.db.outbox.toCollection().modify({ commit_sent: true });
  await there('t2');
  await there('t2');
  expect(await station.db.reviews.get(id)).toMatchObject({ selected_option: 'track:t1', stands: true });
  expect(await job()).toMatchObject({ status: 'CONVERTING', matched_track_id: 't1' });
  const late = (await station.db.steps.toArray()).filter((step) => step.metadata['late'] === true);
  expect(late.map((step) => step.content)).toEqual([
    'eve answered "Track t2" elsewhere, which came too late: the answer given here was carried out already',
  ]);
});
