/** What a process of its own does with a large request: reads its body, and writes it once it may. */
import type { Clock } from '#core/ports.ts';
import type { LaneServer } from '../lane-server.ts';
import { readRowChunks } from '../http/body.ts';
import { mutateOnce } from '../http/mutate.ts';
import { catalogFileSchema } from '../import/import-file.ts';
import { importInPieces, MANY_ROWS, rowsIn } from '../import/import-pieces.ts';
import { importCatalogFile } from '../import/import-request.ts';
import { takeMirror } from '../ingest/mirror.ts';
import { MirrorRequestSchema } from '#core/sync/protocol.ts';
import type { Store } from '../store/store.ts';
import { SaveBodySchema } from '../work/document-parts.ts';
import { saveWork } from '../work/save.ts';
import type { Made, Order, Task } from './beside.ts';

/** Writes what was read, in one transaction or, a large catalog file, in pieces. @param clock that of the server */
type Write<K extends Task> = (store: Pick<Store, 'db' | 'write'>, clock: Pick<Clock, 'now'>) => Promise<Made[K]>;

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
    return (store, clock) =>
      rowsIn(value) > MANY_ROWS
        ? importInPieces(store, imports, value, { request, clock })
        : mutateOnce(store, request, clock.now(), (tx) => importCatalogFile(tx, imports, value, order.by, clock.now()));
  },
  async mirror(order, chunks) {
    const { value, request_sha256 } = await readRowChunks(order, MirrorRequestSchema, chunks);
    const request = { principal: order.by, key: order.key, request_sha256 };
    return (store, clock) =>
      mutateOnce(store, request, clock.now(), async (tx) => ({
        status: 200,
        body: await takeMirror(tx, order.by.user_id, value, clock.now()),
      }));
  },
  async save(order, chunks) {
    const { value, sha256 } = await readRowChunks(order, SaveBodySchema, chunks, ['document']);
    return (store, clock) => store.write((tx) => saveWork(tx, order.lease ?? '', value, { now: clock.now(), sha256 }));
  },
};
