/** What a process of its own does with a large request: reads its body, and writes it once it may. */
import type { LaneServer } from '../lane-server.ts';
import { readRowChunks } from '../http/body.ts';
import { mutateOnce } from '../http/mutate.ts';
import { catalogFileSchema } from '../import/import-file.ts';
import { importCatalogFile } from '../import/import-request.ts';
import { takeMirror } from '../ingest/mirror.ts';
import { MirrorRequestSchema } from '#core/sync/protocol.ts';
import type { Store } from '../store/store.ts';
import { SaveBodySchema } from '../work/document-parts.ts';
import { saveWork } from '../work/save.ts';
import type { Made, Order, Task } from './beside.ts';

/** Writes what was read, in one transaction. @param now milliseconds */
type Write<K extends Task> = (store: Pick<Store, 'db' | 'write'>, now: number) => Promise<Made[K]>;

/** Throws HttpError where the body is not as it should be. */
type Read<K extends Task> = (
  order: Order,
  chunks: AsyncIterable<Uint8Array>,
  lanes: readonly LaneServer[],
) => Promise<Write<K>>;

export const TASKS: { readonly [K in Task]: Read<K> } = {
  async import(order, chunks, lanes) {
    const imports = lanes.flatMap((lane) => lane.imports);
    const { value, request_sha256 } = await readRowChunks(order, catalogFileSchema(imports), chunks);
    const request = { principal: order.by, key: order.key, request_sha256 };
    return (store, now) =>
      mutateOnce(store, request, now, (tx) => importCatalogFile(tx, imports, value, order.by, now));
  },
  async mirror(order, chunks) {
    const { value, request_sha256 } = await readRowChunks(order, MirrorRequestSchema, chunks);
    const request = { principal: order.by, key: order.key, request_sha256 };
    return (store, now) =>
      mutateOnce(store, request, now, async (tx) => ({
        status: 200,
        body: await takeMirror(tx, order.by.user_id, value, now),
      }));
  },
  async save(order, chunks) {
    const { value, sha256 } = await readRowChunks(order, SaveBodySchema, chunks, ['document']);
    return (store, now) => store.write((tx) => saveWork(tx, order.lease ?? '', value, { now, sha256 }));
  },
};
