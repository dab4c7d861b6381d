import { describe, expect, it } from 'vitest';
import { failure } from '#core/errors.ts';
import { fail, ok } from '#core/result.ts';
import { runTool } from '#core/agent/tools/run-tool.ts';
import { guideTools, type GuideToolContext } from '#lanes/guide/core/run/guide-tools.ts';
import { askModel, questionMessages } from '#lanes/guide/core/run/question.ts';
import { readReply } from '#lanes/guide/core/run/reply.ts';
import { GUIDE_TOOLS, type GuideToolName, type GuideView } from '#lanes/guide/core/run/run.types.ts';
import { FIGURES, playScript, scriptOf } from '../../soak/guide-worlds.ts';
import { demand, one, played } from './run-case.ts';

const VIEW: GuideView = {
  ...{ programmes: 200, failing: 30, plex_mismatch: true, recent_errors: `timeout\n${'x'.repeat(3000)}` },
  open: {
    ...{ METADATA_LOOKUP_FAILURE: 0, EPISODE_NUM_MISSING: 30, MOVIE_YEAR_MISSING: 0, PLACEHOLDER_TITLE: 10 },
    ...{ XMLTV_VALIDATION_ERROR: 4, LINEUP_MISMATCH: 2 },
  },
};
const QUESTION = {
  ...{ run: 'r1', channel: 'c1', view: VIEW },
  possible: ['rebuild_xmltv', 'reparse_filename_metadata'] as GuideToolName[],
};

describe('GUIDE-83 replies', () => {
  const object = (changes: Record<string, unknown> = {}): string =>
    JSON.stringify({ action: 'STOP', reason: 'done', confidence: 0.5, ...changes });

  it.each([
    ['bare', object()],
    ['a fence', `\`\`\`\n${object()}\n\`\`\``],
    ['a fence of json', `\`\`\`json\n${object({ reason: 'a `word`' })}\n\`\`\``],
    ['thinking before', `<think>\n{"action":"x"}\n</think>\n${object()}`],
    ['2,000 characters beyond the plane of 16 bits', object({ reason: '🎬'.repeat(2000) })],
  ])('%s is one', (_name, text) => {
    expect(readReply(text)).toMatchObject({ ok: true, action: 'STOP', taken: true });
  });

  it.each([
    ['two fences', `\`\`\`json\n${object()}\n\`\`\`\n\`\`\`json\n${object()}\n\`\`\``],
    ['a fence of another language', `\`\`\`yaml\n${object()}\n\`\`\``],
    ['words around a fence', `Here: \`\`\`json\n${object()}\n\`\`\``],
    ['two objects', `${object()}${object()}`],
    ['thinking alone', `<think>${object()}`],
    ['another field', object({ args: {} })],
    ['a blank reason', object({ reason: '\u00a0\n' })],
    ['2,001 characters', object({ reason: 'x'.repeat(2001) })],
    ['a text for a number', object({ confidence: '0.5' })],
    ['more than 1', object({ confidence: 1.0001 })],
    ['a list', `[${object()}]`],
    ['a comment', `${object()} // yes`],
  ])('%s is none', (_name, text) => {
    expect(readReply(text)).toEqual({ ok: false });
  });

  it('below 0.3 is read and not taken', () => {
    expect(readReply(object({ confidence: 0.29999 }))).toMatchObject({ ok: true, taken: false });
    expect(readReply(object({ confidence: 0.3 }))).toMatchObject({ ok: true, taken: true });
  });
});

describe('GUIDE-85 the question', () => {
  it('holds the six fields, counts and names in 2 KB', () => {
    const [, user] = questionMessages(QUESTION);
    const said = JSON.parse(user?.content ?? '') as { evidence: Record<string, unknown> };
    expect(said).toMatchObject({
      evidence: { metadata_failure_ratio: 0.15, placeholder_ratio: 0.05, plex_metadata_mismatch_flag: true },
      open_faults: { EPISODE_NUM_MISSING: 30, PLACEHOLDER_TITLE: 10, XMLTV_VALIDATION_ERROR: 4, LINEUP_MISMATCH: 2 },
      tools: ['rebuild_xmltv', 'reparse_filename_metadata', 'fetch_metadata_logs'],
    });
    expect(Object.keys(said.evidence)).toHaveLength(6);
    expect(String(said.evidence['recent_metadata_errors']).length).toBeLessThanOrEqual(500);
    expect(user?.content.length).toBeLessThan(2048);
  });

  it('has no answer where the model fails or is cut', async () => {
    const capabilities = { nativeTools: false, jsonSchema: true, grammar: false, logprobs: false, contextLength: 4096 };
    const answers = (finish_reason: 'stop' | 'max_tokens') =>
      ok({
        ...{ message: { role: 'assistant' as const, content: 'x' }, finish_reason },
        usage: { tokens_in: 1, tokens_out: 1, milliseconds: 1 },
      });
    const options = { temperature: 0, timeoutMs: 1000 };
    const ask = (answer: unknown) =>
      askModel({ capabilities, complete: () => Promise.resolve(answer) } as never, QUESTION, options);
    expect(await ask(answers('stop'))).toBe('x');
    expect(await ask(answers('max_tokens'))).toBeNull();
    expect(await ask(fail(failure('model_unreachable', 'away')))).toBeNull();
  });
});

describe('GUIDE-86 tools', () => {
  const NOTHING = { changed: 0, diff: [], skipped: [] };
  const seen: unknown[] = [];
  const work = (context: GuideToolContext) => {
    seen.push(context);
    return Promise.resolve(NOTHING);
  };
  const registry = guideTools({
    ...{ rebuild_xmltv: work, refresh_plex_metadata: work, reparse_filename_metadata: work, re_enrich_metadata: work },
    fetch_metadata_logs: work,
  });
  const context: GuideToolContext = {
    ...{ faults: () => Promise.resolve([]), sources: () => Promise.resolve(null) },
    ...{ fill: () => Promise.resolve(NOTHING), log: () => Promise.resolve() },
  };
  const call = (more: { codeWrites?: string[]; last?: number | null }) =>
    runTool(
      {
        ...{ registry, allowed: registry.names, entities: {}, journal: [], workflowId: 'w', context },
        ...{ clock: { now: () => 100_000 }, wait: () => Promise.resolve() },
        ...(more.codeWrites ? { codeWrites: more.codeWrites } : {}),
        lastUse: () => more.last ?? null,
      },
      { call: 's1', tool: 'rebuild_xmltv', input: {}, by: 'code' },
    );

  it('are five, all low, with the limits of the specification', () => {
    expect(registry.names).toEqual([...GUIDE_TOOLS]);
    expect(
      registry.names
        .map((name) => registry.get(name))
        .map((tool) => `${tool?.risk} ${tool?.limits.cooldownMs} ${tool?.limits.retries}`),
    ).toEqual([...Array<string>(4).fill('low 30000 1'), 'low 5000 1']);
  });

  it('reach four methods and nothing else, in a run as here', async () => {
    expect(await call({ codeWrites: ['rebuild_xmltv'] })).toMatchObject({ kind: 'done' });
    expect(seen.map((reached) => Object.keys(reached as object).sort())).toEqual([
      ['faults', 'fill', 'log', 'sources'],
    ]);
    const { world } = await played(one({ XMLTV_VALIDATION_ERROR: 1 }), [demand(0)]);
    expect(world.contexts.map((reached) => Object.keys(reached).sort())).toEqual([
      ['faults', 'fill', 'log', 'sources'],
    ]);
  });

  it('are refused where code does not name them, and too soon after any use', async () => {
    const refused = { kind: 'failed', failure: { code: 'tool_refused' } };
    expect(await call({})).toMatchObject(refused);
    expect(await call({ codeWrites: ['re_enrich_metadata'] })).toMatchObject(refused);
    expect(await call({ codeWrites: ['rebuild_xmltv'], last: 70_001 })).toMatchObject(refused);
    expect(await call({ codeWrites: ['rebuild_xmltv'], last: 70_000 })).toMatchObject({ kind: 'done' });
  });
});

it('GUIDE-94 120 random worlds, two of them with a death at every change', async () => {
  const nothing = Object.fromEntries(FIGURES.map((name) => [name, 0]));
  for (let seed = 1; seed <= 120; seed++) {
    const script = scriptOf(seed);
    const { found, changes } = await playScript(script);
    expect({ seed, found }).toEqual({ seed, found: nothing });
    const deaths = seed <= 2 ? Array.from({ length: changes }, (_, index) => index + 1) : [1 + (seed % changes)];
    for (const death of deaths)
      for (const written of [false, true]) {
        const died = await playScript(script, (change, at) => change === death && at === written);
        expect({ seed, death, written, found: died.found }).toEqual({ seed, death, written, found: nothing });
      }
  }
});
