import type { DocumentEvidence } from './evidence.ts';

/** Where title pages end, and where colophons begin. UTF-16 units. */
export const FRONT = 7_000;
const BACK = 3_000;

/** What a text alone does not show. */
export interface Layout {
  /** Where the title pages end, and where the last page begins. UTF-16 units. */
  front: number;
  back: number;
  /** Values that stand in the margin of several pages. */
  running: ReadonlySet<string>;
  /** What the file says of itself, and addresses of links on its first pages. */
  said: readonly DocumentEvidence[];
}

/** Of a text without pages: its first and last signs are its title page and its colophon. */
export const layoutOf = (source: string): Layout => ({
  front: FRONT,
  back: source.length - BACK,
  running: new Set(),
  said: [],
});
