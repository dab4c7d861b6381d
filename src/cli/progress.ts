/** A line that says what is being done: on a terminal drawn over itself, in a log now and then. */

export interface ProgressOutput {
  isTTY?: boolean;
  write(text: string): unknown;
}

/** Milliseconds between two lines where nothing can be overwritten, and between two drawings where it can. */
const PAUSE = { log: 5000, terminal: 100 };

export function progressLine(
  output: ProgressOutput,
  now: () => number = () => performance.now(),
): { say(line: string): void; clear(): void } {
  const terminal = output.isTTY === true;
  let last = -Infinity;
  return {
    say: (line) => {
      if (now() - last < (terminal ? PAUSE.terminal : PAUSE.log)) return;
      last = now();
      output.write(terminal ? `\r\u001b[K${line}` : `${line}\n`);
    },
    clear: () => {
      if (terminal) output.write('\r\u001b[K');
    },
  };
}
