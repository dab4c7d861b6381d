import type { Command } from 'commander';
import type { LaneCli } from '#cli/lane-cli.ts';
import type { CheckFlags } from './check-command.ts';
import { addMendCommands } from './mend-commands.ts';
import { addScheduleCommands } from './schedule-commands.ts';
import type { ExportFlags } from './export-command.ts';

export const cli: LaneCli = {
  id: 'guide',
  commands: [
    {
      stage: 'recognise',
      register(program: Command, frame) {
        const { say } = frame;
        const guide = program.command('guide').description('guides of channels (XMLTV): what is wrong with them');
        guide
          .command('check')
          .description('find what is wrong in a guide, with its lineup if there is one; exits 1 where there is a fault')
          .argument('<file>', 'XMLTV, also packed with gzip')
          .option('--lineup <file>', "a tuner's lineup (HDHomeRun JSON) or playlist (M3U)")
          .option('--zone <zone>', 'of times that name none, such as Europe/Berlin (otherwise UTC)')
          .option('--json', 'answer as one JSON object')
          .action(async (file: string, flags: CheckFlags) => {
            const { checkCommand } = await import('./check-command.ts');
            process.exitCode = await checkCommand(file, flags, say);
          });
        addScheduleCommands(guide, say);
        addMendCommands(guide, frame);
        guide
          .command('export')
          .description(
            "write a guide anew: valid, times in UTC, and with --mend what evidence proves filled; the guide's file stays as it is",
          )
          .argument('<file>', 'XMLTV, also packed with gzip')
          .requiredOption('--out <file>', 'where to; packed with gzip where it ends in .gz')
          .option('--mend', 'fill numbers, years of films and titles that are missing, where evidence proves them')
          .option('--shows <file>', 'a catalog of shows to look them up in, as JSON; with --mend')
          .option('--zone <zone>', 'of times that name none, such as Europe/Berlin (otherwise UTC)')
          .action(async (file: string, flags: ExportFlags) => {
            const { exportCommand } = await import('./export-command.ts');
            process.exitCode = await exportCommand(file, flags, say);
          });
      },
    },
  ],
};
