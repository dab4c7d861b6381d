import { describe, expect, test } from 'vitest';
import { modelOfSettings } from '#adapters/llm/agent-model.ts';
import type { LlmProvider } from '#core/agent/llm/provider.ts';
import { DEFAULT_SETTINGS } from '#core/config.ts';
import { failure } from '#core/errors.ts';
import { fail, ok, type Result } from '#core/result.ts';
import { createMusicEngine } from '#lanes/music/agent/music-engine.ts';
import { buildCatalogIndex } from '#lanes/music/core/index/compact-index.ts';
import { agentCatalog } from '../../fixtures/agent-catalog.ts';
import { testClock } from '../../fixtures/job.ts';
import { ScriptedModel, SMALL } from '../../fixtures/scripted-model.ts';
import { flacBytes, probeOutcome, uploadBench } from '../../fixtures/upload-bench.ts';
import { sha256 } from '../../fixtures/vorbis-file.ts';

const { catalog, files } = agentCatalog();
const index = buildCatalogIndex(catalog);

function world(open: () => Promise<Result<LlmProvider>>) {
  const sent = files.map((file, at) => ({ ...file, bytes: flacBytes(at + 1) }));
  const known = new Map(sent.map(({ bytes, tags, duration_ms }) => [sha256(bytes), { tags, duration_ms }]));
  const settings = { ...DEFAULT_SETTINGS, llm_provider: 'ollama' as const, llm_model: 'any' };
  const model = modelOfSettings(settings, open);
  const engine = createMusicEngine({
    clock: testClock(),
    timers: { set: (run) => setImmediate(run), clear: () => undefined },
    index: () => Promise.resolve(index),
    requests: () => Promise.resolve([]),
    cursor: () => Promise.resolve('test'),
  });
  return uploadBench({
    ...{ catalog, files: sent, engine: () => Promise.resolve(engine) },
    probe: (content) => ok(probeOutcome(known.get(content))),
    using: { agent: { model: () => Promise.resolve(model), seed: () => 1 } },
  });
}

describe("the worker's agent", () => {
  test('WORK-13, AGENT-66 what its searches came upon lets the evidence decide, as in the app', async () => {
    const { rows, saves, work } = world(async () =>
      ok(new ScriptedModel(() => ({ say: '{"choice":"none","why":"x"}' }), SMALL)),
    );
    await work();
    const byPath = new Map(rows().jobs.map((job) => [job.path, job.matched_track_id]));
    expect(files.map(({ path }) => byPath.get(path))).toEqual(files.map((file) => file.track_id));
    expect(saves.some(({ steps }) => steps.some(({ step }) => step.step_type === 'ToolCall'))).toBe(true);
  });

  test('WORK-13, WORK-32 a model that cannot be reached leaves the question to the person, with the reason', async () => {
    let opened = 0;
    const { rows, saves, work } = world(async () => {
      opened += 1;
      return fail(failure('model_unreachable', 'Nothing answers at the address of the model.'));
    });
    await work();
    expect(opened).toBe(1);
    expect(rows().jobs.every((job) => job.phase === 'review')).toBe(true);
    const [review] = rows().reviews;
    expect(review?.advice?.failed).toContain('Nothing answers');
    expect(saves.at(-1)?.state).toBe('waiting');
  });
});
