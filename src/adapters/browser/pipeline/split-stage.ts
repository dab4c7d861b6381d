/**
 * Album images: a file with a CUE sheet in it or beside it goes on as one job a track. It waits until the whole drop is
 * read in, since the sheet may come after the file.
 */
import { parseCue, type CueSheet } from '#core/ingest/cue.ts';
import { sameStem, segmentsOf, tagsOfFile } from '#core/ingest/cue-segments.ts';
import { baseName } from '#core/ingest/paths.ts';
import type { Batch, Companion, Job } from '#core/job/job.ts';
import { newJob } from '#core/job/new-job.ts';
import { segmentPath, type Segment } from '#core/job/segment.ts';
import { transition, type JobEvent } from '#core/job/transitions.ts';
import { appendSteps } from '../steps.ts';
import { applyEvent, assertEpoch, jobTables, touchBatch, type PipelineContext } from './apply.ts';

/** What is to become of one file. */
interface Verdict {
  /** The companion that the sheet is; null for one inside the file. */
  companion: Companion | null;
  segments: Segment[];
  /** For the first track, when there are segments; else for the file, which stays whole. */
  event: JobEvent;
}

/** Looks at the sheets of the next file that has any. Answers false when there is none. */
export async function splitNext(deps: PipelineContext, epoch: number): Promise<boolean> {
  const { db } = deps;
  const fresh = await db.jobs
    .where('status')
    .equals('PROCESSING')
    .filter((job) => job.phase === 'grouping' && job.segment === undefined && job.cue !== null)
    .toArray();
  const batches = new Map<string, { batch: Batch; jobs: Job[] }>();
  for (const job of fresh) {
    const known = batches.get(job.batch_id) ?? (await batchOf(deps, job.batch_id));
    if (!known) continue;
    batches.set(job.batch_id, known);
    const verdict = known.batch.state === 'staged' ? await judge(job, known.batch, known.jobs) : null;
    if (!verdict) continue;
    await apply(deps, epoch, job, verdict);
    return true;
  }
  return false;
}

async function batchOf({ db }: PipelineContext, id: string): Promise<{ batch: Batch; jobs: Job[] } | null> {
  const batch = await db.batches.get(id);
  return batch ? { batch, jobs: await db.jobs.where('batch_id').equals(id).toArray() } : null;
}

interface Found {
  text: string;
  companion: Companion | null;
  /** For the sentences: `the CUE sheet "album.cue"`. */
  label: string;
}

/** Null where no sheet speaks of the file. */
async function judge(job: Job, batch: Batch, jobs: readonly Job[]): Promise<Verdict | null> {
  const found = sheetsOf(job, batch, jobs);
  const length = job.evidence?.duration_ms ?? null;
  if (found.length === 0 || job.sha256 === null) return null;
  const against: string[] = [];
  for (const { text, companion, label } of found) {
    const sheet = parseCue(text);
    const tags = sheet && companion && tagsOfFile(sheet, job.original_filename);
    if (tags)
      return { companion, segments: [], event: { type: 'sheet', why: `${capital(label)} names this file.`, tags } };
    const split = sheet === null ? { why: 'it has no tracks in it' } : segmentsWithin(sheet, length);
    if ('why' in split) {
      against.push(`${label} does not split it, because ${split.why}`);
      continue;
    }
    const segments = await Promise.all(
      split.segments.map(async (one): Promise<Segment> => {
        const content = await hashOf(`${job.sha256} ${one.start_ms}-${one.end_ms ?? 'end'}`);
        return { ...one, file: job.original_filename, content };
      }),
    );
    const [first] = segments;
    if (first) return { companion, segments, event: { type: 'split', segment: first, sheet: label, note: split.note } };
  }
  return { companion: null, segments: [], event: { type: 'sheet', why: `${capital(against.join('; '))}.` } };
}

function segmentsWithin(sheet: CueSheet, length: number | null): ReturnType<typeof segmentsOf> {
  return length === null ? { why: 'the length of the file is not known' } : segmentsOf(sheet, length);
}

/** The best first: beside the file and named like it or naming it, the one inside it, the only one in its folder. */
function sheetsOf(job: Job, batch: Batch, jobs: readonly Job[]): Found[] {
  const beside = batch.companions.filter(
    (one) => one.kind === 'cue' && one.text !== null && folderOf(one.path) === folderOf(job.path),
  );
  const names = (one: Companion): boolean =>
    sameStem(one.path, job.path) ||
    (parseCue(one.text ?? '')?.files.some(({ name }) => sameStem(name, job.original_filename)) ?? false);
  const alone = jobs.filter((one) => folderOf(one.path) === folderOf(job.path)).length === 1 && beside.length === 1;
  const found = (one: Companion): Found => ({
    text: one.text ?? '',
    companion: one,
    label: `the CUE sheet "${baseName(one.path)}"`,
  });
  const inside = job.cue ? [{ text: job.cue, companion: null, label: 'the CUE sheet inside it' }] : [];
  return [...beside.filter(names).map(found), ...inside, ...beside.filter((one) => alone && !names(one)).map(found)];
}

/** The whole split, or nothing of it, in one transaction. */
async function apply(deps: PipelineContext, epoch: number, job: Job, verdict: Verdict): Promise<void> {
  const { db } = deps;
  await db.transaction('rw', jobTables(db), async () => {
    await assertEpoch(db, epoch);
    const batch = await db.batches.get(job.batch_id);
    const applied = batch && (await applyEvent(deps, job.id, verdict.event));
    if (!batch || !applied) return;
    const others = verdict.segments.slice(1);
    for (const segment of others) await addTrack(deps, job, batch, segment, verdict.event);
    batch.total += others.length;
    batch.taken += others.length;
    const used = verdict.segments.length > 0 ? 'used to split' : 'used for the names in';
    for (const one of batch.companions)
      if (one.path === verdict.companion?.path) one.outcome = `${used} "${job.original_filename}"`;
    await db.batches.put(batch);
    await touchBatch(db, batch.id);
  });
}

/** A row for one more track, with the same first steps as the first one's. */
async function addTrack(
  deps: PipelineContext,
  image: Job,
  batch: Batch,
  segment: Segment,
  event: JobEvent,
): Promise<void> {
  const { db, clock, ids } = deps;
  if (event.type !== 'split') return;
  const split = transition(image, { ...event, segment }, clock.now());
  if (!split) return;
  const path = segmentPath(image.path, segment);
  const row = newJob({
    id: ids.next(),
    now: image.created_at,
    user_id: image.user_id,
    batch,
    original_filename: baseName(path),
    path,
    file_size_bytes: split.job.file_size_bytes,
    sha256: image.sha256,
  });
  await db.jobs.add({ ...row, segment, cue: null, epoch: image.epoch, updated_at: clock.now() });
  await appendSteps(db, ids, clock.now(), row.id, split.steps);
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/'))).toLowerCase();
}

function capital(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** Not inside a transaction: that would end at the foreign await. */
async function hashOf(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
