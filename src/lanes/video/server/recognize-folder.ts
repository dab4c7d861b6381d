import { failed } from '#core/errors.ts';
import { lastPart } from '#core/plan/plan-path.ts';
import type { FolderFile, FolderReading } from '#lanes/video/core/folder-reading.ts';
import { type AskedDoubt, askAboutFolder, type AskedFolder } from '#lanes/video/core/agent/ask-folder.ts';
import { readFolder, type FolderAnswers } from '#lanes/video/core/folder/read-folder.ts';
import { titlesSaid } from '#lanes/video/core/folder/several-shows.ts';
import { leftOut, offerOf, recognizeMediaFile } from '#lanes/video/core/plan-kinds.ts';
import { findShows, readShows, catalogShows } from './shows/read-shows.ts';
import type { CatalogDeps } from '#server/deps.ts';
import { serverPlans, type PlansDeps } from '#server/plans/server-plans.ts';
import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { randomUuids } from '#core/ids.ts';
import type { PlanToolContext } from '#core/plan/plan-tools.ts';
import type { FolderInput } from '#lanes/video/core/agent/doubt.ts';
import { lookIntoSeen } from '#lanes/video/media/look-into.ts';
import { HttpError } from '#server/http/http-error.ts';
import { brokerProvider } from '#server/plans/broker-provider.ts';
import { RecognizedFolderSchema, RecognizeFolderSchema } from '#lanes/video/core/recognize-protocol.ts';
import { json, route, type Route } from '#server/api/route.ts';
import { keyedOnce } from '#server/http/mutate.ts';
import { proposed } from '#server/plans/plans.route.ts';

/** Milliseconds for one answer of the model: somebody waits for the request. */
const TIMEOUT_MS = 60_000;

/** Asks the server's model about what is unclear of a folder. Throws HttpError 404 where it has none. */
async function askServerModel(
  { broker, clock, store, plans }: Pick<CatalogDeps, 'broker' | 'clock' | 'store' | 'plans'>,
  context: PlanToolContext,
  input: FolderInput,
  user: string,
): Promise<AskedFolder> {
  const provider = broker === null ? null : brokerProvider(broker, await broker.models(), user);
  if (provider === null) throw new HttpError('not_found', 'No model is set up on this server: leave "agent" out.');
  const seed = createHash('sha256').update(input.mediaFolderPath).digest().readUInt32BE(0);
  return askAboutFolder(input, {
    executor: {
      provider,
      context: { ...context, shows: catalogShows(store.db), media: lookIntoSeen(plans.folders) },
      clock,
      sha256: (text) => Promise.resolve(createHash('sha256').update(text).digest('hex')),
      wait: (milliseconds, signal) => pause(milliseconds, signal),
    },
    options: { temperature: 0, timeoutMs: TIMEOUT_MS, price: { in: 0, out: 0 } },
    ids: randomUuids,
    strategy: 'auto',
    seed,
  });
}

/** Ends early when it is cancelled, and keeps no process from ending. */
async function pause(milliseconds: number, signal: Parameters<Wait>[1]): Promise<void> {
  if (signal?.aborted) return;
  const stop = new AbortController();
  const onAbort = (): void => stop.abort();
  signal?.addEventListener('abort', onAbort);
  try {
    await wait(milliseconds, undefined, { signal: stop.signal, ref: false });
  } catch {
    // Cancelled.
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}
type Wait = Parameters<typeof askAboutFolder>[1]['executor']['wait'];

/** Shows of the catalog that a folder's names are held against. */
const MOST_SHOWS = 12;

type RecognizeDeps = PlansDeps & Pick<CatalogDeps, 'broker'>;

/**
 * Reads a folder that the server may see against its catalog of shows, and proposes a plan of what it recognised.
 * @returns the reading, and the plan's id; null where no file is an episode. Throws AccessionError `not_found`
 */
async function recognizeFolder(
  deps: RecognizeDeps,
  request: { mediaFolderPath: string; show?: string | undefined; numbering?: string | undefined; agent: boolean },
  by: string,
): Promise<{ planId: string | null; reading: FolderReading; asked: AskedDoubt[] }> {
  const { mediaFolderPath, show, numbering } = request;
  const answers: FolderAnswers = {
    ...(show === undefined ? {} : { show }),
    ...(numbering === undefined ? {} : { numbering }),
  };
  const seen = await deps.plans.folders.see(mediaFolderPath);
  if (seen === null) {
    throw failed('not_found', `The folder "${mediaFolderPath}" is not there, or the server may not see it.`, {
      remedy: 'Name a folder below those in accession.toml, [video] folders.',
    });
  }
  const files: FolderFile[] = [];
  for await (const { kind, path, size } of seen.tree.list()) if (kind === 'file') files.push({ path, size });
  const folderName = lastPart(mediaFolderPath);
  // First without a catalog: what the names say the show is, is what the catalog is asked for.
  const alone = readFolder(files, { folderName });
  const said = [alone.show.title, folderName, ...titlesSaid(files)];
  const words = [...new Set(said.filter((text) => text !== null && text !== ''))];
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

/** POST /v1/plans/recognize */
export function recognizeRoutes(deps: RecognizeDeps): Route[] {
  return [
    route('POST /v1/plans/recognize', {
      scope: 'EditCatalog',
      tag: 'Plans',
      summary: 'Recognise the episodes of a folder that the server may see, and propose a plan of them.',
      body: RecognizeFolderSchema,
      replies: { 200: json(RecognizedFolderSchema, 'What the folder is, what is unclear of it, and the plan.') },
      failures: [404, 409],
      idempotent: 'key',
      answer: (c) =>
        keyedOnce(c, deps, RecognizeFolderSchema, async (body, { user_id }) => {
          const { planId, reading, asked } = await recognizeFolder(deps, body, user_id);
          const { show, questions, gaps, duplicates } = reading;
          const answers = asked.map(({ doubt, answer, why, refused }) => ({
            question: doubt.question,
            answer: doubt.options.find(({ id }) => id === answer?.option_id)?.label ?? null,
            why,
            refused,
          }));
          const done = { status: 200, body: { planId, show, questions, gaps, duplicates, asked: answers } } as const;
          return planId === null ? done : { ...done, audit: proposed(planId, body.mediaFolderPath) };
        }),
    }),
  ];
}
