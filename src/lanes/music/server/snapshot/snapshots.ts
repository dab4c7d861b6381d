/**
 * The snapshot that workstations begin with, made anew in the background when the catalog has moved on:
 *
 *   <data>/snapshots/current.json    which file is offered; written last
 *   <data>/snapshots/<name>.gz       the file, and the one before it for those who are still reading it
 *
 * Several processes share them: what one has made the others offer, too.
 */
import { CATALOG_FORMAT } from '#lanes/music/core/index/compact-catalog.ts';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import * as v from 'valibot';
import { SnapshotSchema, SnapshotAnswerSchema, type SnapshotAnswer } from '#lanes/music/core/catalog.ts';
import type { LaneUsing } from '#server/lane-server.ts';
import type { Snapshotting } from '#server/snapshot/snapshotting.ts';
import { feedPosition, readFeedCursor } from '#server/store/feed.ts';
import { CATALOG_ID, readMeta } from '#server/store/store.ts';
import { writeSnapshot, type Written } from './write-snapshot.ts';
import { json, route, type Route } from '#server/api/route.ts';
import { HttpError } from '#server/http/http-error.ts';
import { hash } from '#server/storage/file-check.ts';
import { streamOf } from '#server/http/stream.ts';

/** Catalogs of fewer tracks are read from the feed in a moment. */
const LEAST_TRACKS = 5000;
/** Changes after which a new one is made; more in a large catalog, where reading them is little beside the file. */
const LEAST_CHANGES = 5000;
const SHARE_CHANGED = 0.05;
/** Never more often than this, milliseconds: a large one keeps a processor busy for a minute. */
const EVERY_MS = 30 * 60_000;

export interface SnapshotOptions extends Omit<
  LaneUsing,
  'blobs' | 'library' | 'tools' | 'toolbox' | 'documents' | 'guide' | 'searching' | 'snapshotting'
> {
  /** Writes it beside the server; null or absent: in the server's own process, in turns. */
  snapshotting?: Snapshotting | null;
  /** Of the snapshots; made when it is not there. */
  directory: string;
  /** Catalogs of fewer tracks have none. */
  leastTracks?: number;
}

const WrittenSchema = v.object({ ...SnapshotSchema.entries, seq: v.number() });

export type Snapshots = Awaited<ReturnType<typeof openSnapshots>>;

/** Takes up what an earlier run left, if it is of this catalog and format. */
export async function openSnapshots(options: SnapshotOptions) {
  const { store, directory, files, log, clock, events, leastTracks = LEAST_TRACKS } = options;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const stopped = new AbortController();
  let current = await readCurrent(options);
  /** By name: the mark that a file had when it was found to be whole. */
  const whole = new Map<string, string>();
  let triedAt = -Infinity;
  let work: Promise<void> | null = null;
  const stopListening = events.listen((message) => {
    if (message.type === 'CatalogChanged') check();
  });

  /** Begins a new one in the background where that is due. */
  function check(): void {
    const now = clock.now();
    if (work !== null || stopped.signal.aborted || now - triedAt < EVERY_MS) return;
    work = renew(now)
      .catch((error: unknown) => {
        if (!stopped.signal.aborted) log.error('the snapshot of the catalog was not made', { error: String(error) });
      })
      .finally(() => (work = null));
  }

  async function renew(now: number): Promise<void> {
    // Another process may have made one since.
    current = (await readCurrent(options)) ?? current;
    if (!(await isDue())) return;
    triedAt = now;
    const started = performance.now();
    const before = current?.name ?? null;
    const written = await write();
    await files.write(join(directory, 'current.json'), `${JSON.stringify(written)}\n`, 0o600);
    current = written;
    await keepOnly(directory, [written.name, before], now);
    const { tracks, packed_bytes } = written;
    log.info('snapshot of the catalog', { tracks, packed_bytes, ms: Math.round(performance.now() - started) });
  }

  /** By a process of its own where there can be one. What is offered meanwhile is the last one, and the feed after it. */
  async function write(): Promise<Written> {
    const { signal } = stopped;
    const beside = await options.snapshotting?.({ lane: 'music', directory }, signal);
    if (beside != null) return v.parse(WrittenSchema, beside.written);
    return writeSnapshot(store.db, directory, files, signal);
  }

  async function isDue(): Promise<boolean> {
    const { count } = await store.db
      .selectFrom('tracks')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    if (Number(count) < leastTracks) return false;
    if (current === null) return true;
    const moved = (await feedPosition(store.db)) - current.seq;
    return moved > Math.max(LEAST_CHANGES, Number(count) * SHARE_CHANGED);
  }

  /** Waits for one under way. */
  const settled = async (): Promise<void> => void (await work);

  return {
    /** The snapshot that is offered now. */
    get current(): Written | null {
      return current;
    },
    check,
    settled,

    /** The file of a snapshot, read when it is wanted; null when it is not kept any more. */
    async file(name: string): Promise<{ size: number; read: () => AsyncIterable<Uint8Array> } | null> {
      const path = join(directory, `${name}.gz`);
      const state = /^catalog-[\w-]+$/.test(name) ? await stateOf(path) : null;
      if (state === null) return null;
      if (whole.get(name) !== state.mark && !(await hasItsHash(path, name))) {
        log.error('a snapshot of the catalog was damaged; it is made anew', { name });
        await rm(path, { force: true });
        if (current?.name === name) current = null;
        return null;
      }
      whole.set(name, state.mark);
      return { size: state.size, read: () => createReadStream(path) };
    },

    async close(): Promise<void> {
      stopListening();
      stopped.abort();
      await settled();
    },
  };
}

/** What is offered in the directory, if it is of this catalog and format and its file is whole. */
async function readCurrent({ directory, files, store }: SnapshotOptions): Promise<Written | null> {
  const kept = readWritten(await files.read(join(directory, 'current.json')));
  const fits =
    kept?.format === CATALOG_FORMAT &&
    kept.catalog_id === (await readMeta(store.db, CATALOG_ID)) &&
    // The database was put back to an older state: the snapshot is of one that never came.
    (await readFeedCursor(store.db, kept.catalog_id, kept.cursor)) === kept.seq &&
    (await sizeOf(join(directory, `${kept.name}.gz`))) === kept.packed_bytes;
  return fits ? kept : null;
}

function readWritten(text: string | null): Written | null {
  if (text === null) return null;
  try {
    const outcome = v.safeParse(WrittenSchema, JSON.parse(text));
    return outcome.success ? outcome.output : null;
  } catch {
    return null;
  }
}

/** Whether it unpacks to what its name ends with: the beginning of the SHA-256 of its content. */
async function hasItsHash(path: string, name: string): Promise<boolean> {
  try {
    const sha256 = await pipeline(createReadStream(path), createGunzip(), hash);
    return sha256.startsWith(/[0-9a-f]{12}$/.exec(name)?.[0] ?? '-');
  } catch {
    return false;
  }
}

const sizeOf = async (path: string): Promise<number | null> => (await stateOf(path))?.size ?? null;

/** `mark`: another one as soon as somebody writes to it. */
async function stateOf(path: string): Promise<{ size: number; mark: string } | null> {
  try {
    const { size, ino, mtimeMs, ctimeMs } = await stat(path);
    return { size, mark: [ino, size, mtimeMs, ctimeMs].join('-') };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

async function keepOnly(directory: string, names: readonly (string | null)[], now: number): Promise<void> {
  const kept = new Set(['current.json', ...names.map((name) => `${name}.gz`)]);
  for (const name of await readdir(directory)) {
    const path = join(directory, name);
    // What is not finished yet may be another process's work under way.
    const atWork = !name.startsWith('catalog-') && (await ageOf(path, now)) < EVERY_MS;
    if (!kept.has(name) && !atWork) await rm(path, { force: true });
  }
}

/** Milliseconds since it was written to. */
async function ageOf(path: string, now: number): Promise<number> {
  const found = await stat(path).catch(() => null);
  return found === null ? 0 : now - found.mtimeMs;
}

/**
 * /v1/catalog/snapshot: the file with which a workstation begins, and GET /:name, the file. A name means the
 * same bytes for ever.
 */
export function snapshotRoutes(snapshots: Snapshots | null): Route[] {
  return [
    route('GET /v1/catalog/snapshot', {
      scope: 'ReadCatalog',
      tag: 'Catalog',
      summary: 'The file with which a workstation begins its copy of the catalog.',
      query: {
        cursor: { description: 'Of the change feed: how far the snapshot is ahead of it.', schema: v.string() },
      },
      replies: { 200: json(SnapshotAnswerSchema, 'The snapshot, or null where there is none.') },
      answer(c) {
        snapshots?.check();
        const current = snapshots?.current ?? null;
        if (current === null) return c.json({ snapshot: null, ahead: null } satisfies SnapshotAnswer);
        const { seq, ...snapshot } = current;
        const [mark, at] = (c.req.query('cursor') ?? '').split('.');
        const known = mark !== '' && snapshot.catalog_id.startsWith(mark ?? '') && /^\d{1,15}$/.test(at ?? '');
        const ahead = known ? Math.max(0, seq - Number(at)) : null;
        return c.json({ snapshot, ahead } satisfies SnapshotAnswer);
      },
    }),
    route('GET /v1/catalog/snapshot/:name', {
      scope: 'ReadCatalog',
      tag: 'Catalog',
      summary: 'The file of a snapshot. A name stands for the same bytes for ever.',
      replies: {
        200: { description: 'An index of the catalog, packed.', type: 'application/gzip' },
        304: { description: 'The file is as it was.' },
      },
      failures: [404],
      async answer(c) {
        const name = c.req.param('name');
        const file = (await snapshots?.file(name)) ?? null;
        if (file === null) throw new HttpError('not_found', 'This snapshot of the catalog is not kept any more.');
        const etag = `"${name}"`;
        c.header('ETag', etag);
        c.header('Cache-Control', 'private, max-age=31536000, immutable');
        if (c.req.header('if-none-match') === etag) return c.body(null, 304);
        c.header('Content-Type', 'application/gzip');
        c.header('Content-Length', String(file.size));
        if (c.req.method === 'HEAD') return c.body(null, 200);
        return c.body(streamOf(file.read()), 200);
      },
    }),
  ];
}
