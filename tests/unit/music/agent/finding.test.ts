import { expect, test } from 'vitest';
import { failure } from '#core/errors.ts';
import { findingOf } from '#lanes/music/core/agent/finding.ts';
import { buildCatalogIndex } from '#lanes/music/core/index/compact-index.ts';
import { agentCatalog } from '../../../fixtures/agent-catalog.ts';
import { choosing, runBatch, scripted, type Say } from './support.ts';

const standards = agentCatalog();
const index = buildCatalogIndex(standards.catalog);
const { files } = standards;

async function found(say: Say) {
  const { workflows } = await runBatch({ index, files, provider: scripted(say) });
  const [workflow] = workflows;
  if (workflow === undefined) throw new Error('nothing was asked');
  return findingOf(workflow);
}

test('AGENT-9 a finding says what was answered, why, by which model, with what agreement, and which albums came up', async () => {
  expect(await found(choosing('Standards', 'Marta Lindqvist Trio'))).toMatchObject({
    answer: `album:${standards.album_id}`,
    why: 'It says Standards, Marta Lindqvist Trio.',
    model: 'openai/scripted',
    recorded: false,
    agreement: 1,
    failed: null,
    looked_up: expect.arrayContaining([standards.album_id]),
  });
  expect(await found(() => ({ content: '{"answer":"NONE","why":"I do not know these."}' }))).toMatchObject({
    answer: 'none',
    why: 'I do not know these.',
  });
  expect(await found(() => ({ content: '{"answer":"ASK","why":"Two fit."}' }))).toMatchObject({ answer: 'ask' });
});

test('AGENT-9 why has at most 300 characters, and a finding that failed has the reason in its place', async () => {
  const long = await found(() => ({ content: JSON.stringify({ answer: 'NONE', why: 'so '.repeat(400) }) }));
  expect(long.why.length).toBeLessThanOrEqual(300);
  const dead = await found(() => ({ ...failure('model_unreachable', 'Nothing answers.'), retryable: false }));
  expect(dead).toMatchObject({ answer: 'failed', why: '', agreement: 0, failed: expect.stringContaining('Nothing') });
});
