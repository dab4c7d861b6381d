/** The cadence begins with the app where there is a guide and it may be mended by itself; no page needs to be open. */
import { db, settingsRow } from '#ui/client/db.ts';

export async function watchAtStart(): Promise<void> {
  if ((await db.guide_sources.count()) === 0) return;
  const { metadata_self_resolution_enabled, bounded_agent_enabled } = await settingsRow();
  if (metadata_self_resolution_enabled && bounded_agent_enabled) (await import('./client.ts')).watchGuides();
}
