/** `accession ask` and `accession ask-check`. */
import { InvalidArgumentError, type Command } from 'commander';
import type { LaneCommand } from '#cli/lane-cli.ts';
import { dataOption, directoryOf } from './data-directory.ts';

function countOf(text: string): number {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 1 || count > 100) throw new InvalidArgumentError('say 1 to 100.');
  return count;
}

export const askCommand: LaneCommand = {
  stage: 'read',
  register: (program, { say, onStop }) =>
    program
      .command('ask')
      .description("answer questions from a folder's library, every sentence with its quote")
      .requiredOption('--questions <file>', 'questions, one JSON object { id, question } a line')
      .requiredOption('--library <dir>', 'the folder; its library is brought up to date first')
      .requiredOption('--out <file>', 'where the answers go, one JSON object a line')
      .option('--k <count>', 'passages a search', countOf, 15)
      .option(...dataOption)
      .action(async (flags: { questions: string; library: string; out: string; k: number; data?: string }) => {
        const stop = new AbortController();
        onStop(() => stop.abort());
        const { askQuestions } = await import('./ask-questions.ts');
        const counts = await askQuestions({ ...flags, data: directoryOf(flags), cancel: stop.signal });
        const said = Object.entries(counts).map(([status, count]) => `${count} ${status}`);
        say(`${said.join(', ')}; the answers are in ${flags.out}`);
      }),
};

export const askCheckCommand: LaneCommand = {
  stage: 'measure',
  register: (program, { say, onStop }): Command =>
    program
      .command('ask-check')
      .description('check whether sentences are carried by the quotes that they name')
      .requiredOption('--rows <file>', 'sentences, one JSON object { id, sentence, quotes: [{ path, quote }] } a line')
      .requiredOption('--library <dir>', 'the folder that is quoted; its library is brought up to date first')
      .requiredOption('--out <file>', 'where the verdicts { id, supported, faults } go, one JSON object a line')
      .option(...dataOption)
      .action(async (flags: { rows: string; library: string; out: string; data?: string }) => {
        const stop = new AbortController();
        onStop(() => stop.abort());
        const { askCheck } = await import('./ask-check.ts');
        const { rows, supported } = await askCheck({ ...flags, data: directoryOf(flags), cancel: stop.signal });
        say(`${supported} of ${rows} sentences are carried by their quotes; the verdicts are in ${flags.out}`);
      }),
};
