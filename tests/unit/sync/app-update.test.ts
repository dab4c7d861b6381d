import { afterEach, expect, test, vi } from 'vitest';

const listeners = new Map<string, () => void>();
const skipped = vi.fn();
vi.mock('workbox-window', () => ({
  Workbox: class {
    addEventListener(name: string, listener: () => void): void {
      listeners.set(name, listener);
    }
    register(): Promise<void> {
      return Promise.resolve();
    }
    messageSkipWaiting = skipped;
  },
}));

afterEach(() => vi.unstubAllGlobals());

test('UI-15 SW-5 a new version that was found waits, and takes over and reloads the page only when the person says so', async () => {
  const reload = vi.fn();
  vi.stubGlobal('window', { addEventListener: () => undefined, location: { reload } });
  const registration = { active: {}, waiting: {} };
  vi.stubGlobal('navigator', { serviceWorker: { getRegistration: () => Promise.resolve(registration) } });
  const { pwa } = await import('#ui/shell/pwa.svelte.ts');
  await pwa.register();
  expect(pwa.updateReady).toBe(false);
  listeners.get('waiting')?.();
  await vi.waitFor(() => expect(pwa.updateReady).toBe(true));
  expect([skipped.mock.calls.length, reload.mock.calls.length, listeners.has('controlling')]).toEqual([0, 0, false]);
  pwa.update();
  expect([skipped.mock.calls.length, reload.mock.calls.length]).toEqual([1, 0]);
  // The new one has the page.
  listeners.get('controlling')?.();
  expect(reload).toHaveBeenCalledOnce();
});
