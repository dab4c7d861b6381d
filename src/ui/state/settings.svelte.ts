import * as v from 'valibot';
import { DEFAULT_SETTINGS, SettingsSchema, type Settings } from '#core/config.ts';
import { db } from '../db.ts';
import { Live } from './live.svelte.ts';

const rows = new Live(async () => {
  const all = await db.settings.toArray();
  return new Map(all.map((row) => [row.key, row.value]));
}, new Map<string, unknown>());

/** What the person set on this workstation; bad or missing values are the defaults. */
class SettingsState {
  readonly current: Settings = $derived(
    v.parse(SettingsSchema, { ...DEFAULT_SETTINGS, ...Object.fromEntries(rows.current) }),
  );
  readonly token: string | null = $derived.by(() => {
    const token = rows.current.get('token');
    return typeof token === 'string' && token !== '' ? token : null;
  });

  get ready(): boolean {
    return rows.ready;
  }

  async set<K extends keyof Settings>(key: K, value: Settings[K]): Promise<void> {
    await db.settings.put({ key, value });
  }

  async setToken(token: string): Promise<void> {
    await db.settings.put({ key: 'token', value: token });
  }
}

export const settings = new SettingsState();
