/** Counts what passed and failed, and prints it: one line for a check that passed, everything for one that did not. */

export class Tally {
  #passed = 0;
  #failed = 0;
  #skipped = 0;
  /**
   * What failed, by name: said again at the end, where nothing else has scrolled it away.
   *
   * @type {string[]}
   */
  #names = [];
  #started = performance.now();
  #startedAll = performance.now();
  /** @type {(text: string) => void} */
  #print;

  /** @param {(text: string) => void} [print] where its lines go */
  constructor(print = (text) => void process.stdout.write(`${text}\n`)) {
    this.#print = print;
  }

  /**
   * A part of this tally for what runs beside other parts: its lines come out in one piece when it ends.
   *
   * @param {(part: Tally) => Promise<unknown>} run
   */
  async part(run) {
    /** @type {string[]} */
    const lines = [];
    const part = new Tally((text) => void lines.push(text));
    await run(part);
    this.#passed += part.#passed;
    this.#failed += part.#failed;
    this.#skipped += part.#skipped;
    this.#names.push(...part.#names);
    for (const line of lines) this.#print(line);
  }

  /** @param {string} name */
  heading(name) {
    this.#print(`\n== ${name} ==`);
    this.#started = performance.now();
  }

  /** @param {string} name */
  passed(name) {
    this.#passed += 1;
    this.#print(`ok      ${name}  (${this.#lap()})`);
  }

  /**
   * @param {string} name
   * @param {string} why
   */
  failed(name, why) {
    this.#failed += 1;
    this.#names.push(name);
    this.#print(`FAILED  ${name}  (${this.#lap()})\n${why.trimEnd()}`);
  }

  /**
   * Takes the counts of a test runner over.
   *
   * @param {string} name
   * @param {{ passed: number, failed: number, skipped: number }} counts
   * @param {string[]} [failures] what failed in it; none, and yet counted: the runner itself ended badly
   */
  add(name, { passed, failed, skipped }, failures = []) {
    this.#passed += passed;
    this.#failed += failed;
    this.#skipped += skipped;
    if (failed > 0) this.#names.push(...(failures.length > 0 ? failures : [`${name}: its runner ended with an error`]));
    const left = skipped > 0 ? `, ${skipped} skipped` : '';
    this.#print(
      `${failed > 0 ? 'FAILED ' : 'ok     '} ${name}: ${passed} passed, ${failed} failed${left}  (${this.#lap()})`,
    );
  }

  /**
   * Prints the last line.
   *
   * @param {boolean} nothingMayBeSkipped
   * @returns {number} the exit code
   */
  end(nothingMayBeSkipped) {
    const skippedIsWrong = nothingMayBeSkipped && this.#skipped > 0;
    if (skippedIsWrong)
      this.#print(`\nNothing may be skipped here (CI=true), yet ${this.#skipped} were: they count as failed.`);
    const failed = this.#failed + (skippedIsWrong ? this.#skipped : 0);
    const skipped = skippedIsWrong ? 0 : this.#skipped;
    if (this.#names.length > 0) this.#print(`\nFailed:\n${this.#names.map((name) => `  ${name}`).join('\n')}`);
    this.#print(`\nin ${seconds(this.#startedAll)}`);
    this.#print(`${this.#passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
    return failed > 0 || this.#passed === 0 ? 1 : 0;
  }

  #lap() {
    const lap = seconds(this.#started);
    this.#started = performance.now();
    return lap;
  }
}

/** @param {number} since */
function seconds(since) {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}
