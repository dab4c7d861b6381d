/** What a call of a tool may take: its own, the settings, the step. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { DEFAULT_SETTINGS } from '#core/config.ts';
import { boundsOf, raisedIn, USUAL_BOUNDS, type Cage, type ToolBounds } from '#core/toolbox/cage.ts';
import { ToolboxRun } from '#core/toolbox/run.ts';
import { TOOLS, toolNamed } from '#core/toolbox/tools.ts';
import { beginRun } from '#lanes/playbooks/core/run/begin.ts';
import { toolboxTools } from '#lanes/playbooks/core/tools/toolbox-tools.ts';
import { MemoryFiles } from '#lanes/playbooks/memory/memory-files.ts';
import { MemoryRuns } from '#lanes/playbooks/memory/memory-runs.ts';
import { ScriptedModel } from '../../fixtures/scripted-model.ts';

function cageThatHears(value: object): { cage: Cage; heard: ToolBounds[] } {
  const heard: ToolBounds[] = [];
  return {
    heard,
    cage: {
      run(_job, bounds) {
        heard.push(bounds);
        return Promise.resolve({ ok: true, value: { value, versions: ['E 1'] } });
      },
      close: () => undefined,
    },
  };
}
const ROWS = { columns: ['k'], types: ['INTEGER'], rows: [[1]], total: 1, truncated: false };

test('TOOLBOX-84 the settings raise what a tool may take and lower nothing; a step lowers it and raises nothing; a person says it for one call', () => {
  const own = { ...USUAL_BOUNDS, memoryMb: 1024 };
  expect(boundsOf(own, {})).toEqual(own);
  expect(boundsOf(own, { raised: { timeMs: 60_000, memoryMb: 700 } })).toEqual({ ...own, timeMs: 60_000 });
  expect(boundsOf(own, { lowered: { timeMs: 60_000, memoryMb: 700 } })).toEqual({ ...own, memoryMb: 700 });
  expect(boundsOf(own, { raised: { timeMs: 60_000 }, lowered: { timeMs: 30_000 } })).toEqual({
    ...own,
    timeMs: 30_000,
  });
  expect(boundsOf(own, { bounds: { timeMs: 1_000 } })).toEqual({ ...own, timeMs: 1_000 });
});

test('TOOLBOX-84 a call is given what the settings raise: time and memory of the engine, bytes in and out', async () => {
  const { cage, heard } = cageThatHears({ ...ROWS, rows: Array.from({ length: 1000 }, (_, at) => [at]) });
  const input = { tables: { t: `k\n${'1\n'.repeat(5_300_000)}` }, sql: 'select k from t' };
  const usual = new ToolboxRun({ cage });
  expect(await usual.call(toolNamed('frame_query'), input)).toMatchObject({ failure: { code: 'tool_limit' } });
  const raised = { timeMs: 60_000, memoryMb: 2048, inputBytes: 20 * 1024 * 1024 };
  const large = new ToolboxRun({ cage, raised });
  expect(await large.call(toolNamed('frame_query'), input)).toMatchObject({ answer: { truncated: null } });
  expect(heard).toEqual([{ ...USUAL_BOUNDS, ...raised }]);
  const small = new ToolboxRun({ cage, bounds: { resultBytes: 1024 } });
  const cut = await small.call(toolNamed('frame_query'), { tables: { t: 'k\n1\n' }, sql: 'select k from t' });
  expect(cut).toMatchObject({ answer: { truncated: [{ field: 'rows', total: 1000 }] } });
});

test('TOOLBOX-84 a step of a playbook lowers what its tool may take, and says what is no limit', async () => {
  const sha256 = (text: string): Promise<string> => Promise.resolve(createHash('sha256').update(text).digest('hex'));
  const { cage, heard } = cageThatHears(ROWS);
  const run = (limits: string) =>
    beginRun(
      {
        playbook: `playbook: 1\nname: a\nsteps:\n  - name: ask\n    tool: frame_query\n    limits: ${limits}\n    with: { tables: { t: "k\\n1\\n" }, sql: "select k from t" }\n    output: a.json\n`,
        ...{ config: {}, set: {}, overwrite: false },
      },
      new MemoryRuns(),
      {
        ...{ files: new MemoryFiles({}, sha256), sha256, wait: () => Promise.resolve(), clock: { now: () => 0 } },
        models: { nameOf: () => null, price: { in: 0, out: 0 }, open: () => Promise.resolve(new ScriptedModel([])) },
        tools: toolboxTools({ cage, raised: { timeMs: 60_000 } }),
      },
      { id: 'a', seed: 1, limits: {}, parallel: null, reuse: null },
    );
  expect(await run('{ tool_seconds: 5, tool_memory_mb: 256, tool_result_kb: 4 }')).toMatchObject({ end: { state: 'completed' } }); // prettier-ignore
  expect(heard).toEqual([{ ...USUAL_BOUNDS, timeMs: 5_000, memoryMb: 256, resultBytes: 4096 }]);
  expect(await run('{ tool_seconds: no }')).toMatchObject({ state: 'refused', faults: [{ code: 'playbook_value' }] });
  expect(await run('{ tool_hours: 1 }')).toMatchObject({ state: 'refused', faults: [{ code: 'playbook_key' }] });
});

test('TOOLBOX-90 what a browser has set raises as [toolbox.limits] does; where nothing was set, no tool has more than its own', () => {
  for (const { bounds } of TOOLS) expect(boundsOf(bounds, { raised: raisedIn(DEFAULT_SETTINGS) })).toEqual(bounds);
  const set = { toolbox_seconds: 40, toolbox_memory_mb: 2048, toolbox_result_kb: 512, toolbox_input_mb: 20 };
  expect(boundsOf(toolNamed('frame_query').bounds, { raised: raisedIn({ ...DEFAULT_SETTINGS, ...set }) })).toEqual({
    ...{ timeMs: 40_000, memoryMb: 2048, resultBytes: 512 * 1024, inputBytes: 20 * 1024 * 1024 },
  });
  expect(boundsOf(toolNamed('mine_classify').bounds, { raised: raisedIn({ ...DEFAULT_SETTINGS, ...set }) }).timeMs).toBe(60_000); // prettier-ignore
});
