/** `accession guide resolve | undo`: guarded runs over the guides of a server, beside it or without it. */
import type { Command } from 'commander';
import type { CliFrame } from '#cli/lane-cli.ts';
import type { ResolveFlags } from './resolve-command.ts';

interface DataFlag {
  data?: string;
}
const DATA = ['--data <directory>', "the server's data directory (otherwise ACCESSION_DATA, or ./data)"] as const;

export function addMendCommands(guide: Command, { say, withGuides }: Pick<CliFrame, 'say' | 'withGuides'>): void {
  guide
    .command('resolve')
    .description(
      'begin a guarded run over the guides of a server, behind the same gates; exits 1 where it is no success',
    )
    .option('--channel <id>', 'of this channel alone (otherwise the whole)')
    .option('--dry-run', 'say what it would do, and write nothing')
    .option(...DATA)
    .action(async ({ data, ...flags }: ResolveFlags & DataFlag) => {
      const { resolveCommand } = await import('./resolve-command.ts');
      await withGuides(data, async (kept) => void (process.exitCode = await resolveCommand(kept, flags, say)));
    });
  guide
    .command('undo')
    .description('take back what a run mended; what changed since is left, and said')
    .argument('<run>', 'its id')
    .option(...DATA)
    .action(async (run: string, { data }: DataFlag) => {
      const { undoCommand } = await import('./resolve-command.ts');
      await withGuides(data, async (kept) => void (process.exitCode = await undoCommand(kept, run, say)));
    });
}
