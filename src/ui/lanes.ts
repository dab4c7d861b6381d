/** The lanes that this build has, as the pages see them. The root layout sets them before the first page is drawn. */
import type { Load } from '@sveltejs/kit';
import type { Drawn, LaneQuestions, LaneSettings, LaneTraces, LanePage, LaneUi } from './lane-ui.ts';

interface Loaded {
  questions: LaneQuestions;
  traces: LaneTraces;
  settings: LaneSettings;
}

let lanes: readonly LaneUi[] = [];
/** By lane, so that setting the same lanes again (a link that is pointed at has its page loaded) loses none of them. */
const loaded: { [Part in keyof Loaded]: WeakMap<LaneUi, Loaded[Part]> } = {
  questions: new WeakMap(),
  traces: new WeakMap(),
  settings: new WeakMap(),
};

/** In the order of the rail. The first one owns rows that were stored before rows named their lane. */
export function setLanes(all: readonly LaneUi[]): void {
  lanes = all;
}

export const allLanes = (): readonly LaneUi[] => lanes;

/** The lane of a job or a review; undefined where this build does not have it. */
export function laneOf(row: object): LaneUi | undefined {
  const id = 'lane' in row && typeof row.lane === 'string' ? row.lane : lanes[0]?.id;
  return lanes.find((lane) => lane.id === id);
}

/** Loads a part of every lane; after that `partOf` and `partsOf` have it. What failed is tried again by the next call. */
export async function loadParts(part: keyof Loaded): Promise<void> {
  await Promise.all(
    lanes.map(async (lane) => {
      const known: WeakMap<LaneUi, LaneQuestions | LaneTraces | LaneSettings> = loaded[part];
      if (!known.has(lane)) known.set(lane, (await lane[part]?.()) ?? {});
    }),
  );
}

/** What a page loads that shows this part. */
export function withParts(part: keyof Loaded): Load {
  return async ({ parent }) => {
    await parent();
    await loadParts(part);
  };
}

/** The part of the row's lane; an empty one where the lane is not known or gives none. */
export function partOf<Part extends keyof Loaded>(part: Part, row: object): Partial<Loaded[Part]> {
  const lane = laneOf(row);
  return (lane && loaded[part].get(lane)) ?? {};
}

export function partsOf<Part extends keyof Loaded>(part: Part): Loaded[Part][] {
  return lanes.flatMap((lane) => loaded[part].get(lane) ?? []);
}

/** How to load the page at a path below the origin; null where no lane has one. */
export function findPage(path: string, query: URLSearchParams): (() => Promise<Drawn>) | null {
  const parts = path.split('/').map(decoded);
  const pages = lanes.flatMap((lane) => lane.pages ?? []);
  // A path without parameters is meant before one with.
  for (const page of pages.toSorted((a, b) => paramsIn(a) - paramsIn(b))) {
    const params = matched(page.path.split('/'), parts);
    if (params !== null) return () => page.load(params, query);
  }
  return null;
}

const paramsIn = ({ path }: LanePage): number => path.split('[').length;

function matched(pattern: readonly string[], parts: readonly string[]): Record<string, string> | null {
  if (pattern.length !== parts.length) return null;
  const params: Record<string, string> = {};
  for (const [at, wanted] of pattern.entries()) {
    const part = parts[at] ?? '';
    if (wanted.startsWith('[')) params[wanted.slice(1, -1)] = part;
    else if (wanted !== part) return null;
  }
  return params;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
