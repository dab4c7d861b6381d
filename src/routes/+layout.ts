import { lanes } from '#lanes/lanes.ts';
import { openDatabase } from '#ui/client/db.ts';
import { setLanes } from '#ui/lanes.ts';

// A single-page app: IndexedDB is its source, and only a browser has that.
export const ssr = false;
export const prerender = false;
export const trailingSlash = 'never';

export async function load({ url }: { url: URL }): Promise<void> {
  // Files can be dropped before what is stored is there; every other page shows what is stored.
  const opening = url.pathname === '/' ? null : openDatabase();
  const parts = await Promise.all(lanes.map(async ({ ui }) => ui?.()));
  await opening;
  setLanes(parts.filter((part) => part !== undefined));
}
