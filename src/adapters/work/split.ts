/** Album images of an upload: a file with a CUE sheet in it or beside it goes on as one job a track, as in the app. */
import { hasOpenSheet, judgeSheets, trackOfImage, withUsedSheet } from '#core/job/cue-verdict.ts';
import type { Clock, Ids } from '#core/ports.ts';
import { sha256 } from '../llm/executor-ports.ts';
import type { WorkRows } from './rows.ts';

/** Looks at every sheet that nobody has looked at. Answers whether a file was split: its tracks are to be probed. */
export async function splitImages(rows: WorkRows, using: { clock: Clock; ids: Ids }): Promise<boolean> {
  let split = false;
  for (const job of rows.jobs().filter(hasOpenSheet)) {
    const verdict = await judgeSheets(job, rows.batch, rows.jobs(), sha256);
    if (!verdict || !rows.apply(job.id, verdict.event)) continue;
    const { batch } = rows;
    for (const segment of verdict.segments.slice(1)) {
      const facts = { id: using.ids.next(), now: using.clock.now(), batch };
      const made = trackOfImage(job, segment, verdict.event, facts);
      if (made) rows.addJob(made.job, { parent: rows.parentOf(job.id), steps: made.steps });
    }
    rows.batch = { ...batch, companions: withUsedSheet(batch, job, verdict) };
    split ||= verdict.segments.length > 0;
  }
  return split;
}
