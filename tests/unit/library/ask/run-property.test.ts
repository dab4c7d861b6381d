import { appendFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import * as v from 'valibot';
import { mix, seeded } from '#core/agent/prompt/random.ts';
import { readTool } from '#core/agent/tools/make-tool.ts';
import { entriesOf } from '#core/agent/workflow/journal.ts';
import { failure } from '#core/errors.ts';
import type { Answer } from '#lanes/library/core/ask/answer/answer.types.ts';
import { replay } from '#lanes/library/core/ask/run/replay.ts';
import { answerIn } from '#lanes/library/core/ask/run/run-ask.ts';
import { LineSchema, readLines, type AskRun } from '#lanes/library/core/ask/run/transcript.ts';
import type { AskTool } from '#lanes/library/core/ask/tools/ask-tool.ts';
import { builtInTools } from '#lanes/library/core/ask/tools/built-in.ts';
import type { LibraryIndex } from '#lanes/library/core/search/library-index.ts';
import { CAPABLE, ScriptedModel, SMALL } from '../../../fixtures/scripted-model.ts';
import { ask, optionsOf, STATION, takeUp, worldOf } from './run-world.ts';
import { wildModel } from './wild-model.ts';

/** Fails, throws or answers another form, by what it is asked. */
const faulty: AskTool = {
  tool: readTool({
    name: 'faulty',
    description: 'Fails.',
    input: v.strictObject({ thing: v.string() }),
    output: v.object({ docs: v.array(v.unknown()) }),
    execute: ({ thing }) => {
      if (thing.length % 3 === 0) throw new Error('broken');
      if (thing.length % 3 === 1)
        return Promise.resolve({ ok: false, failure: failure('server_error', 'It is away.') });
      return Promise.resolve({ ok: true, output: { docs: [{ source_id: 'x' }] }, provenance: [] });
    },
  }),
};

const FILES = { ...STATION, 'crew.csv': 'boat,crew\nTern,4\nMarrow,8\n' };

const QUESTIONS = [
  'When does the station close in winter?',
  'Who paid the new winch, and how much does it cost?',
  'Who is the king of Norway?',
  'How many people does the Tern carry and when do spring tides come?',
];

/** `npm run soak -- ask`: its file gets the number of scripts. */
const soak = process.env['ACCESSION_SOAK'] ?? '';
const runs = soak === '' ? 30 : 3000;

it(
  `ASK-51, ASK-53, ASK-55, ASK-56 ${runs} random scripts, killed and taken up again, end the same within their bounds`,
  { timeout: soak === '' ? 600_000 : 7_200_000 },
  async () => {
    const tools = [...builtInTools(), faulty];
    for (let seed = 1; seed <= runs; seed++) {
      const next = seeded(mix(seed, 1));
      const question = QUESTIONS[Math.floor(next() * QUESTIONS.length)] ?? '';
      const able = next() < 0.6 ? CAPABLE : SMALL;
      const tokens = next() < 0.3 ? 300 + Math.floor(next() * 3000) : null;
      const iterations = 1 + Math.floor(next() * 4);
      const options = optionsOf({
        tools: ['rag_retrieve', 'faulty', 'calculator', 'load_table'],
        iterations,
        expand: Math.floor(next() * 3),
        budgets: { tokens },
      });
      const world = async (before = '', dies = Infinity, model = new ScriptedModel(wildModel(seed), able)) => ({
        model,
        ...(await worldOf(FILES, { provider: model, tools, before, dies })),
      });

      const whole = await world();
      const { run, answer } = await ask(question, whole, options);
      const said = `seed ${seed}`;
      if (answer === null) throw new Error(`${said}: no answer`);
      holds(run, { iterations, tokens }, said);
      opens(answer, whole.ports.context.index, said);
      const lines = readLines(whole.text());
      expect(
        lines.every((line) => v.is(LineSchema, line)),
        said,
      ).toBe(true);
      expect(JSON.stringify(replay(lines, whole.ports.tools)), said).toBe(JSON.stringify(answer));

      for (let kill = 0; kill < 3; kill++) {
        const dies = 1 + Math.floor(next() * (lines.length - 1));
        const first = await world('', dies);
        await ask(question, first, options).catch(() => null);
        const second = await world(first.text());
        const end = await takeUp(first.text(), second);
        expect(JSON.stringify(answerIn(end)), `${said}, killed after ${dies}`).toBe(JSON.stringify(answer));
        const ended = new Set(
          readLines(first.text()).flatMap(({ content }) => {
            const entry = content['entry'] as { kind?: string; call?: string } | undefined;
            return entry?.kind === 'tool_ended' || entry?.kind === 'tool_failed' ? [entry.call] : [];
          }),
        );
        const started = entriesOf(end.journal, 'tool_started').filter(({ call }) => !ended.has(call));
        const after = second.calls.filter(({ tool }) => tool === 'rag_retrieve').length;
        expect(after, said).toBeLessThanOrEqual(started.filter(({ tool }) => tool === 'rag_retrieve').length);
      }
    }
    if (soak !== '') appendFileSync(soak, `${runs}\n`);
  },
);

function holds(
  { journal, spent }: AskRun,
  { iterations, tokens }: { iterations: number; tokens: number | null },
  said: string,
): void {
  const plans = entriesOf(journal, 'context').filter(({ data }) => (data as { step?: string }).step === 'planned');
  expect(plans.length, said).toBeLessThanOrEqual(iterations);
  if (tokens !== null) expect(spent.tokens_in + spent.tokens_out, said).toBeLessThanOrEqual(tokens + 220);
  const calls = entriesOf(journal, 'tool_started').map(({ tool, input }) => `${tool} ${JSON.stringify(input)}`);
  expect(new Set(calls).size, said).toBe(calls.length);
  expect(
    calls.filter((call) => !/^(?:rag_retrieve|faulty|calculator|load_table) /.test(call)),
    said,
  ).toEqual([]);
  for (const { data } of plans) {
    const { subquestions, requested_tools } = data as {
      subquestions: unknown[];
      requested_tools: { input: { k?: number } }[];
    };
    expect(subquestions.length, said).toBeLessThanOrEqual(8);
    expect(
      requested_tools.every(({ input }) => input.k === undefined || input.k === 15),
      said,
    ).toBe(true);
  }
}

/** Each label opens its own quote: it stands at its place in its file. */
function opens({ citations, sentences, answer_text }: Answer, index: LibraryIndex, said: string): void {
  for (const { source_id, path, start, end, startLine, quote } of citations) {
    if (path === '') {
      expect(quote, said).toMatch(/ = /);
      continue;
    }
    const file = [...index.files()].find(({ kept }) => kept.sha256 === source_id && kept.path === path);
    const text = file?.of.text(file.kept) ?? '';
    expect(text.slice(start, end).replaceAll(/\s+/g, ' '), said).toBe(quote.replaceAll(/\s+/g, ' '));
    expect(text.slice(0, start).split('\n').length, said).toBe(startLine);
  }
  const labels = new Set(citations.map(({ label }) => label));
  expect(
    sentences.every((one) => one.labels.length > 0 && one.labels.every((label) => labels.has(label))),
    said,
  ).toBe(true);
  expect(
    [...answer_text.matchAll(/\[(\d+)\]/g)].every(([, label = '']) => labels.has(label)),
    said,
  ).toBe(true);
}
