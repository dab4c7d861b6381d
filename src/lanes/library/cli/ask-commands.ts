/** `accession ask` and `accession ask-check`. */
import { Option, type Command } from 'commander';
import type { LaneCommand } from '#cli/lane-cli.ts';
import { withAskFlags } from './ask-flags.ts';
import { withReachFlags } from './ask-reach.ts';
import type { AskOneFlags } from './ask-one.ts';
import { dataOption, directoryOf } from './data-directory.ts';
import { withModelFlags } from './model-flags.ts';

interface QuestionsFlags {
  questions?: string;
  out?: string;
  data?: string;
}

export const askCommand: LaneCommand = {
  stage: 'read',
  register: (program, { say, onStop, openModel }) =>
    withReachFlags(
      withAskFlags(
        withModelFlags(
          program
            .command('ask')
            .description("answer questions from a folder's library, every sentence with its quote")
            .argument('[question]', 'one question')
            .option('--library <dir>', 'the folder; its library is brought up to date first')
            .option('--task <words>', 'how the answer is to be given: "as a table"; it is not searched for')
            .option('--config <file>', 'YAML with the key agent')
            .option('--json', 'the answer as one JSON object')
            .option(
              '--transcript <file>',
              'where the transcript goes (otherwise logs/agent_runs in the data directory)',
            )
            .option('--resume <file>', 'take up a run from its transcript')
            .option('--replay <file>', 'play a run back from its transcript, without model, library and network')
            .option('--tools-dir <dir>', 'tools as YAML files, beside those in tools of the data directory')
            .option('--price <in,out>', 'US dollars for a million tokens of the model, in and out')
            .addOption(
              new Option('--questions <file>', 'questions, one JSON object { id, question } a line').conflicts([
                ...[
                  'resume',
                  'replay',
                  'transcript',
                  'task',
                  'config',
                  'json',
                  'toolsDir',
                  'price',
                  'provider',
                  'model',
                ],
                ...['baseUrl', 'agent', 'iterations', 'expand', 'tools', 'domains', 'confidence', 'seed', 'profile'],
                ...['budget.tokens', 'budget.cost', 'writer', 'planner'],
                ...['connector', 'command', 'recordSources', 'replaySources'],
              ]),
            )
            .option('--out <file>', 'with --questions: where the answers go, one JSON object a line')
            .option(...dataOption),
        ),
      ),
    ).action(async (question: string | undefined, flags: QuestionsFlags & AskOneFlags, command: Command) => {
      const stop = new AbortController();
      onStop(() => stop.abort());
      const { questions, out, library } = flags;
      if (questions !== undefined) {
        if (library === undefined || out === undefined || question !== undefined)
          return command.error('error: --questions needs --library <dir> and --out <file>, and no question');
        const { askQuestions } = await import('./ask-questions.ts');
        const k = flags.k ?? 15;
        const counts = await askQuestions({
          questions,
          out,
          library,
          k,
          data: directoryOf(flags),
          cancel: stop.signal,
        });
        const said = Object.entries(counts).map(([status, count]) => `${count} ${status}`);
        say(`${said.join(', ')}; the answers are in ${out}`);
        return;
      }
      const { askOne } = await import('./ask-one.ts');
      const frame = { data: directoryOf(flags), say, openModel, signal: stop.signal };
      process.exitCode = await askOne(question ?? null, flags, frame);
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
