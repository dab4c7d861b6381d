/** `accession ingest`. */
import { Option, type Command } from 'commander';
import type { LaneCommand } from '#cli/lane-cli.ts';

interface IngestFlags {
  cases?: string;
  replies?: string;
  out: string;
  agents?: string;
  provider?: string;
  model?: string;
  baseUrl?: string;
  context: string;
}

export const ingestCommand: LaneCommand = {
  stage: 'read',
  register: (program, { say, openModel }) =>
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
      .option('--agents <dir>', 'agents written in Markdown, beside those of the program')
      .option('--provider <name>', 'the model that agents may ask: ollama, openai')
      .option('--model <model>', 'its name there')
      .option('--base-url <url>', "the address of the model's server")
      .option('--context <tokens>', "tokens of the model's context", '8192')
      .action(async (flags: IngestFlags, command: Command) => {
        const { cases, replies, out, agents, provider } = flags;
        if (replies !== undefined) {
          const { ingestReplies } = await import('./ingest-replies.ts');
          const read = await ingestReplies({ replies, out });
          say(`${read.files} replies read, ${read.failed} not to be used; the answers are in ${out}`);
          return;
        }
        if (cases === undefined) return command.error('error: say what to read: --cases <file> or --replies <file>');
        const { ingestCases } = await import('./ingest-cases.ts');
        const { askProvider } = await import('#lanes/library/core/model/ask-provider.ts');
        const opened =
          provider === undefined ? null : await openModel({ ...flags, provider, context: Number(flags.context) }, {});
        try {
          // Of the models that a file may name, the command line has set up this one.
          const ask = opened === null ? null : askProvider(() => Promise.resolve(opened.provider));
          const read = await ingestCases({ cases, out, agents, ask });
          for (const warning of read.warnings.slice(0, 20)) say(warning);
          if (read.warnings.length > 20) say(`... and ${read.warnings.length - 20} more`);
          say(`${read.files} files read into ${read.chunks} chunks; the answers are in ${out}`);
        } finally {
          await opened?.close();
        }
      }),
};
