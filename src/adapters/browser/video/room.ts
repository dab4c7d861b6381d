/**
 * The Video page's work, behind the door of video.worker: one folder is open at a time.
 *
 *   open -> read (again with answers) -> decide -> preview (again with every change) -> rename -> undo
 */
import { AccessionError, failure, toFailure } from '#core/errors.ts';
import { createPlanService, type PlanService } from '#core/plan/plan-service.ts';
import { fail, ok, type Result } from '#core/result.ts';
import { openDoubts } from '#core/video/agent/open-doubts.ts';
import { leftOut, recognizedFiles } from '#core/video/offer.ts';
import type { RecognisedFile } from '#core/video/folder-reading.ts';
import { dexiePlanStore } from '../plan-store.ts';
import { askRoom } from './ask-room.ts';
import { openFolder, type Folder } from './open-folder.ts';
import { listShows, readOpened, sayingsOf, type Read } from './read-room.ts';
import { planFiles, previewOf, type Draft } from './rename-draft.ts';
import { recoverFolders } from './recover-folders.ts';
import { runRename, runUndo } from './rename-runs.ts';
import type { RoomDeps } from './room.types.ts';
import type { FolderRead, ReadAnswers, VideoApi } from './video-api.types.ts';

/** Who decided, as the history says it. */
const BY_PERSON = 'You, in this browser';
/** Who made a plan, as the history says it. */
const BY_APP = 'Accession';

interface State {
  folder: Folder;
  read: Read;
  planId: string | null;
  leftOut: Record<string, string>;
  draft: Draft | null;
}

export function createVideoRoom(deps: RoomDeps): VideoApi {
  let state: State | null = null;
  let cancel = { aborted: false };
  let asking = new AbortController();

  const store = dexiePlanStore(deps.db);
  const service: PlanService = createPlanService({
    store,
    clock: deps.clock,
    ids: deps.ids,
    folders: {
      open: (path) => Promise.resolve(state?.folder.mediaFolderPath === path ? state.folder.listed : null),
    },
    planPath: (id) => `plans/${id}.plan.json`,
    // The page that asked shows it; other tabs see it in the database.
    ready: () => undefined,
  });

  const opened = (): State => {
    if (state !== null) return state;
    throw new AccessionError(
      failure('not_found', 'No folder is open.', { remedy: 'Open the folder again: the page was loaded anew.' }),
    );
  };

  /** Reads what is listed, and offers it as a plan instead of the one that was offered before. */
  async function recognise(folder: Folder, answers: ReadAnswers, before: string | null): Promise<FolderRead> {
    // What the model says of the former reading is of no interest any more.
    asking.abort();
    const read = await readOpened(deps.db, folder, answers);
    const sizes = new Map(folder.entries.map(({ path, size }) => [path, size]));
    const out = leftOut(read.reading, sizes);
    const offered = read.reading.files.filter(({ path }) => !out.has(path));
    state = { folder, read, planId: null, leftOut: Object.fromEntries(out), draft: null };
    const files = recognizedFiles(offered, folder.mediaFolderPath);
    const said = sayingsOf(read.reading.files, folder.mediaFolderPath);
    if (before !== null && files.length > 0) {
      await service.replaceFiles(before, files, said);
      state.planId = before;
    } else if (before !== null) await service.update(before, 'rejected', BY_APP);
    else if (files.length > 0) {
      const wanted = { task: 'recognize-media-file' as const, mediaFolderPath: folder.mediaFolderPath, files, said };
      const kept = await service.propose({ ...wanted, notes: notesOf(offered, folder.mediaFolderPath) }, BY_APP);
      state.planId = kept.plan.id;
    }
    return answerOf(state);
  }

  return {
    open: (source, heard) =>
      tried(async () => {
        const options = { db: deps.db, ids: deps.ids, now: () => deps.clock.now(), platform: deps.platform };
        const folder = await openFolder(source, options, heard);
        // What was offered before and not decided, nobody can decide any more: of another folder, or of this one earlier.
        for (const { plan, state: about } of await service.pending('recognize-media-file'))
          if (about.created_by === BY_APP) await leave(service, plan.id);
        return recognise(folder, {}, null);
      }),
    read: (answers) =>
      tried(async () => {
        const { folder, planId } = opened();
        return recognise(folder, answers, planId);
      }),
    ask: (heard) =>
      answered(() => {
        const { folder, read } = opened();
        asking.abort();
        asking = new AbortController();
        return askRoom(deps, { folder, read, plans: service }, asking.signal, heard);
      }),
    stopAsking: () => {
      asking.abort();
      return Promise.resolve();
    },
    shows: (words) => tried(() => listShows(deps.db, words)),
    decide: (status, rows) =>
      tried(async () => {
        const { folder, planId } = opened();
        const files = recognizedFiles(rows, folder.mediaFolderPath);
        const said = sayingsOf(rows, folder.mediaFolderPath);
        const notes = notesOf(rows, folder.mediaFolderPath);
        let id = planId;
        if (status === 'completed' && id !== null) {
          await service.replaceFiles(id, files, said);
          await service.note(id, notes);
        } else if (status === 'completed') {
          const wanted = { task: 'recognize-media-file' as const, mediaFolderPath: folder.mediaFolderPath };
          id = (await service.propose({ ...wanted, files, said, notes }, BY_PERSON)).plan.id;
        }
        if (id !== null) await service.update(id, status, BY_PERSON);
        opened().planId = null;
        return true as const;
      }),
    preview: (wish) =>
      tried(async () => {
        const now = opened();
        const { draft, preview } = await previewOf(
          now.folder,
          now.read.show,
          wish,
          now.draft?.plan.id ?? deps.ids.next(),
        );
        now.draft = draft;
        return preview;
      }),
    rename: (hash, heard) =>
      tried(async () => {
        const now = opened();
        cancel = { aborted: false };
        const run = { deps, store, folder: now.folder, draft: now.draft, hash, by: BY_PERSON, heard, cancel };
        const outcome = await runRename(run);
        // What was previewed is done or over: the next preview is another plan.
        now.draft = null;
        return outcome;
      }),
    cancel: () => {
      cancel.aborted = true;
      return Promise.resolve();
    },
    undo: (planId, heard) => tried(() => runUndo(deps, planId, BY_PERSON, heard)),
    recover: (giveUp) => tried(() => recoverFolders(deps, store, BY_APP, giveUp)),
    planFiles: (hash) => tried(() => Promise.resolve(planFiles(opened().folder, opened().draft, hash))),
  };
}

function answerOf({ folder, read, planId, leftOut: out }: State): FolderRead {
  const { id, name, mediaFolderPath, files } = folder;
  const doubts = openDoubts(read.reading, read.shows);
  return { id, name, mediaFolderPath, files, reading: read.reading, leftOut: out, planId, doubts };
}

function notesOf(
  rows: readonly RecognisedFile[],
  folder: string,
): Record<string, { confidence: number; reasons: string[] }> {
  const episodes = rows.filter((row) => row.class === 'episode');
  return Object.fromEntries(
    episodes.map(({ path, confidence, reasons }) => [`${folder}/${path}`, { confidence, reasons }]),
  );
}

async function leave(service: PlanService, planId: string): Promise<void> {
  try {
    await service.update(planId, 'rejected', BY_APP);
  } catch {
    // It was decided meanwhile, in another tab.
  }
}

/** What crosses to the page keeps its code. */
const tried = <T>(work: () => Promise<T>): Promise<Result<T>> => answered(async () => ok(await work()));

async function answered<T>(work: () => Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await work();
  } catch (thrown) {
    return fail(toFailure(thrown));
  }
}
