/** What music keeps beside its jobs, in IndexedDB. */
import type { AccessionDb } from '#adapters/browser/db.ts';
import type { DexieLaneRows } from '#adapters/browser/job-store.ts';
import {
  CALIBRATION_ROW,
  parseCalibration,
  type CalibrationState,
  type CalibrationSample,
} from '#lanes/music/core/calibration/local-profile.ts';
import type { MusicRows, Remembered } from '#lanes/music/core/learning/rows.ts';

export function musicRows(db: AccessionDb): DexieLaneRows & { rows: MusicRows } {
  return { tables: ['memory', 'samples'], rows: new DexieMusicRows(db) };
}

class DexieMusicRows implements MusicRows {
  readonly #db: AccessionDb;

  constructor(db: AccessionDb) {
    this.#db = db;
  }

  async remembered(contents: readonly string[]): Promise<Remembered[]> {
    return (await this.#db.memory.bulkGet([...contents])).filter((row) => row !== undefined);
  }

  async remember(row: Remembered): Promise<void> {
    await this.#db.memory.put(row);
  }

  async forget(content: string): Promise<void> {
    await this.#db.memory.delete(content);
  }

  async trimRemembered(most: number): Promise<void> {
    const over = (await this.#db.memory.count()) - most;
    if (over > 0) await this.#db.memory.bulkDelete(await this.#db.memory.orderBy('at').limit(over).primaryKeys());
  }

  async forgetAll(): Promise<number> {
    const count = await this.#db.memory.count();
    await this.#db.memory.clear();
    return count;
  }

  sample(jobId: string): Promise<CalibrationSample | undefined> {
    return this.#db.samples.get(jobId);
  }

  async putSample(sample: CalibrationSample): Promise<void> {
    await this.#db.samples.put(sample);
  }

  async deleteSamples(jobIds: readonly string[]): Promise<void> {
    await this.#db.samples.bulkDelete([...jobIds]);
  }

  samplesAfter(at: number): Promise<CalibrationSample[]> {
    return this.#db.samples.where('at').above(at).toArray();
  }

  async deleteSamplesUntil(at: number): Promise<void> {
    await this.#db.samples.where('at').belowOrEqual(at).delete();
  }

  async trimSamples(kind: CalibrationSample['kind'], most: number): Promise<void> {
    const rows = this.#db.samples.where('[kind+at]').between([kind, 0], [kind, Infinity]);
    const over = (await rows.count()) - most;
    if (over > 0) await this.#db.samples.bulkDelete(await rows.limit(over).primaryKeys());
  }

  async calibration(): Promise<CalibrationState> {
    return parseCalibration((await this.#db.meta.get(CALIBRATION_ROW))?.value);
  }

  async putCalibration(state: CalibrationState): Promise<void> {
    await this.#db.meta.put({ key: CALIBRATION_ROW, value: state });
  }
}
