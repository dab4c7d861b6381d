/** `accession agent-eval`: how good a model is at the agent's questions, and what hostile text does to it. */
import { writeFile } from 'node:fs/promises';
import { readJson } from '#cli/json-lines.ts';
import type { OpenedModel } from '#cli/open-model.ts';
import { progressLine } from '#cli/progress.ts';
import type { Strategy } from '#core/agent/workflow/workflow.ts';
import { DEFAULT_SETTINGS } from '#core/config.ts';
import { AccessionError, failure } from '#core/errors.ts';
import type { CatalogFile } from '#lanes/music/core/catalog.ts';
import { buildCatalogIndex } from '#lanes/music/core/index/compact-index.ts';
import { readCases } from './eval/cases.ts';
import { evaluate, type Evaluation } from './eval/evaluate.ts';
import { readHostile } from './eval/hostile.ts';
import { modelAsker } from './eval/model-asker.ts';
import { jsonOf, tableOf } from './eval/report.ts';

export interface AgentEvalFlags {
  catalog: string;
  cases: string;
  provider: string;
  strategy: 'auto' | Strategy;
  seed: number;
  limit?: number;
  hostile?: string;
  /** Where the figures go as JSON. */
  json?: string;
}

export interface AgentEvalWorld {
  open(): Promise<OpenedModel>;
  /** One line, to the terminal's output. */
  say(text: string): void;
  /** Calls back at each wish to stop (Ctrl-C). */
  onStop(stop: () => void): void;
}

/** Runs, prints the table and writes the JSON. False when it was stopped early: what was done is said all the same. */
export async function agentEval(flags: AgentEvalFlags, world: AgentEvalWorld): Promise<boolean> {
  const stop = new AbortController();
  world.onStop(() => stop.abort());
  const cases = await readCases(flags.cases);
  const hostile = flags.hostile === undefined ? null : await readHostile(flags.hostile);
  const index = buildCatalogIndex(await readCatalog(flags.catalog));
  const progress = progressLine(process.stderr);
  const model = await world.open();
  let result: Evaluation;
  try {
    const { provider } = model;
    const asker = modelAsker({ provider, index, strategy: flags.strategy, seed: flags.seed, signal: stop.signal });
    result = await evaluate({
      index,
      cases,
      hostile,
      asker,
      limit: flags.limit ?? null,
      seed: flags.seed,
      threshold: DEFAULT_SETTINGS.auto_approve_threshold,
      stopped: () => stop.signal.aborted,
      progress: (line) => progress.say(line),
    });
  } finally {
    progress.clear();
    await model.close();
  }
  const label = `${model.provider.name}/${model.provider.model}`;
  world.say(tableOf(result, label));
  if (flags.json !== undefined) {
    const about = { provider: flags.provider, model: model.provider.model, strategy: flags.strategy, seed: flags.seed };
    await writeFile(flags.json, `${JSON.stringify(jsonOf(result, about), null, 2)}\n`);
  }
  return !result.cut;
}

async function readCatalog(path: string): Promise<CatalogFile> {
  const value = await readJson(path);
  if (!isCatalog(value)) {
    throw new AccessionError(
      failure('invalid', `"${path}" must be an object with the lists "artists", "albums" and "tracks".`),
    );
  }
  return value;
}

function isCatalog(value: unknown): value is CatalogFile {
  if (typeof value !== 'object' || value === null) return false;
  return ['artists', 'albums', 'tracks'].every((list) => Array.isArray(Reflect.get(value, list)));
}
