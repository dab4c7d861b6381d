/** Puts what the reading of an opened folder leaves open to the person's model, where their music's doubts go too. */
import type { CancelSignal } from '#core/agent/llm/provider.ts';
import { failure } from '#core/errors.ts';
import type { PlanService } from '#core/plan/plan-service.ts';
import type { Clock, Ids } from '#core/ports.ts';
import { fail, ok, type Result } from '#core/result.ts';
import type { AskedDoubt } from '#core/video/agent/ask-folder.ts';
import type { FolderDoubt } from '#core/video/agent/doubt.ts';
import type { Timers } from '../../http/socket.ts';
import type { AccessionDb } from '../db.ts';
import type { ModelOpener } from '../llm/model-opener.ts';
import { folderMedia } from './folder-media.ts';
import { filesOf, type Folder } from './open-folder.ts';
import type { Advice, AskProgress, FolderAdvice } from './model-advice.types.ts';
import type { Read } from './read-room.ts';
import { replicaShows } from './replica-shows.ts';

export interface AskDeps {
  db: AccessionDb;
  clock: Clock;
  timers: Timers;
  ids: Ids;
  models: () => Promise<ModelOpener>;
}

export interface AskedRoom {
  folder: Folder;
  read: Read;
  plans: PlanService;
}

/** Fails where no model is set or the model cannot be opened; a model that fails later says so in the advice. */
export async function askRoom(
  { db, clock, timers, ids, models: open }: AskDeps,
  { folder, read, plans }: AskedRoom,
  signal: CancelSignal,
  heard: (progress: AskProgress) => void,
): Promise<Result<FolderAdvice>> {
  const { mediaFolderPath } = folder;
  const models = await open();
  const model = await models.model();
  if (model === null) return fail(failure('model_missing', 'No model is set.'));
  heard({ stage: 'opening' });
  try {
    const opened = await model.open(signal);
    if (signal.aborted) return ok({ model: model.model, items: [], stopped: true, failure: null });
    if (!opened.ok) return opened;
    // What the asking is made of is fetched now: who never asks pays nothing for it.
    const [{ askAboutFolder, failureOf }, { sha256, wait }] = await Promise.all([
      import('#core/video/agent/ask-folder.ts'),
      import('../../llm/executor-ports.ts'),
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
            media: folderMedia(folder),
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
          heard({ stage: 'asking', at, question: doubt.question, path: pathOf(doubt, mediaFolderPath) }),
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
    // The music's own may be loaded beside it: memory is not kept for a question that is over.
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
