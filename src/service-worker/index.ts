/**
 * Makes the app start without its server. The page decides when a new version takes over (src/ui/pwa.svelte.ts).
 *
 *   install   precache the shell: the page, its scripts and styles, the workers and their chunks; the small ones of
 *             these in one pack
 *   activate  take the open pages over, drop what former versions left, fetch the codecs in the background
 *   fetch     /v1 and /health   the network, always (no route here)
 *             POST /share       files put away, then the page that takes them in
 *             navigation        the shell, when the page that is left for it has ended its workers
 *             codecs            cache first: 32 MB that are never fetched twice; behind them what the demos run on
 *             model engines     cache first, once somebody has used one; so are the engines of the toolbox
 *             cage.js           with its policy, also where the host sends none
 *   message   SKIP_WAITING      the person said yes to the update
 */
import { version } from '$app/env';
import { assets } from '$app/manifest';
import { self } from '$app/service-worker';
import { CAGE_SCRIPT } from '#core/toolbox/cage-policy.ts';
import { cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { files, pack } from 'virtual:app-files';
import { cageScript } from './cage-script.ts';
import { codecs } from './codecs.ts';
import { packOf } from './pack.ts';
import { keepingNoPage, pagesAreLeft } from './pages-are-left.ts';
import { takeShare } from './share-target.ts';

/** One file larger than this (bytes) does not hold up the installation. */
const SHELL_FILE_BYTES = 4 * 1024 * 1024;
/** What the static adapter writes for every address of the app. */
const PAGE = '/200.html';
/** Addresses that are the server's. */
const SERVER = [/^\/v1\//, /^\/health$/, /^\/metrics$/];

// The page names its entry scripts, whose names change with anything that they load: so does its revision.
const revision = [
  version,
  ...[...files, ...pack.files].map(({ path }) => path).filter((path) => path.includes('/entry/')),
].join(' ');

registerRoute(({ url, sameOrigin }) => sameOrigin && url.pathname === CAGE_SCRIPT, cageScript);
precacheAndRoute(
  [
    ...files
      .filter(({ bytes, onDemand }) => bytes <= SHELL_FILE_BYTES && !onDemand)
      .map(({ path }) => ({ url: `/${path}`, revision: null })),
    ...assets.map(({ path }) => ({ url: `/${path}`, revision })),
    { url: PAGE, revision },
  ],
  // Each address is the server's or the app's; no other guess is made.
  { cleanURLs: false, directoryIndex: '' },
);
cleanupOutdatedCaches();

const small = packOf(pack);
self.addEventListener('install', (event) => event.waitUntil(small.install()));
self.addEventListener('activate', (event) => event.waitUntil(small.activate()));
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && small.has(url.pathname),
  ({ request }) => small.answer(request),
);

const heavy = codecs(
  files.filter(({ bytes, onDemand }) => bytes > SHELL_FILE_BYTES && !onDemand).map(({ path }) => `/${path}`),
  files.filter(({ onDemand }) => onDemand).map(({ path }) => `/${path}`),
  files.filter(({ ofDemo }) => ofDemo).map(({ path }) => `/${path}`),
);
registerRoute(({ url, sameOrigin }) => sameOrigin && heavy.has(url.pathname), heavy.answer);
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname === '/share',
  ({ request }) => takeShare(request),
  'POST',
);

const shell = createHandlerBoundToURL(PAGE);
registerRoute(
  new NavigationRoute(
    async (options) => {
      // Held alive by this request; the answer does not wait for it.
      if (options.event instanceof FetchEvent) options.event.waitUntil(heavy.warm());
      await pagesAreLeft(self.navigator.locks);
      return keepingNoPage(shell(options));
    },
    { denylist: SERVER },
  ),
);

self.addEventListener('activate', (event) => {
  // The first visit's page loads its codecs through this worker already. Waiting for 32 MB would hold up every request.
  event.waitUntil(self.clients.claim());
  void heavy.warm();
});

self.addEventListener('message', (event) => {
  const data: unknown = event.data;
  const type = typeof data === 'object' && data !== null && 'type' in data ? data.type : null;
  if (type === 'SKIP_WAITING') void self.skipWaiting();
});
