/** `accession guide replay`: a run told again from its journal; nothing is done. */
import { createHash } from 'node:crypto';
import { channelLabel } from '../core/run/guide-runs.ts';
import { escalationSentence } from '../core/run/guards.ts';
import { replayRun } from '../core/run/replay.ts';
import { parseLine } from '../core/run/stored-run.ts';
import { readText } from './read-text.ts';

/** Says the steps, the end and the SHA-256 of what was changed. Throws AccessionError `invalid` where it cannot be. */
export async function replayCommand(file: string, say: (line: string) => void): Promise<void> {
  const lines = (await readText(file)).split('\n').filter((text) => text.trim() !== '');
  const { run, end, diff } = replayRun(lines.map((text, index) => parseLine(text, `${file}, line ${index + 1}`)));
  say(`Run ${run.id} of channel ${channelLabel(run.channel)} (${run.how})`);
  for (const { tool, by, report, failure } of run.steps)
    say(`  ${tool} (${by}): ${failure ?? `${report.changed} changed, ${report.skipped.length} left`}`);
  say(end === null ? 'It did not end.' : `${end.outcome}${end.reason === null ? '' : `, ${end.reason}`}`);
  if (end?.caught) say(escalationSentence({ run: run.id, channel: run.channel, at: run.began_at, ...end.caught }));
  say(`changes ${createHash('sha256').update(diff).digest('hex')}`);
}
