import { DEFAULT_SETTINGS, type Settings } from '#core/config.ts';
import { changeSetting, changeSettingBy, changeSettings, settingsRow } from '../client/db.ts';
import { applyTheme, nextTheme } from '../theme/theme.ts';
import { Live } from '../parts/live.svelte.ts';
import { unchanged } from '../parts/unchanged.ts';

const row = new Live(unchanged(settingsRow), DEFAULT_SETTINGS, 0, ['settings', 'meta']);

/** What the person set on this workstation; bad or missing values are the defaults. */
class SettingsState {
  get current(): Settings {
    return row.current;
  }

  get ready(): boolean {
    return row.ready;
  }

  /** The next of system, light, dark; seen at once. */
  async changeTheme(): Promise<void> {
    const next = nextTheme(this.current.theme);
    applyTheme(next);
    await this.set('theme', next);
  }

  readonly set = changeSetting;
  /** Of what has several parts, one: what is pressed at the same moment stays, too. */
  readonly change = changeSettingBy;
  /** In one write: who listens gets all of it at once. */
  readonly setAll = changeSettings;
}

export const settings = new SettingsState();
