/** `accession playbook check|run|resume|list|show|diff|export|cases`. */
import { InvalidArgumentError, type Command } from 'commander';
import type { CliFrame, LaneCommand } from '#cli/lane-cli.ts';
import { dataOption } from './data-directory.ts';
import type { CheckFlags, ResumeFlags, RunFlags } from './run-commands.ts';

const several = (value: string, before: string[] = []): string[] => [...before, value];

function wholeOf(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (!Number.isSafeInteger(number) || number < least || number > most)
      throw new InvalidArgumentError(`say ${least} to ${most}.`);
    return number;
  };
}

const withModels = (command: Command): Command =>
  command
    .option(
      '--model-map <name=provider/model>',
      'what a model of the playbook stands for; * is all (may be said again)',
      several,
    )
    .option('--provider <name>', 'the provider of all models that are not mapped: ollama, openai')
    .option('--model <model>', 'the model there (otherwise the name that the playbook says)')
    .option('--base-url <url>', "the address of the model's server")
    .option('--context <tokens>', "tokens of the model's context", '32768')
    .option('--replay <file>', 'answers that were recorded, and nothing else')
    .option('--price <in,out>', 'US dollars for a million tokens of the model, in and out');

/** What its tools reach beyond the cage; variadic ones would take the file's name. */
const withReach = (command: Command): Command =>
  command
    .option('--domains <patterns>', 'hosts that its steps may ask, with commas between: you agree to them (none)')
    .option(
      '--agree <sha256>',
      'free code (r_run, python_run) that you have read: its hash (may be said again)',
      several,
    )
    .option('--library <dir>', 'the folder whose library rag_retrieve asks; it is brought up to date first')
    .option('--connector <file>', 'a connector that is declared in a file of YAML (may be said again)', several)
    .option('--record-sources <file>', 'keep what sources answer there, for --replay-sources')
    .option('--replay-sources <file>', 'sources answer from such a file, without a network');

const withSource = (command: Command): Command =>
  withReach(withModels(command))
    .argument('<file>', 'the playbook, or a config that names it; - is standard input')
    .option('--config <file>', 'the config, YAML or JSON; - is standard input')
    .option('--set <key=value>', 'a value of the config, before all others (may be said again)', several)
    .option(
      '--step <key=value>',
      'verbosity, max_requery_iterations or agent.KEY of all steps that ask a model (may be said again)',
      several,
    )
    .option('--root <dir>', 'the folder that is read and written', '.')
    .option('--overwrite', 'files that are there already may be overwritten')
    .option('--json <file>', 'what came of it, as JSON')
    .option(...dataOption);

const withRun = (command: Command): Command =>
  command
    .option(
      '--limit <key=value>',
      'model_calls, tokens, cost_usd, seconds, unit_seconds, tool_calls (may be said again)',
      several,
    )
    .option('--parallel <count>', 'units at a time, 1 to 8 (otherwise as each step says)', wholeOf(1, 8))
    .option('--record <file>', 'keep what the model answers there, for --replay');

export const playbookCommand: LaneCommand = {
  stage: 'read',
  register(program, frame: CliFrame) {
    const playbook = program
      .command('playbook')
      .description('run a process of many steps from a YAML file, and go on with it after any stop');
    /** Wrong usage is said by the command, and ends with exit code 2. */
    const guarded = async (command: Command, work: () => Promise<number>): Promise<void> => {
      const { WrongUsage } = await import('./read-source.ts');
      try {
        process.exitCode = await work();
      } catch (error) {
        if (error instanceof WrongUsage) command.error(`error: ${error.message}`);
        throw error;
      }
    };
    withSource(playbook.command('check'))
      .description('check a playbook with its config and files, and say what a run will take')
      .action((file: string, flags: CheckFlags, command: Command) =>
        guarded(command, async () => (await import('./run-commands.ts')).checkCommand(file, flags, frame)),
      );
    withRun(withSource(playbook.command('run')))
      .description('run a playbook')
      .option('--reuse <run>', 'take over the units of this run that are the same')
      .option('--from <step>', 'with --reuse: ask this step and all after it anew')
      .option('--again <step>', 'with --reuse: ask this step anew (may be said again)', several)
      .option('--seed <number>', "of the model's sampling", wholeOf(0, 2 ** 31 - 1), 1)
      .action((file: string, flags: RunFlags, command: Command) =>
        guarded(command, async () => (await import('./run-commands.ts')).runCommand(file, flags, frame)),
      );
    withRun(withReach(withModels(playbook.command('resume'))))
      .description('go on with a run that failed, was stopped, cancelled or killed')
      .argument('<run>', 'its id')
      .option('--root <dir>', 'the folder that it reads and writes (otherwise the one that it was begun with)')
      .option('--json <file>', 'what came of it, as JSON')
      .option(...dataOption)
      .action((run: string, flags: ResumeFlags, command: Command) =>
        guarded(command, async () => (await import('./run-commands.ts')).resumeCommand(run, flags, frame)),
      );
    playbook
      .command('list')
      .description('the runs, the newest first')
      .option(...dataOption)
      .action(async (flags: { data?: string }) => (await import('./look-commands.ts')).listCommand(flags, frame));
    playbook
      .command('show')
      .description('one run: its steps, units, what they took and what went wrong')
      .argument('<run>', 'its id')
      .option('--json <file>', 'the same as JSON')
      .option(...dataOption)
      .action(async (run: string, flags: { data?: string; json?: string }) =>
        (await import('./look-commands.ts')).showCommand(run, flags, frame),
      );
    playbook
      .command('diff')
      .description('two runs, unit by unit: same, changed, only here, only there')
      .argument('<run>', 'the id of one')
      .argument('<other>', 'the id of the other')
      .option('--json <file>', 'the same as JSON')
      .option(...dataOption)
      .action(async (run: string, other: string, flags: { data?: string; json?: string }) =>
        (await import('./look-commands.ts')).diffCommand(run, other, flags, frame),
      );
    playbook
      .command('export')
      .description('one run as a ZIP: playbook, config, journal, numbers and the files that it wrote')
      .argument('<run>', 'its id')
      .requiredOption('--out <file>', 'the ZIP')
      .option(...dataOption)
      .action(async (run: string, flags: { data?: string; out: string }) =>
        (await import('./look-commands.ts')).exportCommand(run, flags, frame),
      );
    playbook
      .command('cases')
      .description('answer cases of the playbook language')
      .argument('<file>', 'cases, one JSON object a line')
      .requiredOption('--out <file>', 'where the answers go, one JSON object a line')
      .action(async (file: string, { out }: { out: string }) => {
        const { playbookCases } = await import('./playbook-cases.ts');
        frame.say(`${await playbookCases(file, out)} cases answered; the answers are in ${out}`);
      });
  },
};
