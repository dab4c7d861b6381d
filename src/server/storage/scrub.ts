/**
 * Reads every kept file again and again in the background, a few bytes a second, and compares it with its row. What a
 * disk changed by itself is found so, though nobody plays it.
 *
 *   due? -> the next file -> right: forget what was known of it | wrong: note it, mend it from another copy here
 *        -> rest, so that so many bytes a second are not exceeded -> ... -> the last: due again after so many days
 *
 * How far a pass came is written down: the next start, or another process, goes on there. One process at a time.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { MEDIA_ROOTS, type Clock } from '#core/ports.ts';
import { ownerOf, type NamedKeptFile } from '../lane-server.ts';
import type { Log } from '../log.ts';
import type { Reader } from '../store/schema.ts';
import { readMeta, writeMeta } from '../store/store.ts';
import { forgetDamage, noteDamage } from './damage.ts';
import { nameOf, WRONG } from './finding.ts';
import { findTwins, putBack, type MendDeps } from './mend.ts';
import type { ScrubSettings } from './scrub-settings.ts';
import { keptFiles, lookAt } from './verify-files.ts';

export interface ScrubDeps extends MendDeps {
  clock: Clock;
  log: Log;
  /** Rejects when it is aborted. */
  wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/** A process that has not written for so long is gone, milliseconds. */
const HELD_MS = 600_000;
/** Progress is written after so many bytes or files. */
const BYTES = 64 * 1_048_576;
const FILES = 200;
/** Between two looks whether a pass is due, milliseconds. */
const LOOK_MS = 600_000;

const META = 'scrub';
const StateSchema = v.object({
  begun_at: v.number(),
  finished_at: v.nullable(v.number()),
  /** The last file that was read. */
  after: v.nullable(v.object({ root: v.picklist([...MEDIA_ROOTS, 'ingestion_uploads']), path: v.string() })),
  files: v.number(),
  bytes: v.number(),
  damaged: v.number(),
  /** Who is at it, and until when nobody else is. */
  holder: v.nullable(v.string()),
  until: v.number(),
});
export type ScrubState = v.InferOutput<typeof StateSchema>;

/** How far the pass under way, or the last one, has come; null before the first. */
export async function readScrub(db: Reader): Promise<ScrubState | null> {
  const text = await readMeta(db, META);
  return text === null ? null : v.parse(StateSchema, JSON.parse(text));
}

export function createScrub(deps: ScrubDeps, settings: ScrubSettings, holder: string) {
  const { store, lanes, clock, log } = deps;
  const wait = deps.wait ?? ((ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal, ref: false }));
  const stopped = new AbortController();
  let work: Promise<void> | null = null;

  /** Takes up a pass that was begun, or begins one that is due; null where nothing is to be done here now. */
  async function take(): Promise<ScrubState | null> {
    return store.write(async (tx) => {
      const state = await readScrub(tx);
      const now = clock.now();
      if (state?.holder != null && state.holder !== holder && state.until > now) return null;
      const under = state !== null && state.finished_at === null;
      if (state?.finished_at != null && Math.abs(now - state.begun_at) < settings.everyMs) return null;
      const begun: ScrubState = under
        ? { ...state, holder, until: now + HELD_MS }
        : {
            begun_at: now,
            finished_at: null,
            after: null,
            files: 0,
            bytes: 0,
            damaged: 0,
            holder,
            until: now + HELD_MS,
          };
      await writeMeta(tx, META, JSON.stringify(begun));
      return begun;
    });
  }

  const save = (state: ScrubState): Promise<void> =>
    store.write((tx) => writeMeta(tx, META, JSON.stringify({ ...state, until: clock.now() + HELD_MS })));

  /** One pass to its end, if one is due. Answers what it came to, or null. */
  async function pass(): Promise<ScrubState | null> {
    let state = await take();
    if (state === null) return null;
    let [bytes, files] = [0, 0];
    for await (const file of keptFiles(store.db, lanes, state.after)) {
      if (stopped.signal.aborted) break;
      const begun = performance.now();
      const read = await look(file, (damaged) => (state = state && { ...state, damaged: state.damaged + damaged }));
      const { root, path } = file;
      state = { ...state, after: { root, path }, files: state.files + 1, bytes: state.bytes + read };
      [bytes, files] = [bytes + read, files + 1];
      if (bytes >= BYTES || files >= FILES) {
        await save(state);
        [bytes, files] = [0, 0];
      }
      const rest = (read / settings.bytesPerSecond) * 1000 - (performance.now() - begun);
      if (rest > 0) await wait(rest, stopped.signal).catch(() => undefined);
    }
    if (stopped.signal.aborted) {
      await save({ ...state, holder: null });
      return null;
    }
    state = { ...state, finished_at: clock.now(), after: null, holder: null };
    await save(state);
    log.info('every file was verified', { files: state.files, bytes: state.bytes, damaged: state.damaged });
    return state;
  }

  /** Answers the bytes that were read. */
  async function look(file: NamedKeptFile, count: (damaged: number) => unknown): Promise<number> {
    const { wrong, read } = await lookAt(deps, file);
    const known = store.db
      .selectFrom('damage')
      .select('path')
      .where('root', '=', file.root)
      .where('path', '=', file.path);
    if (wrong === null) {
      if (await known.executeTakeFirst()) await store.write((tx) => forgetDamage(tx, file));
      return read;
    }
    // Replaced, or done with, while it was read.
    if (file.root === 'ingestion_uploads' ? !(await isWaiting(file)) : !(await ownerOf(store.db, lanes, file)))
      return read;
    count(1);
    const name = nameOf(file);
    if (settings.repair && file.root !== 'ingestion_uploads') {
      const from = (await findTwins(deps, [file], [])).get(file.sha256);
      const mended = from !== undefined && (await putBack(deps, file));
      if (from !== undefined) await deps.blobs.removeUpload(file.sha256);
      if (mended) {
        log.warn('a damaged file was mended', { name, wrong: WRONG[wrong], from });
        return read;
      }
    }
    log.error('a file is damaged: accession verify --repair', { name, wrong: WRONG[wrong] });
    await store.write((tx) => noteDamage(tx, file, wrong, clock.now()));
    return read;
  }

  async function isWaiting({ path }: NamedKeptFile): Promise<boolean> {
    const row = store.db.selectFrom('work_files').select('id').where('id', '=', path);
    return (await row.executeTakeFirst()) !== undefined;
  }

  async function run(): Promise<void> {
    while (!stopped.signal.aborted) {
      await pass().catch((error: unknown) => log.warn('files could not be verified', { error: String(error) }));
      await wait(LOOK_MS, stopped.signal).catch(() => undefined);
    }
  }

  return {
    pass,
    /** Passes, one after the other as they are due, until it is closed. */
    begin(): void {
      if (settings.enabled) work ??= run();
    },
    async close(): Promise<void> {
      stopped.abort();
      await work;
    },
  };
}
