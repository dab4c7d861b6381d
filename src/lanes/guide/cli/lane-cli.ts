import type { Command } from 'commander';
import type { LaneCli } from '#cli/lane-cli.ts';
import type { CheckFlags } from './check-command.ts';
import { addScheduleCommands } from './schedule-commands.ts';

export const cli: LaneCli = {
  id: 'guide',
  commands: [
    {
      stage: 'recognise',
      register(program: Command, { say }) {
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
      },
    },
  ],
};
