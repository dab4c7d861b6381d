/** Takes drops in: the engine's staging (core/run/stage) over this browser's store, blobs, locks and pause. */
import type { IngesterRegistry } from '#core/ingest/registry.ts';
import type { ApplyContext } from '#core/job/apply.ts';
import { tried } from '#core/result.ts';
import { createStage } from '#core/run/stage/stage.ts';
import type { StageLocks, StagePorts } from '#core/run/stage/ports.ts';
import { looseFile, readers } from '../../media/loose-file.ts';
import type { StageApi } from '../api.ts';
import type { BrowserBlobStore } from '../blobs/blob-store.types.ts';
import { noSpaceFor } from '../blobs/storage-failure.ts';
import type { AccessionDb } from '../db.ts';
import { DexieJobStore } from '../job-store.ts';

export interface StageServiceDeps
  extends ApplyContext, Pick<StagePorts, 'freeBytes' | 'limits' | 'notify' | 'gate' | 'report'> {
  db: AccessionDb;
  blobs: BrowserBlobStore;
  registry: IngesterRegistry;
  locks: StageLocks;
  /** A drop that fits what a download request asks for. Throws AccessionError `not_found`. */
  example(requestId: string): Promise<{ file: File; label: string }>;
}

export function createStageService(deps: StageServiceDeps): StageApi {
  const { db, blobs, example, ...ports } = deps;
  const stage = createStage({
    ...ports,
    ...readers(blobs),
    store: new DexieJobStore(db, { tables: [], rows: {} }),
    blobs,
    noSpace: noSpaceFor,
    onLocalFailure: () => 'fail',
  });
  const stageDrop: StageApi['stage'] = (files, context, label, demo, apart) =>
    stage.stage({
      files: files.map(({ path, file }) => ({ path, size: file.size, open: (at) => looseFile(at, file) })),
      ...{ context, label, ...(demo === undefined ? {} : { demo }) },
      ...(apart === undefined ? {} : { apart }),
    });
  return {
    stage: stageDrop,
    tryIt: (requestId) =>
      tried(async () => {
        const { file, label } = await example(requestId);
        return stageDrop([{ path: file.name, file }], { type: 'DOWNLOAD_REQUEST', id: requestId }, label, true);
      }),
    resume: stage.resume,
    cancel: stage.cancel,
    reopen: stage.reopen,
    leaveArchive: stage.leaveArchive,
    sendElsewhere: stage.sendElsewhere,
  };
}
