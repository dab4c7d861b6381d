/**
 * The page's own connection to IndexedDB, and what the workers tell all pages beside it. Pages read; only `settings`,
 * the token, notes of drops and lines about them are written from here.
 */
import { countOfAny, inIndex, keysOfAny, rowsOfAny } from '#adapters/browser/any-of.ts';
import { loadOnce } from '#core/load-once.ts';
import { readStorageLoss, type StorageLoss } from '#adapters/browser/blobs/storage-loss-row.ts';
import type { AgentState } from '#core/run/agent-state.ts';
import type { DroppedFile, ReplicaState, ServerFacts, SyncState } from '#adapters/browser/api.ts';
import { watchDatabase } from '#adapters/browser/database-watch.ts';
import type { AccessionDb } from '#adapters/browser/db.ts';
import { noteDrop, type DropNote } from '#adapters/browser/drop-notes.ts';
import type { LostDrops } from '#adapters/browser/lost-drops.ts';
import { takeBackWithPage } from '#adapters/browser/end-with-page.ts';
import {
  readAgentState,
  readPlansAnnounced,
  readReplicaState,
  readServerFacts,
  readShowState,
  readSyncState,
  type ShowState,
} from '#adapters/browser/meta.ts';
import { readPaused } from '#adapters/browser/job-store.ts';
import { forgetSent, readSent, writeSent, type SentRow } from '#adapters/browser/sent-rows.ts';
import { isSet, readSettings, updateSetting, writeSetting, writeSettings } from '#adapters/browser/settings.ts';
import { hearProgress } from '#adapters/browser/progress.ts';
import { readLog } from '#adapters/browser/step-rows.ts';
import { takeTokenFromAddress } from '#adapters/browser/token.ts';
import { readUploadsRest, readUploadsState, type UploadsState } from '#adapters/browser/uploads/state.ts';
import type { Settings } from '#core/config.ts';

export { countOfAny, hearProgress, inIndex, keysOfAny, readLog, rowsOfAny };

/**
 * For as long as the page is shown. The page of drops is drawn before it is there (`openDatabase`): what is called while a
 * page is drawn waits for `databaseOpened`, as every `Live` does.
 */
export let db: AccessionDb;
let isOpen = false;
const opened = Promise.withResolvers<undefined>();

export const databaseOpened: Promise<unknown> = opened.promise;

let quiet = (): Promise<void> => Promise.resolve();
/** Resolves when this page has nothing open in the database. */
export const databaseIsQuiet = (): Promise<void> => quiet();

export function setDatabase(database: AccessionDb, page?: Window): void {
  db = database;
  if (page) quiet = takeBackWithPage(database, page);
  isOpen = true;
  opened.resolve(undefined);
}

/** At once where it is there. */
export function whenOpen(run: () => void, failed: (thrown: unknown) => void): void {
  if (isOpen) run();
  else databaseOpened.then(run, failed);
}

let load: (() => Promise<AccessionDb>) | null = null;

/** How it is loaded, with the tables of all lanes: said once, before anything is drawn (src/hooks.client.ts). */
export function databaseFrom(loader: () => Promise<AccessionDb>): void {
  load = loader;
}

/** Loads and opens it, once. */
export const openDatabase = loadOnce(async (): Promise<void> => {
  try {
    if (load === null) throw new Error('nobody said how the database is loaded');
    setDatabase(await load(), window);
  } catch (thrown) {
    opened.reject(thrown);
    throw thrown;
  }
});

/** Tells `say` whenever the database stops answering (false) or answers again (true). */
export function onAnswersChange(say: (answers: boolean) => void): void {
  watchDatabase({
    // Of the table that every step of the work reads or writes.
    read: () => db.meta.limit(1).primaryKeys(),
    say,
    after: (ms, run) => {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
  });
}

/** What the browser took away, until the person has read it. */
export const storageLossRow = (): Promise<StorageLoss | null> => readStorageLoss(db);

/** Lines about what went to a lane of its own (sent-rows.ts). */
export const sentRows = (): Promise<SentRow[]> => readSent(db);
export const keepSentRow = (row: SentRow): Promise<void> => writeSent(db, row);
export const forgetSentRow = (id: string): Promise<void> => forgetSent(db, id);

/** Notes what is dropped until it is taken in. */
export function noteDropRow(paths: readonly string[]): DropNote {
  const note = (): DropNote => noteDrop(db, { id: crypto.randomUUID(), at: Date.now(), paths }, navigator.locks);
  if (isOpen) return note();
  // A drop may come before the database is there.
  const noted = databaseOpened.then(note, () => null);
  return {
    written: noted.then((one) => one?.written),
    async forget() {
      await (await noted)?.forget();
    },
  };
}

/** What was dropped before an earlier end of the browser, and is nowhere. */
export async function lostDropRows(): Promise<LostDrops | null> {
  await databaseOpened;
  return (await import('#adapters/browser/lost-drops.ts')).findLostDrops(db, navigator.locks);
}
export const leaveLostDropRows = async (): Promise<void> =>
  (await import('#adapters/browser/lost-drops.ts')).leaveLostDrops(db, navigator.locks);

/** Stored files without rows, as a drop of them; their names are gone, and their first bytes say what they are. */
export async function strayFiles(strays: StorageLoss['strays']): Promise<DroppedFile[]> {
  const { openBlobStore } = await import('#adapters/browser/blobs/blob-store.ts');
  const blobs = await openBlobStore(db);
  const files: DroppedFile[] = [];
  for (const { sha256 } of strays) {
    const path = sha256.slice(0, 12);
    files.push({ path, file: new File([await blobs.file(sha256)], path) });
  }
  return files;
}

export const settingsRow = (): Promise<Settings> => readSettings(db);
export const syncRow = (): Promise<SyncState | null> => readSyncState(db);
export const serverFactsRow = (): Promise<ServerFacts> => readServerFacts(db);
export const agentRow = (): Promise<AgentState> => readAgentState(db);
export const replicaRow = (): Promise<ReplicaState> => readReplicaState(db);
/** Grows whenever the server says that plans wait there. */
export const plansAnnouncedRow = (): Promise<number> => readPlansAnnounced(db);
export const showsRow = (): Promise<ShowState> => readShowState(db);

/** This browser's part in files that were sent to the server. */
export type { UploadsState };
export const uploadsRow = (): Promise<UploadsState> => readUploadsState(db);
export const uploadsRestRow = (): Promise<number> => readUploadsRest(db);

export function changeSetting<K extends keyof Settings>(key: K, value: Settings[K]): Promise<void> {
  return writeSetting(db, key, value);
}

/** To what comes of what it is at that moment. */
export function changeSettingBy<K extends keyof Settings>(
  key: K,
  change: (now: Settings[K]) => Settings[K],
): Promise<void> {
  return updateSetting(db, key, change);
}

/** Whether the person ever set it. */
export const isSettingSet = (key: keyof Settings): Promise<boolean> => isSet(db, key);

export function changeSettings(patch: Partial<Settings>): Promise<void> {
  return writeSettings(db, patch);
}

/** The token of the sign-in link, which leaves the address bar and the history at once; null where there is none. */
export function tokenOfLink(): string | null {
  return takeTokenFromAddress(window.location, window.history);
}

/** Whether the person paused converting. */
export const pausedRow = (): Promise<boolean> => readPaused(db);
