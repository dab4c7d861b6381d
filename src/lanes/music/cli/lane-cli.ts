import { InvalidArgumentError, Option } from 'commander';
import { INTERRUPTED, type LaneCli } from '#cli/lane-cli.ts';
import { MODEL_PROVIDERS, type ModelFlags } from '#cli/open-model.ts';
import type { AgentEvalFlags } from './agent-eval.ts';

/** Models without a model, which agent-eval measures beside the others. */
const SCRIPTED = ['scripted', 'scripted-obedient'];

function whole(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

export const cli: LaneCli = {
  id: 'music',
  openWorker: async (place) => (await import('#lanes/music/node/worker.ts')).openMusicWorker(place),
  commands: [
    {
      stage: 'recognise',
      register: (program, { say }) =>
        program
          .command('match')
          .description('match files to the tracks of a catalog and write one prediction a line')
          .requiredOption('--catalog <file>', 'catalog as JSON')
          .requiredOption('--cases <file>', 'cases, one JSON object a line')
          .requiredOption('--out <file>', 'where the predictions go')
          .option('--full', 'write all that the matcher says, one case a line')
          .action(async (options: { catalog: string; cases: string; out: string; full?: boolean }) => {
            const { matchCommand } = await import('./match.ts');
            const { cases, files } = await matchCommand(options);
            say(`${files} files of ${cases} cases matched; predictions are in ${options.out}`);
          }),
    },
    {
      stage: 'measure',
      register: (program, { say, onStop, openModel }) =>
        program
          .command('agent-eval')
          .description(
            'measure a model on the files of a case set that the matcher doubts, beside what no model would do',
          )
          .requiredOption('--catalog <file>', 'catalog as JSON')
          .requiredOption('--cases <file>', 'cases with their truth, one JSON object a line')
          .addOption(
            new Option('--provider <name>', 'who answers')
              .choices([...SCRIPTED, ...MODEL_PROVIDERS])
              .makeOptionMandatory(),
          )
          .option('--base-url <url>', 'address of the Ollama or OpenAI-compatible server (key: ACCESSION_MODEL_KEY)')
          .option('--model <name>', 'model; for wllama the path of a GGUF')
          .option('--context <tokens>', 'tokens of prompt and answer', whole, 8192)
          .addOption(
            new Option('--strategy <name>', 'choice or tools').choices(['auto', 'choice', 'tools']).default('auto'),
          )
          .option('--hostile <file>', 'hostile rows, one JSON object a line; measures flips')
          .option('--limit <n>', 'doubtful files at most', whole)
          .option('--seed <n>', 'of the option orders, the sampling and the dice', whole, 1)
          .option('--cassette <file>', 'recorded answers, for the provider recorded')
          .option('--record <file>', 'writes what the model answers into a cassette')
          .option('--json <file>', 'writes the figures as one flat JSON object')
          .action(async (flags: AgentEvalFlags & ModelFlags) => {
            const [{ agentEval }, { scriptedModels }] = await Promise.all([
              import('./agent-eval.ts'),
              import('./eval/scripted.ts'),
            ]);
            const done = await agentEval(flags, { open: () => openModel(flags, scriptedModels), say, onStop });
            process.exitCode = done ? 0 : INTERRUPTED;
          }),
    },
  ],
};
