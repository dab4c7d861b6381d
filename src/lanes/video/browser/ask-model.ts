/** Puts what the reading of an opened folder leaves open to the person's model, which answers doubts of every lane. */
import type { CancelSignal } from '#core/cancel.ts';
import { failure } from '#core/errors.ts';
import type { PlanToolContext } from '#core/plan/plan-tools.ts';
import type { Clock, Ids } from '#core/ports.ts';
import { fail, ok, type Result } from '#core/result.ts';
import type { AskedDoubt } from '#lanes/video/core/agent/ask-folder.ts';
import type { FolderDoubt } from '#lanes/video/core/agent/doubt.ts';
import type { ShowSource } from '#lanes/video/core/agent/video-tools.ts';
import { foundEpisodes } from '#lanes/video/core/show-catalog.ts';
import type { Timers } from '#adapters/http/socket.ts';
import type { AccessionDb } from '#adapters/browser/db.ts';
import { readShowState } from '#adapters/browser/meta.ts';
import type { ModelOpener } from '#adapters/browser/llm/model-opener.ts';
import { filesOf, type Folder } from '#adapters/browser/plans/open-folder.ts';
import { lookIntoFolder } from '#lanes/video/media/look-into.ts';
import type { Read } from './read-opened.ts';
import { findShows, showById } from './shows.ts';
import type { Advice, AskProgress, FolderAdvice } from './video-api.types.ts';

export interface AskDeps {
  db: AccessionDb;
  clock: Clock;
  timers: Timers;
  ids: Ids;
  models: () => Promise<ModelOpener>;
}

export interface AskedFolder {
  folder: Folder;
  read: Read;
  plans: PlanToolContext['plans'];
}

/** Fails where no model is set or the model cannot be opened; a model that fails later says so in the advice. */
export async function askModel(
  { db, clock, timers, ids, models: open }: AskDeps,
  { folder, read, plans }: AskedFolder,
  signal: CancelSignal,
  progress: (now: AskProgress) => void,
): Promise<Result<FolderAdvice>> {
  const { mediaFolderPath } = folder;
  const models = await open();
  const model = await models.model();
  if (model === null) return fail(failure('model_missing', 'No model is set.'));
  progress({ stage: 'opening' });
  try {
    const opened = await model.open(signal);
    if (signal.aborted) return ok({ model: model.model, items: [], stopped: true, failure: null });
    if (!opened.ok) return opened;
    // What the asking is made of is fetched now: who never asks pays nothing for it.
    const [{ askAboutFolder, failureOf }, { sha256, wait }] = await Promise.all([
      import('#lanes/video/core/agent/ask-folder.ts'),
      import('#adapters/llm/executor-ports.ts'),
    ]);
    const { asked } = await askAboutFolder(
      { mediaFolderPath, files: filesOf(folder.entries), shows: read.shows, answers: read.answers },
      {
        executor: {
          provider: opened.value,
          context: {
            plans,
            folders: { open: (path) => Promise.resolve(path === mediaFolderPath ? folder.listed : null) },
            shows: await replicaShows(db),
            media: lookIntoFolder(folder),
            by: `${opened.value.name}/${opened.value.model}`,
          },
          clock,
          sha256,
          wait: (milliseconds, stop) => wait(timers, milliseconds, stop),
          signal,
        },
        options: model.options,
        ids,
        strategy: model.strategy,
        // The same folder is put in the same words each time.
        seed: parseInt((await sha256(mediaFolderPath)).slice(0, 7), 16),
        asking: (doubt, at) =>
          progress({ stage: 'asking', at, question: doubt.question, path: pathOf(doubt, mediaFolderPath) }),
      },
    );
    const stopped = signal.aborted;
    const failed = asked.flatMap(({ workflow }) => failureOf(workflow) ?? [])[0] ?? null;
    const answered = asked.filter(
      ({ workflow, answer }) => answer !== null || (!stopped && failureOf(workflow) === null),
    );
    return ok({
      model: opened.value.model,
      items: answered.map((one) => adviceOf(one, mediaFolderPath)),
      stopped,
      failure: stopped ? null : failed,
    });
  } finally {
    // Another lane's own may be loaded beside it: memory is not kept for a question that is over.
    await models.close();
  }
}

function adviceOf({ doubt, answer, why, refused }: AskedDoubt, mediaFolderPath: string): Advice {
  const { kind, question } = doubt;
  const path = pathOf(doubt, mediaFolderPath);
  const option = doubt.options.find(({ id }) => id === answer?.option_id);
  const proposal =
    option === undefined ? null : { id: option.id, label: option.label, place: placeOf(kind, option.id) };
  return { kind, question, path, proposal, why, refused };
}

/** `1x05`, of a file. */
function placeOf(kind: FolderDoubt['kind'], id: string): { season: number; episode: number } | null {
  const [season, episode] = id.split('x').map(Number);
  return kind === 'which-episode' && season !== undefined && episode !== undefined ? { season, episode } : null;
}

function pathOf({ kind, files }: FolderDoubt, mediaFolderPath: string): string | null {
  return kind === 'which-episode' ? (files[0]?.path.slice(mediaFolderPath.length + 1) ?? null) : null;
}

/** At most so many shows are found for a tool. */
const MOST_FOUND = 8;

/** The offline copy of the shows, as tools look at it. */
async function replicaShows(db: AccessionDb): Promise<ShowSource> {
  const { cursor } = await readShowState(db);
  return {
    find: async (words) =>
      (await findShows(db, words, MOST_FOUND)).map(({ show: { id, title, year } }) => ({ id, title, year })),
    episodes: async (showId, season) => {
      const show = await showById(db, showId);
      return show === null ? null : foundEpisodes(show, season);
    },
    cursor: () => cursor ?? 'none',
  };
}
