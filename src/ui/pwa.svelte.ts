import type { Workbox } from 'workbox-window';

/**
 * The service worker, as the page sees it.
 *
 *   registered -> (a new build is found) waiting -> the person says yes -> skipWaiting -> controllerchange -> reload
 *
 * An update never reloads a page by itself: a drop may be under way.
 */
class Pwa {
  /** True when a new version is installed and waits. */
  updateReady = $state(false);
  #workbox: Workbox | null = null;

  async register(): Promise<void> {
    if (!('serviceWorker' in navigator)) return;
    const { Workbox } = await import('workbox-window');
    const workbox = new Workbox('/service-worker.js', { type: 'module', updateViaCache: 'none' });
    workbox.addEventListener('waiting', () => (this.updateReady = true));
    this.#workbox = workbox;
    try {
      await workbox.register();
    } catch {
      // Private windows refuse it: the app works as long as the server does.
    }
  }

  update(): void {
    this.#workbox?.addEventListener('controlling', () => window.location.reload());
    this.#workbox?.messageSkipWaiting();
  }
}

export const pwa = new Pwa();
