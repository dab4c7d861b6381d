/** Everything that the decision about one batch depends on, read once. */
import { contentOf, isDecided, isUndecided, type Batch } from '#core/job/job.ts';
import type { JobReader } from '#core/run/job-store.ts';
import type { BatchPlan } from '#core/run/lane-run.ts';
import type { Track } from '../catalog.ts';
import { planBatch, type PlanInput } from '../decide/batch-plan.ts';
import { askedApart, askedRows, matchContext, saidAbout, takesPart } from '../decide/match-context.ts';
import type { CatalogIndex } from '../index/catalog-index.ts';
import { recallFor } from '../learning/learn.ts';
import {
  type CatalogNow,
  rememberedEnds,
  tellRemembered,
  withRemembered,
  type RecalledMatch,
} from '../learning/memory.ts';
import { matchBatch } from '../match/match.ts';
import type { MatchContext } from '../match/match.types.ts';
import { formerJob, type AudioFormat } from '../publish/format-order.ts';
import type { Wanted } from '../questions/request-question.ts';
import type { MusicJob, MusicTypes } from '../types.ts';
import type { MusicCatalog, MusicPorts } from './ports.ts';

export interface MatchFacts {
  input: Omit<PlanInput, 'agent'>;
  /** Jobs that end by what is remembered. */
  ends: BatchPlan<MusicTypes>['events'];
  remembered: RecalledMatch;
  /** The catalog that it was decided with. */
  catalog: CatalogNow;
}

type Reader = JobReader<MusicTypes>;

/** null: the catalog is not there yet. */
export async function readFacts(
  ports: MusicPorts,
  rows: Reader,
  batch: Batch,
  jobs: readonly MusicJob[],
): Promise<MatchFacts | null> {
  const { catalog, clock, ids } = ports;
  const index = await catalog.index();
  if (index === null) return null;
  const now = clock.now();
  const reviews = await rows.reviewsOfBatch(batch.id);
  const wanted = await wantedBy(catalog, batch);
  const recalled = await recallFor(rows, { jobs, reviews, wanted }, (tracks) => catalogNow(catalog, tracks));
  const { auto_approve_threshold: threshold, same_editions: sameEditions } = await ports.settings();
  const own = await matched(ports, index, jobs, { ...matchContext(batch, jobs, reviews, wanted), sameEditions });
  const named = [
    ...own.files.flatMap((file) => [file.track_id, ...file.options.map((option) => option.track_id)]),
    ...[...recalled.values()].map((row) => row.track_id),
  ].filter((id) => id !== null);
  const tracks = new Map((await catalog.tracks([...new Set(named)])).map((track) => [track.id, track]));
  const albums = await catalog.albums([...new Set([...tracks.values()].map((track) => track.album_id))]);
  const titles = new Map(albums.map((album) => [album.id, album.title]));
  const track = (id: string): Track | undefined => tracks.get(id);
  const titleOf = (id: string): string => tracks.get(id)?.title ?? '';
  const remembered = withRemembered(own, recalled, {
    ...{ now, threshold, track },
    albumTitle: (id) => titles.get(id) ?? '',
  });
  const published = await publishedFrom(catalog, jobs);
  const claimed = await claimedByOthers(rows, batch.id, catalog);
  const holders = remembered.recalled.size === 0 ? [] : await rows.jobs([...new Set(claimed.values())]);
  const contents = new Map(holders.map((job) => [job.id, contentOf(job)]));
  const ends = rememberedEnds(remembered.match, remembered.recalled, {
    ...{ now, published, title: titleOf },
    holder: (id, sha256) => (contents.get(claimed.get(id) ?? '') === sha256 ? claimed.get(id) : undefined),
  });
  const ended = new Set(ends.map((end) => end.job_id));
  return {
    ends,
    remembered,
    catalog: { catalog_id: await catalog.id(), track },
    input: {
      batch,
      jobs: jobs.filter((job) => !ended.has(job.id)),
      match: remembered.match,
      wanted: await namedRequest(catalog, wanted),
      threshold,
      track,
      albumTitle: (id) => titles.get(id),
      published,
      claimedByOthers: claimed,
      openReviews: reviews.filter((review) => review.resolved_at === null),
      present: await presentAudio(rows, [...tracks.values()], claimed),
      apart: askedApart(reviews),
      asked: askedRows(reviews),
      said: saidAbout(reviews),
      now,
      ids,
    },
  };
}

/** Pure. */
export function decide({ input, ends, remembered }: MatchFacts, agent: 'on' | 'off'): BatchPlan<MusicTypes> {
  const plan = planBatch({ ...input, agent });
  tellRemembered(plan, remembered, (id) => input.track(id)?.title ?? '', input.now);
  return { ...plan, events: [...ends, ...plan.events] };
}

/** The catalog as it is now, of it these tracks; one whose album is gone does not count. */
export async function catalogNow(catalog: MusicCatalog, trackIds: readonly (string | null)[]): Promise<CatalogNow> {
  const wanted = [...new Set(trackIds.filter((id) => id !== null))];
  const tracks = await catalog.tracks(wanted);
  const here = new Set((await catalog.albums([...new Set(tracks.map((one) => one.album_id))])).map(({ id }) => id));
  const byId = new Map(tracks.flatMap((one) => (here.has(one.album_id) ? [[one.id, one] as const] : [])));
  return { catalog_id: await catalog.id(), track: (id) => byId.get(id) };
}

async function matched(
  { match = matchBatch, profile }: MusicPorts,
  index: CatalogIndex,
  jobs: readonly MusicJob[],
  context: MatchContext,
) {
  const files = jobs.flatMap((job) => (job.evidence && takesPart(job) ? [job.evidence] : []));
  return match({ files, context }, index, await profile());
}

/** The request of the batch as a question names it; null where there is none, or what it asks for is gone. */
async function namedRequest(catalog: MusicCatalog, request: MatchContext['request']): Promise<Wanted | null> {
  if (!request) return null;
  const [track] = request.track_id === null ? [] : await catalog.tracks([request.track_id]);
  const [album] = request.album_id === null ? [] : await catalog.albums([request.album_id]);
  const named = request.track_id === null ? album : track;
  return named === undefined ? null : { ...request, name: `"${named.title}" by ${named.artist}` };
}

async function wantedBy(catalog: MusicCatalog, batch: Batch): Promise<MatchContext['request']> {
  const request = batch.context_id === null ? undefined : await catalog.request(batch.context_id);
  return request && { album_id: request.album_id, track_id: request.track_id };
}

/** Files whose very content was published before, from here or by another workstation. */
async function publishedFrom(catalog: MusicCatalog, jobs: readonly MusicJob[]): Promise<Map<string, Track>> {
  const open = jobs.filter(isUndecided);
  const contents = open.flatMap((job) => contentOf(job) ?? []);
  const made = await catalog.madeFrom([...new Set(contents)]);
  return new Map(
    open.flatMap((job) => {
      const track = made.get(contentOf(job) ?? '');
      return track ? [[job.id, track]] : [];
    }),
  );
}

/** Tracks that jobs of other batches hold: on their way, here or at another workstation. */
async function claimedByOthers(rows: Reader, batchId: string, catalog: MusicCatalog): Promise<Map<string, string>> {
  const claimed = new Map(catalog.held());
  for (const job of (await rows.jobsIn('CONVERTING')).filter(isDecided))
    if (job.batch_id !== batchId) claimed.set(job.matched_track_id, job.id);
  return claimed;
}

/**
 * REVIEW-24: what the audio of these tracks was made from, where it was made here and is still what the catalog has.
 * `claimed`: jobs of other batches that hold a track, by track; they count while the catalog has nothing.
 */
async function presentAudio(
  rows: Reader,
  tracks: readonly Track[],
  claimed: ReadonlyMap<string, string>,
): Promise<Map<string, AudioFormat>> {
  const ids = tracks.flatMap((track) =>
    track.availability === 'available' || claimed.has(track.id) ? [track.id] : [],
  );
  if (ids.length === 0) return new Map();
  const jobs = await rows.jobsMatchedTo(ids);
  return new Map(
    tracks.flatMap((track) => {
      const holder = claimed.get(track.id);
      const maker = track.availability === 'available' ? formerJob(track, jobs) : jobs.find((job) => job.id === holder);
      if (!maker) return [];
      const { codec, bitrate, lossless } = maker;
      return [[track.id, { codec, bitrate, lossless }] as const];
    }),
  );
}
