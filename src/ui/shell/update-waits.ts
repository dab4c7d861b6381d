/**
 * Whether a newer version of the app waits behind the one that serves the pages. The very first one waits too before it
 * takes over, in Firefox long enough to be seen, and is no news.
 */
export function updateWaits(registration: Pick<ServiceWorkerRegistration, 'active' | 'waiting'> | undefined): boolean {
  return registration !== undefined && registration.active !== null && registration.waiting !== null;
}
