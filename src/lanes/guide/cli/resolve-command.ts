/** A guarded run by hand, and what it mended taken back, over a server's database. */
import { channelLabel } from '../core/run/guide-runs.ts';
import { escalationSentence } from '../core/run/guards.ts';
import type { RunRecord, SkipReason } from '../core/run/run.types.ts';
import { COMMAND_LINE } from '#server/audit/audit.ts';
import { GuideService } from '#lanes/guide/server/guide-service.ts';
import { commandOwner } from '#lanes/guide/server/runs/processes.ts';
import type { KeptGuides } from '#cli/lane-cli.ts';

export interface ResolveFlags {
  channel?: string;
  dryRun?: boolean;
}

const WHY: Readonly<Record<SkipReason, string>> = {
  disabled:
    'Guarded runs are off: set [ai_agent] metadata_self_resolution_enabled = true, or switch them on in Settings.',
  recursion: 'A run does not begin another one.',
  active: 'Another run is under way.',
  suspended: 'It rests for an hour after three runs that changed nothing.',
  cooldown: 'The last run is not long enough ago.',
};

const serviceOf = ({ guide, ...deps }: KeptGuides): GuideService =>
  new GuideService({ ...deps, broker: null }, guide, commandOwner(deps.ids.next()));

/** @returns exit code: 0 where the run is a success. */
export async function resolveCommand(
  kept: KeptGuides,
  { channel: only, dryRun = false }: ResolveFlags,
  say: (line: string) => void,
): Promise<number> {
  const service = serviceOf(kept);
  const channel = only ?? null;
  if (dryRun) {
    const dry = await service.app.dryRun(channel);
    return dry.begun ? tell(dry.record, say) : refuse(dry.reason, say);
  }
  const begun = await service.demand(channel);
  if (!begun.begun) return refuse(begun.reason, say);
  const details = { run: begun.run };
  await service.audited({ user_id: COMMAND_LINE, action: 'guide.run', entity_id: channelLabel(channel), details });
  await service.settled();
  await service.close();
  const record = await service.runs.record(begun.run);
  if (record === null) throw new Error('a run left no record');
  const code = tell(record, say);
  for (const one of await service.runs.escalations(10)) if (one.run === begun.run) say(escalationSentence(one));
  return code;
}

function refuse(reason: SkipReason, say: (line: string) => void): number {
  say(`No run: ${reason}. ${WHY[reason]}`);
  return 1;
}

function tell(record: RunRecord, say: (line: string) => void): number {
  if (record.outcome === 'skipped') return refuse(record.reason, say);
  const { id, channel, outcome, reason, steps, ratio_before, ratio_after } = record;
  say(`Run ${id} of channel ${channelLabel(channel)}`);
  for (const { tool, by, report, failure } of steps) {
    say(`  ${tool} (${by}): ${failure ?? `${report.changed} changed, ${report.skipped.length} left`}`);
    for (const { where, field, before, after, reasons } of report.diff)
      say(`    ${where} ${field}: ${before ?? 'nothing'} -> ${after} (${reasons.join('; ')})`);
    for (const { where, field, why } of report.skipped) say(`    ${[where, field].join(' ').trim() || tool}: ${why}`);
  }
  const percent = (ratio: number): string => `${(ratio * 100).toFixed(1)} %`;
  say(
    `${outcome}${reason === null ? '' : `, ${reason}`}: ${percent(ratio_before)} lacked something, now ${percent(ratio_after)}`,
  );
  return outcome === 'success' ? 0 : 1;
}

/** @returns exit code: 1 where something was left. Throws AccessionError `not_found` where there is nothing of the run. */
export async function undoCommand(kept: KeptGuides, run: string, say: (line: string) => void): Promise<number> {
  const service = serviceOf(kept);
  const { undone, refused } = await service.app.undo({ run });
  const details = { undone, refused: refused.length };
  await service.audited({ user_id: COMMAND_LINE, action: 'guide.undone', entity_id: run, details });
  for (const { where, field, why } of refused) say(`${where} ${field} is left: ${why}`);
  say(`${undone} taken back, ${refused.length} left`);
  return refused.length === 0 ? 0 : 1;
}
