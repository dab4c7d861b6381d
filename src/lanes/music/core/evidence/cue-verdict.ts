/** What a CUE sheet makes of a file: it names it, splits it into tracks, or does not fit it. */
import { baseName } from '#core/ingest/paths.ts';
import type { Batch, Companion, JobIn, StepDraft } from '#core/job/job.ts';
import { newJob } from '#core/job/new-job.ts';
import type { Unfolding } from '#core/run/lane-run.ts';
import { clock } from '#core/text/duration.ts';
import { sameStem, segmentsOf, tagsOfFile, parseCue, type CueSheet } from './cue.ts';
import type { MusicEvent, MusicJob, MusicTypes } from '../types.ts';
import type { FileTags } from '#core/media.ts';
import { bytesOfSegment, segmentPath, type Segment, visibleTags } from './evidence.ts';

interface Found {
  text: string;
  companion: Companion | null;
  /** For the sentences: `the CUE sheet "album.cue"`. */
  label: string;
}

/** Whether its sheets are to be read: it is probed, whole, and nobody has read them yet. */
export function hasOpenSheet(job: MusicJob): job is JobIn<'grouping', MusicTypes> {
  return job.phase === 'grouping' && job.segment === undefined && job.cue !== null;
}

/** Null where no sheet speaks of the file. `sha256`: of a text, hex. */
export async function unfoldBySheet(
  job: JobIn<'grouping', MusicTypes>,
  batch: Batch,
  jobs: readonly MusicJob[],
  sha256: (text: string) => Promise<string>,
): Promise<Unfolding<MusicTypes> | null> {
  const found = sheetsOf(job, batch, jobs);
  if (found.length === 0) return null;
  const against: string[] = [];
  for (const { text, companion, label } of found) {
    const sheet = parseCue(text);
    const tags = sheet && companion && tagsOfFile(sheet, job.original_filename);
    if (tags) {
      const companions = withUsedSheet(batch, job, companion, 'used for the names in');
      return { event: described(job, `${capital(label)} names this file.`, tags), parts: () => [], companions };
    }
    const split = sheet === null ? { why: 'it has no tracks in it' } : segmentsWithin(sheet, job.evidence.duration_ms);
    if ('why' in split) {
      against.push(`${label} does not split it, because ${split.why}`);
      continue;
    }
    const segments = await Promise.all(
      split.segments.map(async (one): Promise<Segment> => {
        const content = await sha256(`${job.sha256} ${one.start_ms}-${one.end_ms ?? 'end'}`);
        return { ...one, file: job.original_filename, content };
      }),
    );
    const [first, ...others] = segments;
    if (!first) continue;
    const words = { sheet: label, note: split.note };
    return {
      event: splitInto(job, first, words),
      parts: (ids, now) => others.map((segment) => trackOfImage(job, segment, words, { id: ids(), now, batch })),
      companions: withUsedSheet(batch, job, companion, 'used to split'),
    };
  }
  const event = described(job, `${capital(against.join('; '))}.`, null);
  return { event, parts: () => [], companions: batch.companions };
}

/** The file stays whole; the sheet may know more of it than its tags do. */
function described(job: JobIn<'grouping', MusicTypes>, why: string, tags: FileTags | null): MusicEvent {
  const { evidence } = job;
  const known = visibleTags({ ...tags, ...evidence.tags }).tags;
  return { type: 'described', evidence: { ...evidence, tags: known }, why, metadata: tags ? { tags } : {} };
}

interface SplitWords {
  sheet: string;
  /** What the person should know of the sheet. */
  note: string | null;
}

/** The row goes on as this track of the image. */
function splitInto(
  image: JobIn<'grouping', MusicTypes>,
  segment: Segment,
  { sheet, note }: SplitWords,
): MusicEvent & { type: 'split' } {
  const path = segmentPath(image.path, segment);
  const bytes = bytesOfSegment(image.file_size_bytes, segment, image.evidence.duration_ms);
  const to = segment.end_ms === null ? 'the end' : clock(segment.end_ms);
  const content = `"${segment.file}" is an album image: ${sheet} splits it into ${segment.of} tracks. This is track ${segment.track}, from ${clock(segment.start_ms)} to ${to}.`;
  const steps: StepDraft[] = [{ step_type: 'Decision', content, metadata: { segment, sheet } }];
  if (note !== null) steps.push({ step_type: 'Action', content: note });
  return { type: 'split', segment, part: { path, original_filename: baseName(path), file_size_bytes: bytes }, steps };
}

function segmentsWithin(sheet: CueSheet, length: number | null): ReturnType<typeof segmentsOf> {
  return length === null ? { why: 'the length of the file is not known' } : segmentsOf(sheet, length);
}

/** The best first: beside the file and named like it or naming it, the one inside it, the only one in its folder. */
function sheetsOf(job: MusicJob, batch: Batch, jobs: readonly MusicJob[]): Found[] {
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

/** The row of one more track, with the same first steps as the first one's. */
function trackOfImage(
  image: JobIn<'grouping', MusicTypes>,
  segment: Segment,
  words: SplitWords,
  { id, now, batch }: { id: string; now: number; batch: Batch },
): { job: MusicJob; steps: readonly StepDraft[] } {
  const { part, steps } = splitInto(image, segment, words);
  const { user_id, created_at, sha256, lane, archive, epoch } = image;
  const row = newJob<MusicTypes>({ id, now: created_at, user_id, batch, ...part, sha256, lane, archive });
  return { job: { ...row, segment, cue: null, epoch, updated_at: now }, steps };
}

/** The companions of a batch once a sheet was used. */
function withUsedSheet(batch: Batch, job: MusicJob, sheet: Companion | null, used: string): Companion[] {
  return batch.companions.map((one) =>
    one.path === sheet?.path ? { ...one, outcome: `${used} "${job.original_filename}"` } : one,
  );
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/'))).toLowerCase();
}

function capital(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
