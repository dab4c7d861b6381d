import type { LaneCli } from '#cli/lane-cli.ts';

export const cli: LaneCli = {
  id: 'library',
  commands: [
    {
      stage: 'read',
      register: (program, { say }) =>
        program
          .command('ingest')
          .description('read files into chunks, by the agent that knows each best')
          .requiredOption('--cases <file>', 'files, one JSON object { id, path, text } a line')
          .requiredOption('--out <file>', 'where the answers { id, agentId, chunks } go, one JSON object a line')
          .action(async (flags: { cases: string; out: string }) => {
            const { ingestCases } = await import('./ingest-cases.ts');
            const { files, chunks } = await ingestCases(flags);
            say(`${files} files read into ${chunks} chunks; the answers are in ${flags.out}`);
          }),
    },
  ],
};
