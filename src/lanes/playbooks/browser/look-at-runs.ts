/** What pages see of a run, wherever it is. */
import { answered } from '#core/result.ts';
import { lookAt, recordsOf, sheetOf, type Records } from '../core/records/look-at-file.ts';
import { numbersOfStep, type NumbersOfStep } from '../core/records/number-marks.ts';
import { readPlaybook } from '../core/read/playbook.ts';
import { diffRuns } from '../core/run/diff.ts';
import { promptOfUnit } from '../core/run/prompt-of-unit.ts';
import { runView } from '../core/run/run-view.ts';
import { exportRun } from './export-run.ts';
import type { PlaybookApi } from './playbook-api.types.ts';
import type { RunPlace } from './run-place.ts';
import { unitTrace } from './unit-trace.ts';
import { noFile } from '../core/run/store-failures.ts';

type Looks = Pick<PlaybookApi, 'show' | 'unit' | 'look' | 'sheet' | 'made' | 'diff' | 'exported'>;

/** @param placeOf the place of a run, and its id there */
export function looksAtRuns(placeOf: (run: string) => { place: RunPlace; id: string }): Looks {
  const linesOf = (run: string): Promise<unknown[]> => {
    const { place, id } = placeOf(run);
    return place.lines(id);
  };
  /** The file that was looked at last: sorted and filtered, it is not parsed anew. */
  let last: { key: string; text: string; records: Records | null; numbers: NumbersOfStep | null } | null = null;

  async function textOf(run: string, path: string): Promise<string> {
    const { place, id } = placeOf(run);
    const text = await place.text(id, path);
    if (text === null) throw noFile(path);
    return text;
  }

  async function opened(run: string, path: string): Promise<NonNullable<typeof last>> {
    const key = JSON.stringify([run, path]);
    const text = await textOf(run, path);
    if (last?.key !== key || last.text !== text)
      last = { key, text, records: recordsOf(path, text), numbers: await numbersIn(run, path) };
    return last;
  }

  /** Of the step that wrote the file: one that closed with it, else the one in hand. */
  async function numbersIn(run: string, path: string): Promise<NumbersOfStep | null> {
    const { place, id } = placeOf(run);
    const past = await place.past(id);
    const steps = [...past.steps];
    const wrote = steps.find(([, { closed }]) => closed?.files.some((file) => file.path === path) === true);
    const [at, of] = wrote ?? steps.find(([, { closed }]) => closed === null) ?? [];
    const step = at === undefined ? undefined : readPlaybook(past.head.playbook).playbook?.steps[at];
    return of === undefined || step === undefined || of.numbers.size === 0 ? null : numbersOfStep(step, of);
  }

  return {
    show: (run) =>
      answered(async () => {
        const { place, id } = placeOf(run);
        const past = await place.past(id);
        return { ...runView(past), files: await place.made(id, past) };
      }),
    unit: (run, step, unit) =>
      answered(async () => {
        const { place, id } = placeOf(run);
        const trace = unitTrace(await place.lines(id), step, unit);
        return { ...trace, prompt: await promptOfUnit(await place.past(id), step, unit, await place.files(id)) };
      }),
    look: (run, path, wish) =>
      answered(async () => {
        const { text, records, numbers } = await opened(run, path);
        return lookAt(text, records, wish, numbers);
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
