/** The agents of the library's worker: those of every lane, and the files that the person gave, over the person's model. */
import { liveQuery } from 'dexie';
import type { AccessionDb } from '#adapters/browser/db.ts';
import { readSettings } from '#adapters/browser/settings.ts';
import type { LaneCore } from '#core/lane-core.ts';
import type { Settings } from '#core/config.ts';
import { libraryAgents } from '#lanes/library/core/agents.ts';
import { LiveAgents } from '#lanes/library/core/model/live-agents.ts';
import type { ModelAsker } from '#lanes/library/core/model/model-ingester.ts';

/** What decides which model is asked. */
export const MODEL_SETTINGS = [
  'llm_provider',
  'llm_base_url',
  'llm_model',
  'llm_context_length',
  'library_asks_model',
] as const satisfies readonly (keyof Settings)[];

/**
 * What is stored, in this tab or another, is in force soon after.
 *
 * @param askerOf the model of these settings, as agents ask it
 */
export async function openWorkerAgents(
  db: AccessionDb,
  cores: ReadonlyMap<string, LaneCore>,
  askerOf: (settings: Settings) => ModelAsker,
): Promise<LiveAgents> {
  // What they read with is in the worker that reads (reading.worker.ts).
  const own = (ask: ModelAsker) => {
    const all = new Map(cores).set('library', { ingesters: libraryAgents({ ask }) });
    return [...all.values()].flatMap(({ ingesters }) => ingesters);
  };
  const files = (): Promise<{ file: string; text: string }[]> => db.library_agents.toArray();
  const settings = await readSettings(db);
  let [knownFiles, knownModel] = [JSON.stringify(await files()), modelKey(settings)];
  const agents = await LiveAgents.open({ own, ask: askerOf(settings), files: JSON.parse(knownFiles) as [] });
  liveQuery(files).subscribe((now) => {
    if (JSON.stringify(now) === knownFiles) return;
    knownFiles = JSON.stringify(now);
    void agents.change({ files: now });
  });
  liveQuery(() => readSettings(db)).subscribe((now) => {
    if (modelKey(now) === knownModel) return;
    knownModel = modelKey(now);
    void agents.change({ ask: askerOf(now) });
  });
  return agents;
}

const modelKey = (settings: Settings): string => JSON.stringify(MODEL_SETTINGS.map((key) => settings[key]));
