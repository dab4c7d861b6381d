/** Each button of Settings, and every page dark and narrow. */
import { expect, test } from './support/test.ts';
import { lightness } from './support/picture.ts';

/** They fetch hundreds of megabytes from elsewhere, or end what the scenarios go on with. */
const LEFT_OUT = ['Download', 'Sign out'];
const ALWAYS = ['Try now', 'Test connection', 'Ask the browser to keep it', 'Licences'];
const PAGES = ['/', '/review', '/history', '/catalog', '/video', '/documents', '/documents/listings', '/settings'];

test('UI-136 every button of Settings does what it does without an error', async ({ station }) => {
  const { tab } = station;
  await station.go('/settings');
  await station.shows({ kind: 'button', name: 'Ask the browser to keep it' });
  for (const radio of ['Light', 'Dark', 'As the system']) await station.press({ kind: 'radio', name: radio });
  const pressed: string[] = [];
  for (;;) {
    const names = await tab.run(buttonsOfThePage);
    const next = names.find((name) => !pressed.includes(name) && !LEFT_OUT.includes(name));
    if (next === undefined) {
      const missing = ALWAYS.find((name) => !pressed.includes(name));
      if (missing === undefined) break;
      // While another one is at work it cannot be pressed.
      await expect.poll(() => tab.run(buttonsOfThePage), { timeout: 180_000 }).toContain(missing);
      continue;
    }
    pressed.push(next);
    await tab.click({ kind: 'button', name: next });
    if (await tab.run(() => document.querySelector('dialog[open], [role=dialog]') !== null)) await tab.pressEscape();
    await station.until(() => document.querySelector('dialog[open], [role=dialog]') === null, [], true, {
      what: `what "${next}" has opened is closed`,
    });
  }
  await station.press({ kind: 'button', name: 'Sign out' });
  await station.says('Not signed in');
});

test('UI-137 every page is dark where the system is, and fits a telephone', async ({ station }) => {
  const tab = await station.openTab('narrow');
  for (const path of PAGES) {
    await station.go(path, tab);
    await station.until(() => document.querySelector('main h1') !== null, [], true, { what: `${path} is shown`, tab });
    const seen = await tab.run(() => ({
      width: window.innerWidth,
      fits: document.documentElement.scrollWidth <= document.documentElement.clientWidth,
      dark: matchMedia('(prefers-color-scheme: dark)').matches,
    }));
    expect(seen, path).toEqual({ width: 390, fits: true, dark: true });
    const light = await lightness(tab);
    expect(light.all, `${path} is dark`).toBeLessThan(0.3);
    expect(light.edge, `the scroll bar of ${path} is dark`).toBeLessThan(0.4);
  }
  await tab.close();
});

test('TEST-6, TEST-7 a rejection with something that is no Error is heard in its own words, also of a page from the service worker', async ({
  errors,
  station,
}) => {
  await station.waitForOfflineStart();
  await station.tab.reload();
  await station.settled();
  expect(await station.tab.run(() => navigator.serviceWorker.controller !== null)).toBe(true);
  await station.tab.run(
    () => void Promise.reject(Object.assign(Object.create(null) as object, { toString: () => 'no room' })),
  );
  const said: unknown = expect.stringMatching(/^unhandled rejection in \/, \d+ s after its start: no room$/);
  await expect.poll(() => errors.take(), { timeout: 20_000 }).toEqual([said]);
});

/** Names of the buttons that can be pressed now, in their order: WebKit gives what is folded away a place, too. */
function buttonsOfThePage(): string[] {
  return [...document.querySelectorAll<HTMLButtonElement>('main button:not([disabled])')]
    .filter((button) => button.checkVisibility())
    .map((button) => (button.getAttribute('aria-label') ?? button.textContent).replace(/\s+/g, ' ').trim());
}
