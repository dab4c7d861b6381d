/**
 * The Video page's work, behind the RPC interface of video.worker: one folder is open at a time.
 *
 *   open -> read (again with answers) -> decide -> preview (again with every change) -> rename -> undo
 *
 * Each action reads facts (folder, catalog, stored plans), decides by pure functions, and applies that once.
 */
import { openFolder, type Folder, type FolderPorts } from '#adapters/browser/plans/open-folder.ts';
import { dexiePlanStore } from '#adapters/browser/plans/plan-store.ts';
import { planFiles, shownDraft, type RenameDraft } from '#adapters/browser/plans/rename-draft.ts';
import { recoverFolders, runRename, runUndo } from '#adapters/browser/plans/rename-runs.ts';
import { failed } from '#core/errors.ts';
import { createPlanService, type PlanService } from '#core/plan/plan-service.ts';
import { answered, tried } from '#core/result.ts';
import { openDoubts } from '#lanes/video/core/agent/make-doubts.ts';
import { leftOut, offerOf, type Offer, videoPlans, type VideoKind } from '#lanes/video/core/plan-kinds.ts';
import { laidOver, showOf } from '#lanes/video/core/records/lay-over.ts';
import { exportOf, type VideoRecord } from '#lanes/video/core/records/video-record.ts';
import type { AccessionDb } from '#adapters/browser/db.ts';
import type { RecognisedFile } from '#lanes/video/core/folder-reading.ts';
import { askModel, type AskDeps } from './ask-model.ts';
import { confirmRecognition, isRecorded } from './confirm-recognition.ts';
import {
  allRecords,
  followElsewhere,
  followRenames,
  recordsOf,
  rootOf,
  rootsWithRecords,
  takeBackPlan,
} from './records.ts';
import { showById } from './shows.ts';
import { listShows, readOpened, type Read } from './read-opened.ts';
import { previewOf } from './rename-preview.ts';
import type { FolderRead, ReadAnswers, VideoApi } from './video-api.types.ts';

/** What a reading of the folder, or the person's word, does to its recognition plan: decided here, applied once. */
type PlanChange = { do: 'propose' | 'replace'; offer: Offer } | { do: 'reject' } | { do: 'confirm' };

/** The folder was read: its plan is offered anew, or taken back where nothing is to be offered. */
function afterReading(isOffered: boolean, offer: Offer, recorded: boolean): PlanChange[] {
  if (offer.files.length > 0 && !recorded) return [{ do: isOffered ? 'replace' : 'propose', offer }];
  return isOffered ? [{ do: 'reject' }] : [];
}

/** The person confirmed the files as they left them (`offer`), or rejected the plan. */
function afterDecision(isOffered: boolean, status: 'completed' | 'rejected', offer: Offer): PlanChange[] {
  if (status === 'completed') return [{ do: isOffered ? 'replace' : 'propose', offer }, { do: 'confirm' }];
  return isOffered ? [{ do: 'reject' }] : [];
}

interface PlanOwner {
  service: PlanService<VideoKind>;
  mediaFolderPath: string;
  /** Of the plan that waits; null where none does. */
  planId: string | null;
  /** PLAN-90: completes the plan and writes down what it says. */
  confirm(planId: string): Promise<unknown>;
}

/** @returns the id of the plan that waits afterwards; null where none does */
async function applyChanges(
  { service, mediaFolderPath, planId, confirm }: PlanOwner,
  changes: readonly PlanChange[],
  by: string,
): Promise<string | null> {
  let id = planId;
  for (const change of changes) {
    if (change.do === 'propose') {
      const plan = { task: 'recognize-media-file', mediaFolderPath, source: 'rules', ...change.offer } as const;
      const kept = await service.propose(plan, by);
      id = kept.plan.id;
    } else if (id !== null && change.do === 'replace') {
      await service.replaceFiles(id, change.offer.files, change.offer.hintOf);
      await service.note(id, change.offer.notes);
    } else if (id !== null) {
      await (change.do === 'reject' ? service.update(id, 'rejected', by) : confirm(id));
      id = null;
    }
  }
  return id;
}

/** Who decided, as the history says it. */
const BY_PERSON = 'You, in this browser';
/** Who made a plan, as the history says it. */
const BY_APP = 'Accession';

interface State {
  folder: Folder;
  /** Its reading with what is recorded of the files laid over it. */
  read: Read;
  /** By path below the folder. */
  records: ReadonlyMap<string, VideoRecord>;
  planId: string | null;
  leftOut: Record<string, string>;
  draft: RenameDraft | null;
}

const NOTHING: ReadonlyMap<string, string> = new Map();

/** Read beside the show that the folder was confirmed as, unless the person says another now. */
async function asRecorded(
  db: AccessionDb,
  records: ReadonlyMap<string, VideoRecord>,
  answers: ReadAnswers,
): Promise<ReadAnswers> {
  const show = showOf([...records.values()])?.id ?? null;
  if (show === null || answers.chosen !== undefined || answers.show !== undefined) return answers;
  return (await showById(db, show)) === null ? answers : { ...answers, chosen: show };
}

export function createVideoService(given: FolderPorts & AskDeps): VideoApi {
  const deps = { ...given, neededFolders: () => rootsWithRecords(given.db) };
  let state: State | null = null;
  let cancel = { aborted: false };
  let asking = new AbortController();

  const store = dexiePlanStore(deps.db, videoPlans);
  const service = createPlanService(videoPlans, {
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
    throw failed('not_found', 'No folder is open.', { remedy: 'Open the folder again: the page was loaded anew.' });
  };

  /** Reads what is listed, and offers it as a plan in the place of the one that was offered before. */
  async function recognise(folder: Folder, answers: ReadAnswers, before: string | null): Promise<FolderRead> {
    // What the model says of the former reading is of no interest any more.
    asking.abort();
    const { mediaFolderPath, entries } = folder;
    if (folder.id !== null) await followRenames(deps.db, folder.id);
    await followElsewhere(deps.db, folder);
    const records = await recordsOf(deps.db, folder);
    const fresh = await readOpened(deps.db, folder, await asRecorded(deps.db, records, answers));
    const read = { ...fresh, reading: laidOver(fresh.reading, records) };
    const out = leftOut(read.reading, new Map(entries.map(({ path, size }) => [path, size])));
    const offer = offerOf(read.reading.files, mediaFolderPath, out);
    const now: State = { folder, read, records, planId: null, leftOut: Object.fromEntries(out), draft: null };
    state = now;
    const changes = afterReading(before !== null, offer, isRecorded(read.reading.files, out, records));
    now.planId = await applyChanges(ownerOf(now, before, BY_APP), changes, BY_APP);
    return answerOf(now);
  }

  /** @param rows as the person left them */
  function ownerOf(now: State, planId: string | null, by: string, rows: readonly RecognisedFile[] = []): PlanOwner {
    const { folder, read } = now;
    const confirming = { db: deps.db, store, ids: deps.ids, folder, read, rows, by };
    return {
      service,
      mediaFolderPath: folder.mediaFolderPath,
      planId,
      confirm: (id) => confirmRecognition({ ...confirming, planId: id, now: deps.clock.now() }),
    };
  }

  /** Records follow what was renamed, or named as before, in every folder that is known here. */
  async function followAll(): Promise<void> {
    for (const root of await deps.db.rename_journals.orderBy('root').uniqueKeys())
      await followRenames(deps.db, String(root));
  }

  /** What was offered before and not decided, nobody can decide any more: of another folder, or of this one earlier. */
  async function leaveOffered(): Promise<void> {
    for (const { plan, state: about } of await service.pending('recognize-media-file')) {
      if (about.created_by !== BY_APP) continue;
      await service.update(plan.id, 'rejected', BY_APP).catch(() => {
        // It was decided meanwhile, in another tab.
      });
    }
  }

  return {
    open: (source, progress) =>
      answered(async () => {
        const folder = await openFolder(source, deps, progress);
        await leaveOffered();
        return recognise(folder, {}, null);
      }),
    read: (answers) =>
      answered(async () => {
        const { folder, planId } = opened();
        return recognise(folder, answers, planId);
      }),
    ask: (progress) =>
      tried(() => {
        const { folder, read } = opened();
        asking.abort();
        asking = new AbortController();
        return askModel(deps, { folder, read, plans: service }, asking.signal, progress);
      }),
    stopAsking: () => {
      asking.abort();
      return Promise.resolve();
    },
    shows: (words) => answered(() => listShows(deps.db, words)),
    decide: (status, rows) =>
      answered(async () => {
        const now = opened();
        const isOffered = now.planId !== null;
        // What is recorded so already needs no second word.
        if (status === 'completed' && !isOffered && isRecorded(rows, NOTHING, now.records)) return true as const;
        const changes = afterDecision(isOffered, status, offerOf(rows, now.folder.mediaFolderPath));
        now.planId = await applyChanges(ownerOf(now, now.planId, BY_PERSON, rows), changes, BY_PERSON);
        now.records = await recordsOf(deps.db, now.folder);
        return true as const;
      }),
    preview: (wish) =>
      answered(async () => {
        const now = opened();
        const id = now.draft?.plan.id ?? deps.ids.next();
        const { draft, preview } = await previewOf(now.folder, now.read.show, wish, id);
        now.draft = draft;
        return preview;
      }),
    rename: (hash, progress) =>
      answered(async () => {
        const now = opened();
        cancel = { aborted: false };
        const run = { ports: deps, store, folder: now.folder, by: BY_PERSON, progress, cancel };
        const outcome = await runRename({ ...run, draft: shownDraft(now.draft, hash) });
        await followAll();
        // What was previewed is done or over: the next preview is another plan.
        now.draft = null;
        return outcome;
      }),
    cancel: () => {
      cancel.aborted = true;
      return Promise.resolve();
    },
    undo: (planId, progress) =>
      answered(async () => {
        const outcome = await runUndo(deps, planId, BY_PERSON, progress);
        await followAll();
        return outcome;
      }),
    takeBack: (planId) =>
      answered(() => takeBackPlan(deps.db, store, { planId, by: BY_PERSON, now: deps.clock.now() })),
    records: (which) =>
      answered(async () => {
        const root = which === 'folder' ? rootOf(opened().folder) : undefined;
        return exportOf(await allRecords(deps.db, root), deps.clock.now());
      }),
    recover: (giveUp) =>
      answered(async () => {
        const recovered = await recoverFolders(deps, store, BY_APP, giveUp);
        await followAll();
        return recovered;
      }),
    planFiles: (hash) => answered(() => Promise.resolve(planFiles(opened().folder, shownDraft(opened().draft, hash)))),
  };
}

function answerOf({ folder, read, records, planId, leftOut: out }: State): FolderRead {
  const { id, name, mediaFolderPath, files } = folder;
  const doubts = openDoubts(read.reading, read.shows);
  const confirmed = [...records.values()].map(({ confirmed_at }) => confirmed_at);
  const recorded = confirmed.length === 0 ? null : { files: confirmed.length, at: Math.max(...confirmed) };
  return { id, name, mediaFolderPath, files, reading: read.reading, leftOut: out, planId, doubts, recorded };
}
