/** What pages see of a run, wherever it is. */
import { failed } from '#core/errors.ts';
import { answered } from '#core/result.ts';
import { lookAt, recordsOf, sheetOf, type Records } from '../core/records/look-at-file.ts';
import { diffRuns } from '../core/run/diff.ts';
import { runView } from '../core/run/run-view.ts';
import { exportRun } from './export-run.ts';
import type { PlaybookApi } from './playbook-api.types.ts';
import type { RunPlace } from './run-place.ts';
import { unitTrace } from './unit-trace.ts';

type Looks = Pick<PlaybookApi, 'show' | 'unit' | 'look' | 'sheet' | 'made' | 'diff' | 'exported'>;

/** @param placeOf the place of a run, and its id there */
export function looksAtRuns(placeOf: (run: string) => { place: RunPlace; id: string }): Looks {
  const linesOf = (run: string): Promise<unknown[]> => {
    const { place, id } = placeOf(run);
    return place.lines(id);
  };
  /** The file that was looked at last: sorted and filtered, it is not parsed anew. */
  let last: { key: string; text: string; records: Records | null } | null = null;

  async function textOf(run: string, path: string): Promise<string> {
    const { place, id } = placeOf(run);
    const text = await place.text(id, path);
    if (text === null) throw failed('not_found', `There is no file "${path}".`);
    return text;
  }

  async function opened(run: string, path: string): Promise<NonNullable<typeof last>> {
    const key = JSON.stringify([run, path]);
    const text = await textOf(run, path);
    if (last?.key !== key || last.text !== text) last = { key, text, records: recordsOf(path, text) };
    return last;
  }

  return {
    show: (run) =>
      answered(async () => {
        const { place, id } = placeOf(run);
        const past = await place.past(id);
        return { ...runView(past), files: await place.made(id, past) };
      }),
    unit: (run, step, unit) => answered(async () => unitTrace(await linesOf(run), step, unit)),
    look: (run, path, wish) =>
      answered(async () => {
        const { text, records } = await opened(run, path);
        return lookAt(text, records, wish);
      }),
    sheet: (run, path, wish) =>
      answered(async () => {
        const { text, records } = await opened(run, path);
        return records === null ? text : sheetOf(records, wish);
      }),
    made: (run, path) => answered(() => textOf(run, path)),
    diff: (one, other) => answered(async () => diffRuns(await linesOf(one), await linesOf(other))),
    exported: (run) =>
      answered(async () => {
        const { place, id } = placeOf(run);
        return exportRun(await place.lines(id), (path) => place.text(id, path));
      }),
  };
}
