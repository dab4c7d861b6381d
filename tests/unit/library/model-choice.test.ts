import { expect, test } from 'vitest';
import { DEFAULT_SETTINGS, type Settings } from '#core/config.ts';
import { looksLikeAgent } from '#core/ingest/agent-file.ts';
import { mayAskModel, modelFor } from '#lanes/library/browser/model-choice.ts';

const set = (patch: Partial<Settings>): Settings => ({ ...DEFAULT_SETTINGS, ...patch });
const OLLAMA = set({ llm_provider: 'ollama', llm_model: 'qwen' });

test('LIBRARY-93 an agent means the model of the settings, another one of the same server by its name, and no other provider', () => {
  expect(modelFor(DEFAULT_SETTINGS, {})).toBe('no model is set up');
  expect(modelFor(OLLAMA, {})).toMatchObject({ llm_model: 'qwen' });
  expect(modelFor(OLLAMA, { provider: 'ollama', model: 'llama' })).toMatchObject({ llm_model: 'llama' });
  expect(modelFor(OLLAMA, { provider: 'openai' })).toBe('the provider "openai" is not set up here');
  const local = set({ llm_provider: 'wllama', llm_model: 'tiny' });
  expect(modelFor(local, { model: 'other' })).toBe('the model "other" is not set up here');
  expect(modelFor(set({ llm_provider: 'broker' }), {})).toMatchObject({ llm_provider: 'broker' });
});

test("LIBRARY-93 on a machine of somebody else's a model is sent no file until the person has said so", () => {
  const hosted = { llm_provider: 'openai', llm_base_url: 'https://api.example.com', llm_model: 'm' } as const;
  expect(mayAskModel(set(hosted))).toBe(false);
  expect(mayAskModel(set({ ...hosted, library_asks_model: true }))).toBe(true);
  expect(mayAskModel(set({ llm_provider: 'broker' }))).toBe(false);
  expect(mayAskModel(OLLAMA)).toBe(true);
  expect(mayAskModel({ ...OLLAMA, library_asks_model: false })).toBe(false);
});

test('LIBRARY-92 a Markdown file is meant as an agent by its fields or headings, a note is a note', () => {
  expect(looksLikeAgent('---\nname: A\ncapabilities:\n---\n')).toBe(true);
  expect(looksLikeAgent('# A\n\n## System Prompt\n')).toBe(true);
  expect(looksLikeAgent('---\ntitle: A walk\n---\n# A walk\n\nThe capabilities of a boat.\n')).toBe(false);
});
