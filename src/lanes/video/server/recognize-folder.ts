import { AccessionError, failure } from '#core/errors.ts';
import { lastPart } from '#core/plan/plan-path.ts';
import type { FolderFile, FolderReading } from '#lanes/video/core/folder-reading.ts';
import type { AskedDoubt } from '#lanes/video/core/agent/ask-folder.ts';
import { readFolder, type FolderAnswers } from '#lanes/video/core/folder/read-folder.ts';
import { leftOut, offerOf } from '#lanes/video/core/offer.ts';
import { recognizeMediaFile } from '#lanes/video/core/plan-kinds.ts';
import { findShows, readShows } from './shows/read-shows.ts';
import { askServerModel } from './ask-server-model.ts';
import type { CatalogDeps } from '#server/deps.ts';
import { serverPlans, type PlansDeps } from '#server/plans/server-plans.ts';

/** Shows of the catalog that a folder's names are held against. */
const MOST_SHOWS = 12;

export type RecognizeDeps = PlansDeps & Pick<CatalogDeps, 'broker'>;

export interface Recognized {
  planId: string | null;
  reading: FolderReading;
  asked: AskedDoubt[];
}

/**
 * Reads a folder that the server may see against its catalog of shows, and proposes a plan of what it recognised.
 * @returns the reading, and the plan's id; null where no file is an episode. Throws AccessionError `not_found`
 */
export async function recognizeFolder(
  deps: RecognizeDeps,
  request: { mediaFolderPath: string; show?: string | undefined; numbering?: string | undefined; agent: boolean },
  by: string,
): Promise<Recognized> {
  const { mediaFolderPath, show, numbering } = request;
  const answers: FolderAnswers = {
    ...(show === undefined ? {} : { show }),
    ...(numbering === undefined ? {} : { numbering }),
  };
  const seen = await deps.plans.folders.see(mediaFolderPath);
  if (seen === null) {
    throw new AccessionError(
      failure('not_found', `The folder "${mediaFolderPath}" is not there, or the server may not see it.`, {
        remedy: 'Name a folder below those in accession.toml, [video] folders.',
      }),
    );
  }
  const files: FolderFile[] = [];
  for await (const { kind, path, size } of seen.tree.list()) if (kind === 'file') files.push({ path, size });
  const folderName = lastPart(mediaFolderPath);
  // First without a catalog: what the names say the show is, is what the catalog is asked for.
  const alone = readFolder(files, { folderName });
  const words = [...new Set([alone.show.title, folderName].filter((text) => text !== null && text !== ''))];
  const heads = await Promise.all(words.map((text) => findShows(deps.store.db, text ?? '', MOST_SHOWS)));
  const ids = [...new Set([...heads.flat().map(({ id }) => id), ...(show ? [show] : [])])];
  const shows = [...(await readShows(deps.store.db, ids)).values()];
  const reading =
    shows.length === 0 && numbering === undefined ? alone : readFolder(files, { folderName, shows, answers });
  const sizes = new Map(files.map(({ path, size }) => [path, size ?? 0]));
  const input = { mediaFolderPath, files, shows, answers };
  const { service, context } = serverPlans(deps);
  const asked = request.agent ? await askServerModel(deps, context(by), input, by) : null;
  const settled = asked?.reading ?? reading;
  const offer = offerOf(settled.files, mediaFolderPath, leftOut(settled, sizes));
  for (const [path, sentence] of asked?.said ?? []) offer.notes[`${mediaFolderPath}/${path}`]?.reasons.push(sentence);
  const answer = { reading: settled, asked: asked?.asked ?? [] };
  if (offer.files.length === 0) return { planId: null, ...answer };
  const kept = await service.propose({ task: recognizeMediaFile.task, mediaFolderPath, ...offer }, by);
  return { planId: kept.plan.id, ...answer };
}
