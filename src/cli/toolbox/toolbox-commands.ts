/** `accession toolbox list | run | cases`: the tools of the toolbox from a terminal; `accession tool run` is the same. */
import type { Command } from 'commander';
import type { LaneCommand } from '#cli/lane-cli.ts';
import type { Cage } from '#core/toolbox/cage.ts';
import type { RunFlags } from './run-tool.ts';
import type { SourceFlags } from '../open-sources.ts';

const positive = (text: string): number => {
  const value = Number(text);
  if (!(value > 0)) throw new RangeError(`"${text}" is no number above 0.`);
  return value;
};

/**
 * @param openCage where the tools compute
 * @param data the data directory
 */
export function toolboxCommand(openCage: () => Promise<Cage>, data: () => string): LaneCommand {
  return {
    stage: 'measure',
    register(program, { say, onStop }) {
      const stop = new AbortController();
      const withCage = async (work: (cage: Cage, signal: AbortSignal) => Promise<number>): Promise<void> => {
        onStop(() => stop.abort());
        const cage = await openCage();
        try {
          process.exitCode = await work(cage, stop.signal);
        } finally {
          cage.close();
        }
      };
      const toolbox = program
        .command('toolbox')
        .alias('tool')
        .description('statistics, tables, algebra, circuits, mining and figures, computed in a cage');
      toolbox
        .command('list')
        .argument('[tool]', 'one of them, with its schema and example')
        .option('--json', 'as JSON')
        .option('--connector <file...>', 'connectors that are declared in files of YAML')
        .description('the tools, what each takes and where it computes')
        .action(async (name: string | undefined, flags: SourceFlags & { json?: boolean }) => {
          const [{ listTools }, { toolsWith }] = await Promise.all([
            import('./list-tools.ts'),
            import('../open-sources.ts'),
          ]);
          for (const line of listTools(name, flags.json === true, await toolsWith(flags, data()))) say(line);
        });
      toolbox
        .command('presets')
        .description('programs of this machine that may be listed in [toolbox.commands] of accession.toml')
        .action(async () => say((await import('#core/toolbox/commands/commands.ts')).presetsAsToml()));
      sourceOptions(runOptions(toolbox.command('run')))
        .description('call one tool; the answer is JSON')
        .action((name: string, flags: RunFlags & SourceFlags) =>
          withCage(async (cage, signal) => {
            const { openSources, toolsWith } = await import('../open-sources.ts');
            const { runOne } = await import('./run-tool.ts');
            const asked = {
              name,
              ...flags,
              tools: await toolsWith(flags, data()),
              ...(await openSources(flags, data())),
            };
            return runOne(asked, cage, say, signal);
          }),
        );
      sourceOptions(toolbox.command('cases'))
        .argument('<file>', 'cases, one JSON object { id, tool, input } a line')
        .requiredOption('--out <file>', 'where the answers go, { id, output } or { id, error } a line')
        .description('answer cases in a file')
        .action((file: string, flags: SourceFlags & { out: string }) =>
          withCage(async (cage, signal) => {
            const { openSources, toolsWith } = await import('../open-sources.ts');
            const using = { cage, tools: await toolsWith(flags, data()), ...(await openSources(flags, data())) };
            return (await import('./run-cases.ts')).runCases(file, flags.out, using, say, signal);
          }),
        );
    },
  };
}

function sourceOptions(command: Command): Command {
  return command
    .option('--connector <file...>', 'connectors that are declared in files of YAML')
    .option('--command <command...>', 'programs that may run: a preset, or NAME=PROGRAM ARGUMENT ...')
    .option('--domains <host...>', 'only these hosts are asked, like "*.wikipedia.org"')
    .option('--record <file>', 'keep what sources answer in a file')
    .option('--replay <file>', 'sources answer from such a file, without a network');
}

function runOptions(command: Command): Command {
  return command
    .argument('<tool>', 'its name: stat_t_test, cas, frame_query, ...')
    .option('--input <json>', 'the input as JSON')
    .option('--input-file <file>', 'a file that holds it')
    .option('--example', 'run the example of the tool')
    .option('--timeout <seconds>', 'of the call', positive)
    .option('--memory <megabytes>', 'of the engine', positive)
    .option('--agree <sha256...>', 'hashes of free code that you have read and agree to')
    .option('--wheel <file...>', 'packages for python_run, as files that you have')
    .option('--verify', 'compute it again and compare');
}
