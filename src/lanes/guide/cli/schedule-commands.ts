/** Commands of schedules and runs, below `accession guide`. */
import type { Command } from 'commander';
import type { DeriveFlags } from './derive-command.ts';

export function addScheduleCommands(guide: Command, say: (line: string) => void): void {
  guide
    .command('derive')
    .description('derive the schedules of channels from recognised videos, as XMLTV')
    .argument('<channels>', 'JSON: a channel or a list of them, with their blocks')
    .requiredOption('--videos <file>', 'recognised videos, one JSON object a line: id, show, season, episode, seconds')
    .requiredOption('--out <file>', 'where the guide goes')
    .option('--from <day>', 'first day, such as 2026-03-02 (otherwise today, where the channel is)')
    .option('--days <count>', 'how many, 14 at most', '7')
    .option('--json', 'one JSON object a programme instead of XMLTV')
    .action(async (file: string, flags: DeriveFlags) => {
      const { deriveCommand } = await import('./derive-command.ts');
      await deriveCommand(file, flags, { now: Date.now, say });
    });
  guide
    .command('replay')
    .description('tell a guarded run again from its journal, and say the SHA-256 of what it changed; nothing is done')
    .argument('<journal>', 'the lines of the journal, one JSON object a line')
    .action(async (file: string) => (await import('./replay-command.ts')).replayCommand(file, say));
}
