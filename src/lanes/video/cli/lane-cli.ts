import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
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
      stage: 'recognise',
      register(program, { say, withPlans }) {
        const videos = program
          .command('videos')
          .description("what confirmed recognitions say of files, in a server's data directory");
        const data = ['--data <dir>', 'data directory of the server (otherwise ACCESSION_DATA)'] as const;
        videos
          .command('confirm')
          .description('confirm a recognition plan: its files are recorded, all of them or none')
          .argument('<plan>', 'id of the plan')
          .option(...data)
          .action((plan: string, flags: { data?: string }) =>
            withPlans(flags.data, async (deps) => say(await (await import('./videos.ts')).confirmVideos(deps, plan))),
          );
        videos
          .command('undo')
          .description('take back what a confirmed recognition recorded')
          .argument('<plan>', 'id of the plan')
          .option(...data)
          .action((plan: string, flags: { data?: string }) =>
            withPlans(flags.data, async (deps) => say(await (await import('./videos.ts')).undoVideos(deps, plan))),
          );
        videos
          .command('export')
          .description('write the records as JSON')
          .option('--folder <dir>', 'those of files in this folder')
          .option('--out <file>', "where to (otherwise the terminal's output)")
          .option(...data)
          .action((flags: { folder?: string; out?: string; data?: string }) =>
            withPlans(flags.data, async (deps) => (await import('./videos.ts')).exportVideos(deps, flags, say)),
          );
        videos
          .command('rename-plan')
          .description("propose a rename plan of what is recorded of a folder's files")
          .argument('<folder>', 'a folder that the server may see')
          .option('--template <template>', 'plex, jellyfin, kodi, or a template', 'plex')
          .option('--many-shows', "the folder is not the show's own: keep the folder that names the show")
          .option(...data)
          .action((folder: string, flags: { template: string; manyShows?: boolean; data?: string }) =>
            withPlans(flags.data, async (deps) => {
              const wish = { template: flags.template, inShowFolder: flags.manyShows !== true };
              const { planNames } = await import('./videos.ts');
              for (const line of await planNames(deps, { mediaFolderPath: resolve(folder), ...wish })) say(line);
            }),
          );
      },
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
