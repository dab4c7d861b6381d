/** Builds the pipeline out of its adapters and lanes. Its API is PipelineApi; each lane's is a property, by its id. */
import { expose } from 'comlink';
import { deferredRpc } from '#adapters/browser/deferred-rpc.ts';
import { endWithPage } from '#adapters/browser/end-with-page.ts';
import { openPipeline } from '#adapters/browser/run/open-pipeline.ts';
import { browserLanes, laneCores } from '#lanes/browser-lanes.ts';
import { openDatabase } from '#lanes/database.ts';
import { lanes } from '#lanes/lanes.ts';

const db = openDatabase();
endWithPage(db, self);
const opening = (async () => openPipeline(db, await browserLanes(), await laneCores(), self))();
const partOf = async (id: string): Promise<object> => (await opening).apis.get(id) ?? {};

expose(
  deferredRpc(
    opening.then(({ service }) => service),
    Object.fromEntries(lanes.map(({ id }) => [id, partOf(id)])),
  ),
);
