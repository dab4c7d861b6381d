import { beforeAll, expect, test } from 'vitest';
import { schemaToGrammar } from '#adapters/models/grammar.ts';
import { actionSchema, choiceSchema } from '#core/agent/prompt/answer.ts';
import type { JsonSchema } from '#core/agent/llm/provider.ts';
import { AgentToolRegistry } from '#core/agent/tools/registry.ts';
import { musicWorkflow } from '#lanes/music/core/agent/definition.ts';
import { openGrammarEngine, type GrammarEngine } from '../../fixtures/grammar-engine.ts';
import { mistakesIn } from '../../fixtures/json-schema.ts';

/** Runs of each schema, and tokens after which an answer is wished to end. */
const RUNS = 40;
const MOST = 30;

let engine: GrammarEngine;
// Preparing 128,000 tokens is the engine's work, not the test's.
beforeAll(async () => {
  engine = await openGrammarEngine();
});

/** Every schema that the agent binds an answer to. */
function schemas(): [string, JsonSchema][] {
  const registry = new AgentToolRegistry(musicWorkflow.tools);
  const kinds = new Set(musicWorkflow.tools.flatMap((tool) => Object.values(tool.references)));
  const entities = Object.fromEntries(
    [...kinds].flatMap((kind, at) =>
      Array.from({ length: 12 }, (_, i) => [`${'ATFRQ'[at] ?? 'X'}${i + 1}`, { kind, id: `${kind}-${i}` }]),
    ),
  );
  const tools = registry.definitions(registry.names, entities);
  return [
    ['choice of two', choiceSchema(['A', 'B']).schema],
    ['choice of twelve', choiceSchema([...'ABCDEFGHIJKL']).schema],
    ['any tool', actionSchema(tools).schema],
    ...tools.map((tool): [string, JsonSchema] => [tool.name, actionSchema([tool]).schema]),
  ];
}

test('MODEL-12: every action schema compiles over a real vocabulary, and random answers under it are always valid', async () => {
  const all = schemas();
  expect(all).toHaveLength(3 + musicWorkflow.tools.length);
  const random = randomOf(20_261_122);
  for (const [name, schema] of all) {
    const grammar = await engine.compile(schemaToGrammar(schema, { bounded: false }));
    for (let run = 0; run < RUNS; run += 1) {
      const text = await engine.sample(grammar, random, Math.floor(random() * MOST));
      const value: unknown = JSON.parse(text);
      // Texts end by wish here; TextLimit holds their length where a model runs.
      expect(mistakesIn(schema, value), `${name}: ${text}`).toEqual([]);
      expect(text.replace(/"(\\.|[^"\\])*"/g, '""'), name).not.toMatch(/\s/);
    }
    grammar.dispose();
  }
});

test('MODEL-12: what no grammar allows is not sampled: other letters, missing and unknown fields, free blanks', async () => {
  const grammar = await engine.compile(schemaToGrammar(choiceSchema(['A', 'B']).schema, { bounded: false }));
  expect(await engine.allows(grammar, '{"answer":"A","why":"the lengths fit"}')).toBe(true);
  for (const text of [
    '{"answer":"C","why":"x"}',
    '{"answer":"A"}',
    '{"answer":"A","why":"x","more":1}',
    '{ "answer":"A","why":"x"}',
    '{"answer":"A","why":"x"} ',
    '{"answer":"A","why":"x',
    '{"answer":"A","why":"line\nend"}',
  ]) {
    expect(await engine.allows(grammar, text), text).toBe(false);
  }
});

/** 0 <= n < 1, the same for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
