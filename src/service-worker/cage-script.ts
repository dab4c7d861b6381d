import { matchPrecache } from 'workbox-precaching';
import { CAGE_SCRIPT, cagePolicy } from '#core/toolbox/cage-policy.ts';

/** `cage.js` as it was kept, with the policy that makes it a cage: not every host of the app sends one. */
export async function cageScript({ url }: { url: URL }): Promise<Response> {
  const kept = (await matchPrecache(CAGE_SCRIPT)) ?? (await fetch(CAGE_SCRIPT));
  const headers = new Headers(kept.headers);
  headers.set('content-security-policy', cagePolicy(url.search));
  return new Response(kept.body, { status: kept.status, headers });
}
