/** What guides at work need of this browser. */
import type { AccessionDb } from '#adapters/browser/db.ts';
import { readSettings } from '#adapters/browser/settings.ts';
import type { AgentModel } from '#core/agent/workflow/ports.ts';
import type { Clock, Ids } from '#core/ports.ts';
import type { GuideAppPorts } from '#lanes/guide/core/app/guide-app.ts';
import { deriveGuide } from '#lanes/guide/core/app/derive-guide.ts';
import type { GuideWorld } from '#lanes/guide/core/app/tool-sources.ts';
import { ShowIndex, type ShowCatalog } from '#lanes/guide/core/repair/show-catalog.ts';
import { askModel } from '#lanes/guide/core/run/question.ts';
import type { GuideVideo } from '#lanes/guide/core/schedule/xmltv.ts';

/** What the worker brings. */
export interface GuideMachine {
  db: AccessionDb;
  clock: Clock;
  ids: Ids;
  /** This worker, as runs know who drives them. */
  owner: string;
  /** Shows of this browser's copy of the catalog. */
  shows(): Promise<ShowCatalog['shows']>;
  /** Recognised videos. */
  videos(): Promise<GuideVideo[]>;
  /** Calls back with each change of the recognised videos, and once at the begin. */
  onVideos(changed: () => void): void;
  /** The model of the settings; null where none is set. */
  model(): Promise<AgentModel | null>;
  /** Whether a worker of this name lives. */
  lives(owner: string): Promise<boolean>;
  /** Holds the lock of this name until the worker ends; comes back when it has it. */
  hold(name: string): Promise<void>;
  /** Runs the work while no other tab does work of this name. */
  alone<T>(name: string, work: () => Promise<T>): Promise<T>;
  wait(milliseconds: number): Promise<void>;
}

type Kept = Pick<GuideAppPorts, 'store' | 'runs' | 'archive'>;

export function guidePorts(machine: GuideMachine, kept: Kept): GuideAppPorts {
  const { db, clock, ids, owner, wait } = machine;
  const nothing = (why: string) => ({ changed: 0, diff: [], skipped: [{ where: '', field: '', why }] });
  const world: GuideWorld = {
    async shows() {
      const shows = await machine.shows();
      return shows.length === 0 ? null : new ShowIndex({ shows });
    },
    refresh: () =>
      Promise.resolve(nothing('No media server is set up in a browser; its copy of the catalog follows the server.')),
    probe: async () => Array.isArray(await machine.shows()),
    mismatch: () => Promise.resolve(false),
    // Of two tabs the one with the former rows would end last, and the marks say that nothing is to be done.
    derive: () =>
      machine.alone('accession-guide-derive', () =>
        deriveGuide({
          ...{ store: kept.store, videos: () => machine.videos(), now: clock.now() },
          kept: {
            read: () => readMarks(db),
            write: async (value) => void (await db.guide_state.put({ key: DERIVED, value })),
          },
        }),
      ),
  };
  return {
    ...{ ...kept, clock, ids, owner, wait, world },
    settings: () => readSettings(db),
    async signs() {
      const { guide_containment: containment } = await readSettings(db);
      return { containment, restarts: await readRestarts(db), pool: null };
    },
    async ask(question) {
      const model = await machine.model();
      const opened = await model?.open();
      if (model === null || opened?.ok !== true) return null;
      const { temperature, timeoutMs } = model.options;
      return askModel(opened.value, question, { temperature, timeoutMs });
    },
    // The page reads what was written (run-store.ts), and the failures themselves.
    ...{ said: () => undefined, log: () => undefined },
  };
}

/** Workers that died at a run, and were begun again: when. */
export async function readRestarts(db: AccessionDb): Promise<number[]> {
  const value = (await db.guide_state.get('restarts'))?.value;
  return Array.isArray(value) ? value.filter((at): at is number => typeof at === 'number') : [];
}

const DERIVED = 'derived';

/** What each channel of ours came to last. */
async function readMarks(db: AccessionDb): Promise<Record<string, string>> {
  const value: unknown = (await db.guide_state.get(DERIVED))?.value;
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((mark): mark is [string, string] => typeof mark[1] === 'string'),
  );
}

const MOST_RESTARTS = 20;

export async function noteRestart(db: AccessionDb, at: number): Promise<void> {
  await db.transaction('rw', db.guide_state, async () => {
    await db.guide_state.put({ key: 'restarts', value: [...(await readRestarts(db)), at].slice(-MOST_RESTARTS) });
  });
}
