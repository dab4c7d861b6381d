/** `accession agent-eval`: how good a model is at the agent's questions, and what hostile text does to it. */
import { writeFile } from 'node:fs/promises';
import { readJson } from '#cli/json-lines.ts';
import type { OpenedModel } from '#cli/open-model.ts';
import { progressLine } from '#cli/progress.ts';
import type { Strategy } from '#core/agent/workflow/workflow.ts';
import { DEFAULT_SETTINGS } from '#core/config.ts';
import { failed } from '#core/errors.ts';
import type { CatalogFile, DownloadRequest } from '#lanes/music/core/catalog.ts';
import { buildCatalogIndex } from '#lanes/music/core/index/compact-index.ts';
import { readCases } from './eval/cases.ts';
import { engineWithTexts, withTexts, type CatalogTexts } from './eval/catalog-texts.ts';
import { evaluate, type Evaluation } from './eval/evaluate.ts';
import { readHostile } from './eval/hostile.ts';
import { jsonOf, tableOf } from './eval/report.ts';
import { DEFAULT_LIMITS } from '#core/agent/workflow/ports.ts';
import type { LlmProvider } from '#core/agent/llm/provider.ts';
import { RECORDED } from '#core/agent/llm/providers.ts';
import { ok } from '#core/result.ts';
import type { DoubtWorkflow } from '#core/run/agent.ts';
import { createMusicEngine } from '#lanes/music/agent/music-engine.ts';
import type { CatalogIndex } from '#lanes/music/core/index/catalog-index.ts';
import { seeded } from './eval/baselines.ts';
import type { Asker } from './eval/run-case.ts';

/** Doubts put to a model by the same engine as in the app. */
interface ModelAskerOptions {
  provider: LlmProvider;
  index: CatalogIndex;
  strategy: 'auto' | Strategy;
  seed: number;
  /** Stops the case in hand. */
  signal?: AbortSignal;
  /** What the model reads of the catalog says these, too. */
  texts?: CatalogTexts | null;
  /** Called with every workflow that ended, for tests. */
  onEnd?: (workflow: DoubtWorkflow) => void;
}

const timers = {
  set: (run: () => void, ms: number) => setTimeout(run, ms),
  clear: (timer: unknown) => clearTimeout(timer as NodeJS.Timeout),
};

export function modelAsker(options: ModelAskerOptions): Asker {
  const { provider, strategy, seed, signal, onEnd, texts = null } = options;
  const index = texts === null ? options.index : withTexts(options.index, texts);
  return {
    ...(signal ? { signal } : {}),
    model: {
      ...{ provider: provider.name, model: provider.model, recorded: provider.name === RECORDED, hosted: false },
      ...{ strategy, fingerprint: `${provider.name}/${provider.model}`, seed: null },
      options: {
        temperature: DEFAULT_SETTINGS.llm_temperature,
        timeoutMs: DEFAULT_SETTINGS.llm_timeout_secs * 1000,
        limits: DEFAULT_LIMITS,
        price: { in: 0, out: 0 },
      },
      open: () => Promise.resolve(ok(provider)),
    },
    engine({ case_id, context }, spend) {
      // What it wants is the matcher's to know.
      const request: DownloadRequest = {
        ...{ id: `request of ${case_id}`, status: 'pending', album_id: null, track_id: null },
        ...{ requested_by: 'eval', created_at: 0, fulfilled_at: null },
      };
      const clean = createMusicEngine({
        ...{ clock: { now: () => Date.now() }, timers },
        index: () => Promise.resolve(index),
        requests: () => Promise.resolve(context.type === 'download_request' ? [request] : []),
        cursor: () => Promise.resolve('eval'),
      });
      const engine = texts === null ? clean : engineWithTexts(clean, texts);
      return {
        ...engine,
        begin: (doubt, options) =>
          engine.begin(doubt, { ...options, seed: Math.floor(seeded(seed, doubt.key)() * 2 ** 31) }),
        async run(workflow, ports) {
          const ended = await engine.run(workflow, ports);
          const { iterations, tokens_in, tokens_out } = ended.spent;
          spend({ calls: iterations, tokens: tokens_in + tokens_out });
          onEnd?.(ended);
          return ended;
        },
      };
    },
  };
}

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
    const asked = { provider, index, strategy: flags.strategy, seed: flags.seed, signal: stop.signal };
    result = await evaluate({
      index,
      cases,
      hostile,
      asker: modelAsker(asked),
      askerOver: (texts) => modelAsker({ ...asked, texts }),
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
    throw failed('invalid', `"${path}" must be an object with the lists "artists", "albums" and "tracks".`);
  }
  return value;
}

function isCatalog(value: unknown): value is CatalogFile {
  if (typeof value !== 'object' || value === null) return false;
  return ['artists', 'albums', 'tracks'].every((list) => Array.isArray(Reflect.get(value, list)));
}
