/** Builds a headless worker out of its parts. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as timeout } from 'node:timers/promises';
import { publishPorts, createUploader } from '#adapters/http/upload.ts';
import type { HttpOptions } from '#adapters/http/request.ts';
import { createServerClient } from '#adapters/http/server-client.ts';
import { createWorkClient } from '#adapters/http/work-client.ts';
import { modelOfSettings } from '#adapters/llm/agent-model.ts';
import { memoryState } from '#adapters/memory/job-store.ts';
import { openDiskBlobs } from '#adapters/node/disk-blob-store.ts';
import { hasFfmpeg } from '#adapters/node/native-ffmpeg.ts';
import type { LoopUsing } from '#adapters/work/run-worker.ts';
import { workOn, type WorkUsing } from '#adapters/work/work-on.ts';
import type { LlmProvider } from '#core/agent/llm/provider.ts';
import type { AgentModel } from '#core/agent/workflow/ports.ts';
import { provenWhereItCounts } from '#core/agent/workflow/strategy.ts';
import type { Settings } from '#core/config.ts';
import { randomIds } from '#core/ids.ts';
import type { LaneCore } from '#core/lane-core.ts';
import { ok, type Result } from '#core/result.ts';
import type { Agent } from '#core/run/agent.ts';
import { AGENT_OFF } from '#core/run/agent-state.ts';
import type { CliFrame, LaneCli, TakerPlace } from './lane-cli.ts';

export interface WorkerOptions {
  http: HttpOptions;
  settings: Settings;
  /** Opens the settings' model. */
  openModel(settings: Settings): Promise<Result<LlmProvider>>;
  lanes: readonly LaneCli[];
  /** By id. */
  cores: ReadonlyMap<string, LaneCore>;
  /** For what is in hand; null: a temporary directory, removed at the end. */
  directory: string | null;
  /** A native ffmpeg, used when it works. */
  ffmpeg: string;
  say(line: string): void;
  /** [playbooks.models] of accession.toml, and what opens one. */
  mapped: Readonly<Record<string, string>>;
  openMapped: CliFrame['openModel'];
  steps: TakerPlace['steps'];
}

export interface OpenedWorker {
  using: LoopUsing;
  /** `ffmpeg` or `ffmpeg in WebAssembly`, for the first line. */
  converter: string;
  close(): Promise<void>;
}

const clock = { now: () => Date.now() };
const timers = {
  set: (run: () => void, ms: number) => setTimeout(run, ms),
  clear: (timer: unknown) => clearTimeout(timer as NodeJS.Timeout),
};

export async function openWorker(options: WorkerOptions): Promise<OpenedWorker> {
  const { http, settings, cores, say } = options;
  const directory = options.directory ?? (await mkdtemp(join(tmpdir(), 'accession-work-')));
  const blobs = await openDiskBlobs(directory);
  const native = await hasFfmpeg(options.ffmpeg);
  const place = { http, settings, clock, ids: randomIds, timers, blobs, directory };
  const opening = options.lanes.flatMap(
    (lane) => lane.openWorker?.({ ...place, ffmpeg: native ? options.ffmpeg : null }) ?? [],
  );
  const lanes = await Promise.all(opening);
  const agent = workerAgent(options);
  const model = (): Promise<AgentModel | null> => agent.model({ demo: false });
  const taking = {
    http,
    clock,
    wait,
    say,
    model,
    mapped: options.mapped,
    openModel: options.openMapped,
    steps: options.steps,
  };
  const takers = await Promise.all(options.lanes.flatMap((lane) => lane.openTaker?.(taking) ?? []));
  const using: WorkUsing = {
    ...{ blobs, cores, settings, clock, ids: randomIds, random: Math.random, wait, say },
    work: createWorkClient(http),
    publish: publishPorts(createServerClient(http), createUploader({ ...http, blobs })),
    agent,
    agentState: memoryState(AGENT_OFF),
    runs: (upload) => lanes.map((lane) => lane.run(upload)),
    async refresh() {
      for (const lane of lanes) await lane.refresh();
    },
  };
  const rest = async (): Promise<void> => {
    for (const lane of lanes) await lane.rest();
  };
  return {
    using: {
      work: using.work,
      wait,
      say,
      async others(name, stop) {
        for (const taker of takers) {
          const taken = await taker.take(name, stop);
          if (!taken.ok || taken.value) return taken;
        }
        return ok(false);
      },
      async workOn(claim, stop) {
        try {
          await workOn(claim, using, stop);
        } finally {
          await rest();
          // What was in hand is on the server, or is fetched again.
          for await (const { sha256 } of blobs.list()) await blobs.delete(sha256);
        }
      },
    },
    converter: native ? options.ffmpeg : 'ffmpeg in WebAssembly',
    async close() {
      await rest();
      for (const taker of takers) await taker.close();
      if (options.directory === null) await rm(directory, { recursive: true, force: true });
    },
  };
}

/** The model of the settings, opened once for all that is put to it. */
export function workerAgent({ settings, openModel }: Pick<WorkerOptions, 'settings' | 'openModel'>): Agent {
  let opened: Promise<Result<LlmProvider>> | null = null;
  const model = modelOfSettings(settings, async () => {
    opened ??= openModel(settings).then((made) => provenAtFirstUse(made, settings));
    const result = await opened;
    // Tried anew the next time.
    if (!result.ok) opened = null;
    return result;
  });
  return { model: () => Promise.resolve(model), seed: () => Math.floor(Math.random() * 2 ** 31) };
}

/** AGENT-90: where `auto` has to know whether the model calls tools it is asked once, by a small request. */
async function provenAtFirstUse(made: Result<LlmProvider>, settings: Settings): Promise<Result<LlmProvider>> {
  if (!made.ok || settings.llm_strategy !== 'auto') return made;
  return ok(await provenWhereItCounts(made.value, settings.llm_timeout_secs * 1000));
}

/** Resolves after so many milliseconds, or when aborted. */
export async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  await timeout(milliseconds, undefined, { signal }).catch(() => undefined);
}
