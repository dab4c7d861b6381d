import type { Workbox } from 'workbox-window';
import { updateWaits } from './update-waits.ts';

/** Chromium's event, which the standard types do not have. */
interface InstallOffer extends Event {
  prompt(): Promise<unknown>;
}

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
  /** True when the browser offers to install the app. */
  installable = $state(false);
  #workbox: Workbox | null = null;
  #offer: InstallOffer | null = null;

  constructor() {
    window.addEventListener('beforeinstallprompt', (event) => {
      event.preventDefault();
      this.#offer = event as InstallOffer;
      this.installable = true;
    });
    window.addEventListener('appinstalled', () => (this.installable = false));
  }

  async register(): Promise<void> {
    if (!('serviceWorker' in navigator)) return;
    const { Workbox } = await import('workbox-window');
    const workbox = new Workbox('/service-worker.js', { type: 'module', updateViaCache: 'none' });
    workbox.addEventListener('waiting', () => void this.#look());
    this.#workbox = workbox;
    try {
      await workbox.register();
    } catch {
      // Private windows refuse it: the app works as long as the server does.
    }
  }

  async #look(): Promise<void> {
    this.updateReady = updateWaits(await navigator.serviceWorker.getRegistration());
  }

  /** Shows the browser's own question; an offer can be used once. */
  async install(): Promise<void> {
    const offer = this.#offer;
    this.#offer = null;
    this.installable = false;
    await offer?.prompt();
  }

  update(): void {
    this.#workbox?.addEventListener('controlling', () => window.location.reload());
    this.#workbox?.messageSkipWaiting();
  }
}

export const pwa = new Pwa();
