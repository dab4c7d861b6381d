import type { ChangesPage } from '#lanes/music/core/catalog.ts';

export interface Query {
  text: string;
  duration_ms: number | null;
}

/** What the page asks its worker for; each in a worker of its own. */
export type Order =
  | { do: 'store'; tracks: number }
  | { do: 'open' }
  | { do: 'search'; queries: Query[] }
  | { do: 'delta'; pages: ChangesPage[] }
  | { do: 'first'; from: 'snapshot' | 'feed' }
  | { do: 'compare'; titles: string[]; queries: Query[] };

/** Milliseconds by name; of a search, of each query. */
export type Report = Record<string, number | number[]>;
