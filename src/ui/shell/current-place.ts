import type { Place } from '../lane-ui.ts';

/** Whether `now`, a page's path without its first slash, belongs to the place. */
export function isCurrentPlace({ path, also = [] }: Pick<Place, 'path' | 'also'>, now: string): boolean {
  return [path, ...also].some((one) => (one === '' ? now === '' : now === one || now.startsWith(`${one}/`)));
}
