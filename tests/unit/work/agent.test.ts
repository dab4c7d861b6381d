import { describe, expect, test } from 'vitest';
import { DoubtAsker } from '#adapters/work/agent.ts';
import { matchUpload } from '#lanes/music/work/match.ts';
import { WorkRows } from '#adapters/work/rows.ts';
import { modelOfSettings } from '#adapters/llm/agent-model.ts';
import { createMusicEngine } from '#lanes/music/agent/music-engine.ts';
import type { LlmProvider } from '#core/agent/llm/provider.ts';
import { DEFAULT_SETTINGS } from '#core/config.ts';
import { failure } from '#core/errors.ts';
import { newJob } from '#core/job/new-job.ts';
import { buildCatalogIndex } from '#lanes/music/core/index/build-index.ts';
import { fail, ok, type Result } from '#core/result.ts';
import { agentCatalog } from '../../fixtures/agent-catalog.ts';
import { countingIds, makeBatch, testClock } from '../../fixtures/job.ts';
import { ScriptedModel, SMALL } from '../../fixtures/scripted-model.ts';

const { catalog, files } = agentCatalog();
const index = buildCatalogIndex(catalog);

function world(open: () => Promise<Result<LlmProvider>>) {
  const using = { clock: testClock(), ids: countingIds() };
  const rows = new WorkRows(makeBatch(), using);
  for (const [at, { path, tags, duration_ms }] of files.entries()) {
    const facts = { id: `file-${at}`, now: 0, batch: rows.batch, original_filename: path, path };
    const job = newJob({ ...facts, file_size_bytes: 1, sha256: null });
    const evidence = { file_id: job.id, path, tags, duration_ms };
    rows.addJob({ ...job, evidence, phase: 'grouping', status: 'PROCESSING' });
  }
  const settings = { ...DEFAULT_SETTINGS, llm_provider: 'ollama' as const, llm_model: 'any' };
  const model = modelOfSettings(settings, open);
  if (!model) throw new Error('a model is set');
  const engine = createMusicEngine({
    clock: using.clock,
    timers: { set: (run) => setImmediate(run), clear: () => undefined },
    index: () => Promise.resolve(index),
    requests: () => Promise.resolve([]),
    cursor: () => Promise.resolve('test'),
  });
  const asker = new DoubtAsker({ ...using, engine, model, random: () => 0.5 });
  const match = () =>
    matchUpload({
      ...using,
      rows,
      index,
      request: undefined,
      held: new Map(),
      madeFrom: new Map(),
      threshold: 0.9,
      agent: true,
    });
  const settle = async (): Promise<number> => {
    let rounds = 0;
    for (let plan = match(); plan !== null && plan.doubts.length > 0 && rounds < 8; plan = match()) {
      rounds += 1;
      await asker.askAll(rows, plan.doubts, () => Promise.resolve(), new AbortController().signal);
    }
    return rounds;
  };
  return { rows, settle, clock: using.clock };
}

describe("the worker's agent", () => {
  test('WORK-13, AGENT-66 what its searches came upon lets the evidence decide, as in the app', async () => {
    const { rows, settle } = world(async () =>
      ok(new ScriptedModel(() => ({ say: '{"choice":"none","why":"x"}' }), SMALL)),
    );
    await settle();
    expect(rows.jobs().map((job) => job.matched_track_id)).toEqual(files.map((file) => file.track_id));
    expect(rows.unsaved().steps.some(({ step }) => step.step_type === 'ToolCall')).toBe(true);
  });

  test('WORK-13, WORK-32 a model that cannot be reached leaves the question to the person, with the reason', async () => {
    let opened = 0;
    const { rows, settle } = world(async () => {
      opened += 1;
      return fail(failure('model_unreachable', 'Nothing answers at the address of the model.'));
    });
    expect(await settle()).toBeLessThan(8);
    expect(opened).toBe(1);
    expect(rows.jobs().every((job) => job.phase === 'review')).toBe(true);
    const [review] = rows.reviews();
    expect(review?.advice?.failed).toContain('Nothing answers');
    expect(rows.state()).toBe('waiting');
  });
});
