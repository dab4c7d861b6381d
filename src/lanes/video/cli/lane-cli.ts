import { randomUUID } from 'node:crypto';
import { Option, type Command } from 'commander';
import type { LaneCli } from '#cli/lane-cli.ts';
import type { RenameFlags } from './rename.ts';

export const cli: LaneCli = {
  id: 'video',
  commands: [
    {
      stage: 'recognise',
      register: (program, { say }) =>
        program
          .command('recognize')
          .description('say what videos are, by their names or by whole folders')
          .option('--names <file>', 'names, one JSON object a line')
          .option('--folders <file>', 'whole folders, one JSON object a line, with what a catalog says of the show')
          .requiredOption('--out <file>', 'where the answers go, one JSON object a line')
          .action(async (flags: { names?: string; folders?: string; out: string }, command: Command) => {
            const { names, folders, out } = flags;
            if ((names === undefined) === (folders === undefined))
              return command.error('error: say what to recognise: --names <file> or --folders <file>');
            if (names !== undefined) {
              const { recognizeNames } = await import('./recognize-names.ts');
              const read = await recognizeNames({ names, out });
              say(`${read.names} names read; the answers are in ${out}`);
            } else if (folders !== undefined) {
              const { recognizeFolders } = await import('./recognize-folders.ts');
              const read = await recognizeFolders({ folders, out });
              say(`${read.episodes} episode files in ${read.folders} folders recognised; the answers are in ${out}`);
            }
          }),
    },
    {
      stage: 'carry out',
      register: (program, { say, onStop, loadFolders }) =>
        program
          .command('rename')
          .description('carry out a rename plan in a folder: all of it or nothing, and --undo takes it back')
          .requiredOption('--plan <file>', 'rename plan as JSON; its journal is kept beside it (<file>.journal)')
          .requiredOption('--root <dir>', 'the folder that the plan is for')
          .option('--hash <sha256>', 'carry it out only if it is the plan of which a dry run said this')
          .addOption(new Option('--dry-run', 'say what would be done, and touch nothing').conflicts(['undo', 'giveUp']))
          .option('--undo', 'give every file the name back that it had')
          .option('--give-up', 'leave the files of an interrupted run where they stand')
          .action(async (flags: RenameFlags) => {
            const [{ renameCommand }, folders] = await Promise.all([import('./rename.ts'), loadFolders()]);
            const stop = new AbortController();
            onStop(() => stop.abort());
            process.exitCode = await renameCommand(flags, {
              ...folders,
              clock: Date,
              ids: { next: randomUUID },
              cancel: stop.signal,
              say,
            });
          }),
    },
  ],
};
