/** `accession ingest`. */
import { Option, type Command } from 'commander';
import type { LaneCommand } from '#cli/lane-cli.ts';
import { withModelFlags, type ModelFlags } from './model-flags.ts';

interface IngestFlags extends ModelFlags {
  cases?: string;
  replies?: string;
  out: string;
  agents?: string;
}

/** Warnings that are said one by one. */
const SAID = 20;

export const ingestCommand: LaneCommand = {
  stage: 'read',
  register: (program, { say, openModel }) =>
    withModelFlags(
      program
        .command('ingest')
        .description('read files into chunks, by the agent that knows each best')
        .option('--cases <file>', 'files, one JSON object { id, path, text } a line')
        .addOption(
          new Option(
            '--replies <file>',
            "files with a model's reply about each, { id, path, text, reply, finish } a line",
          ).conflicts(['cases', 'agents', 'provider']),
        )
        .requiredOption('--out <file>', 'where the answers { id, agentId, chunks } go, one JSON object a line')
        .option('--agents <dir>', 'agents written in Markdown, beside those of the program'),
    ).action(async (flags: IngestFlags, command: Command) => {
      const { cases, replies, out, agents, ...model } = flags;
      if (replies !== undefined) {
        const { ingestReplies } = await import('./ingest-replies.ts');
        const read = await ingestReplies({ replies, out });
        say(`${read.files} replies read, ${read.failed} not to be used; the answers are in ${out}`);
        return;
      }
      if (cases === undefined) return command.error('error: say what to read: --cases <file> or --replies <file>');
      const [{ ingestCases }, { openAsker }] = await Promise.all([
        import('./ingest-cases.ts'),
        import('./open-asker.ts'),
      ]);
      const { ask, close } = openAsker(model, openModel);
      try {
        const read = await ingestCases({ cases, out, agents, ask });
        for (const warning of read.warnings.slice(0, SAID)) say(warning);
        if (read.warnings.length > SAID) say(`... and ${read.warnings.length - SAID} more`);
        say(`${read.files} files read into ${read.chunks} chunks; the answers are in ${out}`);
      } finally {
        await close();
      }
    }),
};
