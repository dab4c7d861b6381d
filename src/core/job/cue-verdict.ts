/** What a CUE sheet makes of a file: it names it, splits it into tracks, or does not fit it. */
import { parseCue, type CueSheet } from '../ingest/cue.ts';
import { sameStem, segmentsOf, tagsOfFile } from '../ingest/cue-segments.ts';
import { baseName } from '../ingest/paths.ts';
import type { Batch, Companion, Job } from './job.ts';
import { newJob } from './new-job.ts';
import { segmentPath, type Segment } from './segment.ts';
import { transition, type JobEvent, type StepDraft } from './transitions.ts';

/** What is to become of one file. */
export interface SheetVerdict {
  /** The companion that the sheet is; null for one inside the file. */
  companion: Companion | null;
  segments: Segment[];
  /** For the first track, when there are segments; else for the file, which stays whole. */
  event: JobEvent;
}

interface Found {
  text: string;
  companion: Companion | null;
  /** For the sentences: `the CUE sheet "album.cue"`. */
  label: string;
}

/** Whether its sheets are to be looked at: it is probed, whole, and nobody has looked yet. */
export function hasOpenSheet(job: Job): boolean {
  return job.phase === 'grouping' && job.segment === undefined && job.cue !== null;
}

/** Null where no sheet speaks of the file. `sha256`: of a text, hex. */
export async function judgeSheets(
  job: Job,
  batch: Batch,
  jobs: readonly Job[],
  sha256: (text: string) => Promise<string>,
): Promise<SheetVerdict | null> {
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
        const content = await sha256(`${job.sha256} ${one.start_ms}-${one.end_ms ?? 'end'}`);
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

/** The row of one more track, with the same first steps as the first one's; null where nothing is split. */
export function trackOfImage(
  image: Job,
  segment: Segment,
  event: JobEvent,
  using: { id: string; now: number; batch: Batch },
): { job: Job; steps: StepDraft[] } | null {
  if (event.type !== 'split') return null;
  const split = transition(image, { ...event, segment }, using.now);
  if (!split) return null;
  const path = segmentPath(image.path, segment);
  const row = newJob({
    id: using.id,
    now: image.created_at,
    user_id: image.user_id,
    batch: using.batch,
    original_filename: baseName(path),
    path,
    file_size_bytes: split.job.file_size_bytes,
    sha256: image.sha256,
  });
  const job = { ...row, segment, cue: null, epoch: image.epoch, updated_at: using.now };
  return { job, steps: split.steps };
}

/** The companions of a batch once a sheet was used. */
export function withUsedSheet(batch: Batch, job: Job, verdict: SheetVerdict): Companion[] {
  const used = verdict.segments.length > 0 ? 'used to split' : 'used for the names in';
  return batch.companions.map((one) =>
    one.path === verdict.companion?.path ? { ...one, outcome: `${used} "${job.original_filename}"` } : one,
  );
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/'))).toLowerCase();
}

function capital(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
