/** What a library consists of: its segments, the files of them that are no longer in force, and what was left out. */
import * as v from 'valibot';
import { openSegment, type Segment } from '../index/segment.ts';
import { LibraryIndex, type SegmentPart } from '../search/library-index.ts';
import type { LibraryStore } from './ports.ts';

/** History: 1 first form. A library with another one is built anew. */
const SCHEMA_VERSION = 1;

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

const ManifestSchema = v.object({
  schemaVersion: v.literal(SCHEMA_VERSION),
  segments: v.array(v.object({ id: v.string(), dead: v.array(count) })),
  /** Files and directories that were left out, counted by reason. */
  leftOut: v.record(v.string(), count),
  /** Files that could not be read, each with why. */
  failed: v.array(v.object({ path: v.string(), why: v.string() })),
  /** When the folder was last looked through to the end, milliseconds since the epoch; null: never. */
  completed: v.nullable(count),
  /** Files of vectors, all of one model; absent: none were made. */
  vectors: v.exactOptional(v.object({ model: v.string(), ids: v.array(v.string()) })),
});
export type Manifest = v.InferOutput<typeof ManifestSchema>;

export const emptyManifest = (): Manifest => ({
  schemaVersion: SCHEMA_VERSION,
  segments: [],
  leftOut: {},
  failed: [],
  completed: null,
});

export interface OpenLibrary {
  manifest: Manifest;
  index: LibraryIndex;
}

/**
 * The library as it was last written. Segments that are damaged or of another version are left out: their files are read again.
 * `known`: segments that are open already, by id.
 */
export async function openLibrary(
  store: LibraryStore,
  known: ReadonlyMap<string, Segment> = new Map(),
): Promise<OpenLibrary> {
  const manifest = await readManifest(store);
  const parts: SegmentPart[] = [];
  for (const { id, dead } of manifest.segments) {
    const buffer = known.has(id) ? null : await store.readSegment(id);
    const segment = known.get(id) ?? (buffer === null ? null : opened(buffer));
    if (segment !== null) parts.push({ id, segment, dead: new Set(dead) });
  }
  return { manifest, index: new LibraryIndex(parts) };
}

function opened(buffer: ArrayBuffer): ReturnType<typeof openSegment> | null {
  try {
    return openSegment(buffer);
  } catch {
    return null;
  }
}

/** Writes what the library consists of now, and takes away segments that it no longer names. */
export async function keepLibrary(
  store: LibraryStore,
  parts: readonly SegmentPart[],
  rest: Pick<Manifest, 'leftOut' | 'failed' | 'completed' | 'vectors'>,
): Promise<Manifest> {
  const segments = parts.map(({ id, dead }) => ({ id, dead: [...dead].sort((a, b) => a - b) }));
  const manifest: Manifest = { schemaVersion: SCHEMA_VERSION, segments, ...rest };
  await written(store, manifest);
  return manifest;
}

/** Writes which vectors there are now; the rest of the library stays as it is. */
export async function keepVectors(store: LibraryStore, vectors: NonNullable<Manifest['vectors']>): Promise<void> {
  await written(store, { ...(await readManifest(store)), vectors });
}

async function written(store: LibraryStore, manifest: Manifest): Promise<void> {
  await store.writeManifest(manifest);
  const named = new Set([...manifest.segments.map(({ id }) => id), ...(manifest.vectors?.ids ?? [])]);
  for (const id of await store.listSegments()) if (!named.has(id)) await store.removeSegment(id);
}

/** As it was last written; an empty one where there is none, or one of another form. */
async function readManifest(store: LibraryStore): Promise<Manifest> {
  const read = v.safeParse(ManifestSchema, await store.readManifest());
  return read.success ? read.output : emptyManifest();
}
