/** Progress goes to stderr: stdout belongs to the ready line, to a command's output, to test results. */

/** @param {string} text */
export function say(text) {
  process.stderr.write(`${text}\n`);
}

/** Something the person has to do before this can work: a sentence for them, not a stack. */
export class Trouble extends Error {
  /**
   * @param {string} message what is wrong
   * @param {string} remedy what to do about it
   */
  constructor(message, remedy) {
    super(message);
    this.name = 'Trouble';
    this.remedy = remedy;
  }
}

/**
 * Runs a launcher's body: a Trouble is said plainly, anything else with its stack; both end with code 1.
 *
 * @param {() => Promise<number>} body answers the exit code
 */
export async function launch(body) {
  try {
    process.exitCode = await body();
  } catch (thrown) {
    if (thrown instanceof Trouble) say(`\n${thrown.message}\n${thrown.remedy}`);
    else say(thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown));
    process.exitCode = 1;
  }
}
