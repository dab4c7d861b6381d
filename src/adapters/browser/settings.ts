import * as v from 'valibot';
import { SettingsSchema, type Settings } from '#core/config.ts';
import type { AccessionDb } from './db.ts';

/** Meta row: settings that the server's administrator chose as defaults (server-defaults.ts). */
export const SERVER_DEFAULTS_ROW = 'server_defaults';

/** The person's settings; what was never set has the server's default, and what is not valid has ours. */
export async function readSettings(db: AccessionDb): Promise<Settings> {
  const [rows, defaults] = await Promise.all([db.settings.toArray(), db.meta.get(SERVER_DEFAULTS_ROW)]);
  const said = typeof defaults?.value === 'object' ? defaults.value : {};
  return v.parse(SettingsSchema, { ...said, ...Object.fromEntries(rows.map((row) => [row.key, row.value])) });
}

/** Several at once: nobody ever reads some of them changed and the others not. */
export async function writeSettings(db: AccessionDb, patch: Partial<Settings>): Promise<void> {
  await db.settings.bulkPut(Object.entries(patch).map(([key, value]) => ({ key, value })));
}

export async function writeSetting<K extends keyof Settings>(
  db: AccessionDb,
  key: K,
  value: Settings[K],
): Promise<void> {
  await db.settings.put({ key, value });
}

/** Sets one to what comes of what it is at that moment: nothing that was set meanwhile, in this tab or another, is lost. */
export async function updateSetting<K extends keyof Settings>(
  db: AccessionDb,
  key: K,
  change: (now: Settings[K]) => Settings[K],
): Promise<void> {
  await db.transaction('rw', db.settings, db.meta, async () => {
    await writeSetting(db, key, change((await readSettings(db))[key]));
  });
}

/** Whether the person ever set it; a server's default does not count. */
export async function isSet(db: AccessionDb, key: keyof Settings): Promise<boolean> {
  return (await db.settings.get(key)) !== undefined;
}
