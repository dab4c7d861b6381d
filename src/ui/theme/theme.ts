import type { Settings } from '#core/config.ts';

const KEY = 'theme';
type Theme = Settings['theme'];

/** Sets the scheme of the page; remembered outside IndexedDB too, so that the first paint has it. */
export function applyTheme(theme: Theme): void {
  if (theme === 'system') {
    delete document.documentElement.dataset['theme'];
    localStorage.removeItem(KEY);
  } else {
    document.documentElement.dataset['theme'] = theme;
    localStorage.setItem(KEY, theme);
  }
}

/** Called before the first component is drawn. */
export function applyRememberedTheme(): void {
  const theme = localStorage.getItem(KEY);
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset['theme'] = theme;
}

export function nextTheme(theme: Theme): Theme {
  return theme === 'system' ? 'light' : theme === 'light' ? 'dark' : 'system';
}
