/** Which step wrote which file of a run (PB-34): no file is of two steps, and none that was there before is written over unasked. */
import { divideAnswer } from '../division/divide.ts';
import type { PreparedStep } from '../check/prepare.types.ts';
import type { Unit } from '../check/unit.ts';
import { PlaybookFault } from '../faults.ts';
import type { Frame } from '../tokens/scopes.ts';
import type { Value } from '../value.ts';
import type { PlaybookFiles } from './ports.ts';

/** Where the record of an output goes, or that of all (null); null: nowhere. */
export type PathOf = (output: Frame | null) => string | null;

export class OutputOwners {
  readonly #files: PlaybookFiles;
  /** What is there may be written over: it is the run's own, or the person said so. */
  readonly #over: boolean;
  readonly #owners = new Map<string, string>();

  constructor(files: PlaybookFiles, over: boolean) {
    this.#files = files;
    this.#over = over;
  }

  /** It was written by this step, in this session or before. */
  has(path: string, step: string): void {
    this.#owners.set(path, step);
  }

  /**
   * Where the records of a unit go; the paths are this step's from now on. `ofOutput` is for a step whose answers decide,
   * `answer` is undefined before there is one. Throws PlaybookFault.
   */
  async pathsOf(
    { step, outputOf }: PreparedStep,
    { path }: Pick<Unit, 'path'>,
    ofOutput: (output: Frame) => string | null,
    answer: Value | undefined,
  ): Promise<PathOf> {
    if (outputOf !== 'answer') {
      if (path !== null) await this.#own(path, step.name);
      return () => path;
    }
    const pathOf: PathOf = (output) => (output === null ? null : ofOutput(output));
    for (const output of answer === undefined ? [] : divideAnswer(answer, step.answerDivision)) {
      const one = pathOf(output);
      if (one !== null) await this.#own(one, step.name);
    }
    return pathOf;
  }

  async #own(path: string, step: string): Promise<void> {
    const owner = this.#owners.get(path);
    if (owner === step) return;
    if (owner !== undefined)
      throw new PlaybookFault('output_twice', path, `The steps "${owner}" and "${step}" both write "${path}".`);
    if (!this.#over && (await this.#files.isThere(path)))
      throw new PlaybookFault('output_exists', path, `"${path}" is there already.`);
    this.#owners.set(path, step);
  }
}
