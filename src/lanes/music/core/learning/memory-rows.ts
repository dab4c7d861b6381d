import * as v from 'valibot';
import type { LearnedRow, LearnedSource, Learning } from '#core/run/lane-rows.ts';
import {
  parseCalibration,
  SampleSchema,
  type CalibrationState,
  type CalibrationSample,
} from '../calibration/local-profile.ts';
import { RememberedSchema, type MusicRows, type Remembered } from './rows.ts';

/** As the rows are kept at the server: `memory` by content, `sample` by job, one `calibration`. */
type Kind = 'memory' | 'sample' | 'calibration';
const STATE = 'state';

/**
 * What music keeps beside its jobs, in memory. What was learned before is read from its source when it is first wanted;
 * what cannot be parsed of it counts as never learned. Rows are never changed in place.
 */
export class MemoryMusicRows implements MusicRows, Learning {
  readonly #source: LearnedSource | null;
  #memory = new Map<string, Remembered | null>();
  #samples: Map<string, CalibrationSample> | null = null;
  #calibration: CalibrationState | null = null;
  #unsaved = new Map<string, LearnedRow>();

  constructor(source: LearnedSource | null = null) {
    this.#source = source;
  }

  copy(): MemoryMusicRows {
    const copy = new MemoryMusicRows(this.#source);
    copy.#memory = new Map(this.#memory);
    copy.#samples = this.#samples && new Map(this.#samples);
    copy.#calibration = this.#calibration;
    copy.#unsaved = new Map(this.#unsaved);
    return copy;
  }

  unsaved(): LearnedRow[] {
    return [...this.#unsaved.values()];
  }

  saved(rows: readonly LearnedRow[]): void {
    for (const [id, row] of this.#unsaved) if (rows.includes(row)) this.#unsaved.delete(id);
  }

  async remembered(contents: readonly string[]): Promise<Remembered[]> {
    const unknown = contents.filter((sha256) => !this.#memory.has(sha256));
    const found = await this.#read('memory', RememberedSchema, unknown);
    for (const sha256 of unknown) this.#memory.set(sha256, found.find((row) => row.sha256 === sha256) ?? null);
    return contents.flatMap((sha256) => this.#memory.get(sha256) ?? []);
  }

  async remember(row: Remembered): Promise<void> {
    this.#memory.set(row.sha256, row);
    this.#note('memory', row.sha256, row.at, row);
    await Promise.resolve();
  }

  async forget(content: string): Promise<void> {
    this.#memory.set(content, null);
    this.#note('memory', content, 0, null);
    await Promise.resolve();
  }

  /** Whoever keeps them for good has a bound of its own. */
  trimRemembered(): Promise<void> {
    return Promise.resolve();
  }

  async forgetAll(): Promise<number> {
    const known = [...this.#memory.values()].filter((row) => row !== null);
    for (const { sha256 } of known) await this.forget(sha256);
    return known.length;
  }

  async sample(jobId: string): Promise<CalibrationSample | undefined> {
    return (await this.#allSamples()).get(jobId);
  }

  async putSample(sample: CalibrationSample): Promise<void> {
    (await this.#allSamples()).set(sample.id, sample);
    this.#note('sample', sample.id, sample.at, sample);
  }

  async deleteSamples(jobIds: readonly string[]): Promise<void> {
    const samples = await this.#allSamples();
    for (const id of jobIds) if (samples.delete(id)) this.#note('sample', id, 0, null);
  }

  async samplesAfter(at: number): Promise<CalibrationSample[]> {
    return [...(await this.#allSamples()).values()].filter((sample) => sample.at > at);
  }

  async deleteSamplesUntil(at: number): Promise<void> {
    const before = [...(await this.#allSamples()).values()].filter((sample) => sample.at <= at);
    await this.deleteSamples(before.map((sample) => sample.id));
  }

  async trimSamples(kind: CalibrationSample['kind'], most: number): Promise<void> {
    const ofKind = [...(await this.#allSamples()).values()].filter((sample) => sample.kind === kind);
    const oldestFirst = ofKind.sort((a, b) => a.at - b.at);
    await this.deleteSamples(oldestFirst.slice(0, Math.max(0, ofKind.length - most)).map((sample) => sample.id));
  }

  async calibration(): Promise<CalibrationState> {
    if (this.#calibration === null) {
      const [kept] = await this.#read('calibration', v.unknown(), [STATE]);
      this.#calibration = parseCalibration(kept);
    }
    return this.#calibration;
  }

  async putCalibration(state: CalibrationState): Promise<void> {
    this.#calibration = state;
    this.#note('calibration', STATE, 0, state);
    await Promise.resolve();
  }

  async #allSamples(): Promise<Map<string, CalibrationSample>> {
    this.#samples ??= new Map((await this.#read('sample', SampleSchema)).map((sample) => [sample.id, sample]));
    return this.#samples;
  }

  async #read<T>(kind: Kind, schema: v.GenericSchema<unknown, T>, keys?: readonly string[]): Promise<T[]> {
    if (this.#source === null || keys?.length === 0) return [];
    const rows = await this.#source.read(kind, keys);
    return rows.flatMap(({ value }) => {
      const row = v.safeParse(schema, value);
      return row.success ? [row.output] : [];
    });
  }

  #note(kind: Kind, key: string, at: number, value: unknown): void {
    if (this.#source !== null) this.#unsaved.set(`${kind} ${key}`, { kind, key, at, value });
  }
}
