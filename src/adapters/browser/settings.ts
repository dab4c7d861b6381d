import * as v from 'valibot';
import { SettingsSchema, type Settings } from '#core/config.ts';
import type { AccessionDb } from './db.ts';

/** The person's settings; what was never set, or is no longer valid, has its default. */
export async function readSettings(db: AccessionDb): Promise<Settings> {
  const rows = await db.settings.toArray();
  return v.parse(SettingsSchema, Object.fromEntries(rows.map((row) => [row.key, row.value])));
}

export async function writeSetting<K extends keyof Settings>(
  db: AccessionDb,
  key: K,
  value: Settings[K],
): Promise<void> {
  await db.settings.put({ key, value });
}
