import { lanes } from '#lanes/lanes.ts';
import { setLanes } from '#ui/lanes.ts';

// A single-page app: IndexedDB is its source, and only a browser has that.
export const ssr = false;
export const prerender = false;
export const trailingSlash = 'never';

export async function load(): Promise<void> {
  const parts = await Promise.all(lanes.map(async ({ ui }) => ui?.()));
  setLanes(parts.filter((part) => part !== undefined));
}
