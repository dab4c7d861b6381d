/**
 * The cadence begins with the app where there is a channel of ours, whose schedule grows by the day, or a guide that may be
 * mended by itself; no page needs to be open.
 */
import { db, settingsRow } from '#ui/client/db.ts';

export async function watchAtStart(): Promise<void> {
  if ((await db.guide_schedules.count()) > 0 || (await mayMend())) (await import('./client.ts')).watchGuides();
}

async function mayMend(): Promise<boolean> {
  if ((await db.guide_sources.count()) === 0) return false;
  const { metadata_self_resolution_enabled, bounded_agent_enabled } = await settingsRow();
  return metadata_self_resolution_enabled && bounded_agent_enabled;
}
