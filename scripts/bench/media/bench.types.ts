import type { Page } from '@playwright/test';

/** One line of the table. `noise` is half the distance between the smallest and the largest round, in the same unit. */
export interface Figure {
  name: string;
  value: number;
  noise?: number;
}

/** What a group of figures is measured with. */
export interface Bench {
  /** Measurements of each thing, interleaved with those it is compared to. */
  rounds: number;
  /** Length of a track. */
  seconds: number;
  /** Share of their full size that archives of gigabytes are made in: 1, or less for a try. */
  size: number;
  /** An empty folder for this run; it is removed afterwards. */
  folder: string;
  /** The page in which the app's own workers run: `page.evaluate((argument) => window.bench.name(argument), argument)`. */
  page: Page;
  /** Where files of `folder` are served for the page to fetch: `${files}/name`. */
  files: string;
  /** CPU seconds that the browser, all of its processes together, has used so far. */
  browserCpu(): number;
  /** Bytes that the browser's processes hold now that nobody else holds (RSS without what is shared). */
  browserMemory(): number;
}

/** Figures that are measured together; one file each in this folder, named in `groups.ts`. */
export interface Group {
  name: string;
  run(bench: Bench): Promise<Figure[]>;
}
