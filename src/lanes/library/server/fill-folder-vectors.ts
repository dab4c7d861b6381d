/**
 * Makes the vectors that a folder's files lack, some files at a time, each transaction under the lease: killed at any
 * instant, what was made is there or is made again. A copy takes over the vectors of its content.
 */
import { throwIfCancelled } from '#core/cancel.ts';
import type { Embedder } from '#core/agent/llm/embedder.ts';
import type { AgentTimers } from '#core/ingest/read-chunks.ts';
import type { Cancel, Clock } from '#core/ports.ts';
import { openSegment } from '#lanes/library/core/index/segment.ts';
import { askedVectors, AT_ONCE } from '#lanes/library/core/vectors/fill-vectors.ts';
import type { Store } from '#server/store/store.ts';
import { bufferOf } from './buffer-of.ts';
import { holdFolder, type Lease } from './leases.ts';
import { packPieceVectors } from './piece-vectors.ts';
import type { LibraryVectorTable } from './tables.ts';

/** Files whose pieces are asked for together. */
const FILES = 20;

export interface VectorPorts {
  store: Store;
  clock: Clock;
  timers: AgentTimers;
  embedder: Embedder;
  cancel?: Cancel | undefined;
}

type Made = Pick<LibraryVectorTable, 'dimension' | 'pieces' | 'vectors'>;

interface Lacking {
  id: number;
  sha256: string;
  agent_key: string;
  segment: Uint8Array;
}

/** Throws AccessionError: what the model failed with, `cancelled`; what was made is kept. */
export async function fillFolderVectors(ports: VectorPorts, lease: Lease): Promise<void> {
  const { store, clock, embedder, cancel } = ports;
  const { name: model } = embedder;
  const folder_id = lease.folder.id;
  for (let last = 0; ;) {
    if (cancel) throwIfCancelled(cancel);
    const files = await lackingFiles(store, folder_id, model, last);
    if (files.length === 0) return;
    last = files.at(-1)?.id ?? last;
    const made = await vectorsOf(ports, files);
    await store.write(async (tx) => {
      await holdFolder(tx, lease, clock, {});
      const ids = [...made.keys()];
      await tx.deleteFrom('library_vectors').where('file_id', 'in', ids).execute();
      const rows = [...made].map(([file_id, one]) => ({ file_id, folder_id, model, ...one }));
      await tx.insertInto('library_vectors').values(rows).execute();
    });
  }
}

const lackingFiles = (store: Store, folder: string, model: string, after: number): Promise<Lacking[]> =>
  store.db
    .selectFrom('library_files as f')
    .innerJoin('library_texts as t', 't.file_id', 'f.id')
    .leftJoin('library_vectors as v', (join) => join.onRef('v.file_id', '=', 'f.id').on('v.model', '=', model))
    .select(['f.id', 'f.sha256', 'f.agent_key', 't.segment'])
    .where('f.folder_id', '=', folder)
    .where('f.id', '>', after)
    .where('v.file_id', 'is', null)
    .orderBy('f.id')
    .limit(FILES)
    .execute();

async function vectorsOf(ports: VectorPorts, files: readonly Lacking[]): Promise<Map<number, Made>> {
  const made = new Map<number, Made>();
  const texts: string[] = [];
  const asking: { id: number; from: number; to: number }[] = [];
  for (const file of files) {
    const segment = openSegment(bufferOf(file.segment));
    const same = await ofSameContent(ports, file, segment.pieces);
    if (same !== null) {
      made.set(file.id, same);
      continue;
    }
    const from = texts.length;
    for (const kept of segment.files)
      for (let piece = 0; piece < segment.pieces; piece++)
        texts.push(segment.text(kept, segment.pieceStart[piece] ?? 0, segment.pieceEnd[piece] ?? 0));
    asking.push({ id: file.id, from, to: texts.length });
  }
  const vectors: Float32Array[] = [];
  for (let from = 0; from < texts.length; from += AT_ONCE) {
    if (ports.cancel) throwIfCancelled(ports.cancel);
    vectors.push(...(await askedVectors(ports, texts.slice(from, from + AT_ONCE))));
  }
  const dimension = vectors[0]?.length ?? 0;
  for (const { id, from, to } of asking)
    made.set(id, { dimension, pieces: to - from, vectors: packPieceVectors(vectors.slice(from, to), dimension) });
  return made;
}

async function ofSameContent({ store, embedder }: VectorPorts, file: Lacking, pieces: number): Promise<Made | null> {
  const row = await store.db
    .selectFrom('library_vectors as v')
    .innerJoin('library_files as f', 'f.id', 'v.file_id')
    .select(['v.dimension', 'v.pieces', 'v.vectors'])
    .where('f.sha256', '=', file.sha256)
    .where('f.agent_key', '=', file.agent_key)
    .where('v.model', '=', embedder.name)
    .where('v.pieces', '=', pieces)
    .executeTakeFirst();
  return row ?? null;
}
