/**
 * Makes the vectors that a library's pieces lack.
 *
 *   pieces without a vector of this model -> some texts at a time -> a file of some vectors -> manifest    (until all have one)
 *   another model: what is there of the one before goes with the first file of the new one
 *
 * A file is stored before the manifest names it: killed at any instant, what was made is there or is made again.
 */
import { throwIfCancelled } from '#core/cancel.ts';
import { AccessionError } from '#core/errors.ts';
import type { Embedder } from '#core/agent/llm/embedder.ts';
import type { AgentTimers } from '#core/ingest/read-chunks.ts';
import type { Cancel, Ids } from '#core/ports.ts';
import { keepVectors, openLibrary } from '../indexing/manifest.ts';
import type { LibraryStore } from '../indexing/ports.ts';
import { packVectors, pieceKey } from './vector-file.ts';
import { openVectorFiles, piecesIn, vectorsOf } from './vectors.ts';

/** Texts that are asked for at once: small enough for a processor, large enough for a service. */
export const AT_ONCE = 32;
/** Vectors of one file, and files that become one. */
const FILE = 4_096;
const MOST_FILES = 6;
/** What is asked for too often is asked again after a wait, so many times in a row. */
const TRIES = 8;
const WAIT_MS = 5_000;

export interface FillingPorts {
  store: LibraryStore;
  embedder: Embedder;
  ids: Ids;
  timers: AgentTimers;
  mayGoOn?: (() => Promise<void>) | undefined;
  cancel?: Cancel | undefined;
  /** Vectors that are there, of so many. */
  onVectors?: ((known: number, pieces: number) => void) | undefined;
}

/** Throws AccessionError: what the model failed with, `cancelled`; what was made is kept. */
export async function fillVectors(ports: FillingPorts): Promise<void> {
  const { store, embedder, ids } = ports;
  const { manifest, index } = await openLibrary(store);
  const same = manifest.vectors?.model === embedder.name ? manifest.vectors : undefined;
  const files = await openVectorFiles(store, same);
  const known = new Set(files.flatMap(({ keys }) => [...keys]));
  const named = same === undefined || files.length < same.ids.length ? [] : [...same.ids];
  // A damaged file among them: those that are whole are written anew with what is missing.
  const fresh = new Map<number, Float32Array>(named.length > 0 ? [] : vectorsOf(files, known));
  const lacking = new Map<number, string>();
  const wanted = new Set<number>();
  for (const { text } of piecesIn(index)) {
    const key = pieceKey(text);
    wanted.add(key);
    if (!known.has(key)) lacking.set(key, text);
  }
  let there = wanted.size - lacking.size;
  const report = (): void => ports.onVectors?.(there, wanted.size);
  let dimension = files[0]?.dimension ?? 0;
  const write = async (): Promise<void> => {
    if (fresh.size === 0) return;
    const id = ids.next();
    await store.writeSegment(id, packVectors(embedder.name, dimension, fresh));
    named.push(id);
    await keepVectors(store, { model: embedder.name, ids: [...named] });
    fresh.clear();
  };
  report();
  const waiting = [...lacking];
  try {
    for (let from = 0; from < waiting.length; from += AT_ONCE) {
      await ports.mayGoOn?.();
      if (ports.cancel) throwIfCancelled(ports.cancel);
      const batch = waiting.slice(from, from + AT_ONCE);
      const vectors = await askedVectors(
        ports,
        batch.map(([, text]) => text),
      );
      for (const [at, [key]] of batch.entries()) {
        const vector = vectors[at];
        if (vector !== undefined) fresh.set(key, vector);
        dimension = vector?.length ?? dimension;
      }
      there += batch.length;
      if (fresh.size >= FILE) await write();
      report();
    }
  } finally {
    await write();
  }
  await compact(store, ids, embedder.name, wanted);
}

/** Vectors of up to `AT_ONCE` texts, asked for again where it was too often. Throws AccessionError. */
export async function askedVectors(
  { embedder, cancel, timers }: Pick<FillingPorts, 'embedder' | 'cancel' | 'timers'>,
  texts: readonly string[],
): Promise<Float32Array[]> {
  for (let tries = 1; ; tries++) {
    const answer = await embedder.embed(texts);
    if (answer.ok) return answer.value;
    if (answer.failure.code !== 'rate_limited' || tries === TRIES) throw new AccessionError(answer.failure);
    const ms = answer.failure.retryAfterMs ?? WAIT_MS * tries;
    await new Promise<void>((resolve) => void timers.set(resolve, ms));
    if (cancel) throwIfCancelled(cancel);
  }
}

/** Many small files become one, and vectors that no piece wants any more go. */
async function compact(store: LibraryStore, ids: Ids, model: string, wanted: ReadonlySet<number>): Promise<void> {
  const { manifest } = await openLibrary(store);
  if (manifest.vectors?.model !== model) return;
  const files = await openVectorFiles(store, manifest.vectors);
  const count = files.reduce((sum, { keys }) => sum + keys.length, 0);
  if (files.length <= MOST_FILES && count <= 2 * wanted.size) return;
  const id = ids.next();
  await store.writeSegment(id, packVectors(model, files[0]?.dimension ?? 0, new Map(vectorsOf(files, wanted))));
  await keepVectors(store, { model, ids: [id] });
}
