import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterEach, expect, test } from 'vitest';
import type { CliFrame } from '#cli/lane-cli.ts';
import { INTERRUPTED } from '#cli/lane-cli.ts';
import type { LlmProvider } from '#core/agent/llm/provider.ts';
import { recordingFile } from '#adapters/toolbox/node/kept-answers.ts';
import { read, recordingNet } from '#adapters/toolbox/recordings.ts';
import { ok } from '#core/result.ts';
import type { Net } from '#core/toolbox/connectors/net.ts';
import { wikipedia } from '#core/toolbox/connectors/wikipedia.ts';
import { ToolboxRun } from '#core/toolbox/run.ts';
import { cli } from '#lanes/library/cli/lane-cli.ts';
import { CAPABLE, ScriptedModel } from '../../fixtures/scripted-model.ts';

interface Wishes {
  provider?: LlmProvider;
  onStop?: (stop: () => void) => void;
}

afterEach(() => {
  process.exitCode = undefined;
});

async function accession(args: string[], { provider, onStop = () => undefined }: Wishes = {}): Promise<string> {
  const said: string[] = [];
  const program = new Command();
  const unused = () => Promise.reject(new Error('not asked for'));
  const frame: CliFrame = {
    stepTools: () => Promise.resolve([]),
    loadFolders: unused,
    withPlans: unused,
    withLibrary: unused,
    withGuides: unused,
    onStop,
    say: (line) => void said.push(line),
    openModel: () => (provider ? Promise.resolve({ provider, close: () => Promise.resolve() }) : unused()),
  };
  for (const { register } of cli.commands) register(program, frame);
  await program.parseAsync(['node', 'accession', ...args]);
  return said.join('\n');
}

async function place(): Promise<{ folder: string; data: string; where: string[] }> {
  const dir = await mkdtemp(join(tmpdir(), 'ask-'));
  const [folder, data] = [join(dir, 'notes'), join(dir, 'data')];
  await mkdir(folder);
  await writeFile(
    join(folder, 'bells.md'),
    '# Bells\n\nThe great bell weighs 1,840 kilograms.\n\nsk-test1234567890abcdef is the key.\n',
  );
  return { folder, data, where: ['--library', folder, '--data', data] };
}

const WEIGHT = 'How much does the great bell weigh?';

test('ASK-58 ask QUESTION answers with its source, and leaves a transcript and metrics that replay', async () => {
  const { data, where } = await place();
  const said = await accession(['ask', WEIGHT, ...where, '--agent', '--iterations', '2', '--tools', 'rag_retrieve']);
  expect(said).toContain('“The great bell weighs 1,840 kilograms.” [1]');
  expect(said).toContain('[1] bells.md:3');
  const runs = join(data, 'logs', 'agent_runs');
  const names = await readdir(runs);
  expect(names.filter((name) => /^\d{4}-.*_how-much-does-the-great-bell-weigh\.jsonl$/.test(name))).toHaveLength(1);
  expect(JSON.parse(await readFile(join(runs, 'metrics.json'), 'utf8'))).toMatchObject({
    totals: { status: 'answered' },
  });
  const transcript = join(runs, names.find((name) => name.endsWith('.jsonl')) ?? '');
  expect(await readFile(transcript, 'utf8')).not.toContain('sk-test1234567890');
  const again = await accession(['ask', '--replay', transcript]);
  expect(said.startsWith(again)).toBe(true);
});

test('ASK-57 flags go over the configuration file, that over accession.toml', async () => {
  const { data, where } = await place();
  await mkdir(data, { recursive: true });
  await writeFile(join(data, 'accession.toml'), '[ask]\nenabled = true\niterations = 4\nretriever = { k = 3 }\n');
  const config = join(data, 'ask.yaml');
  await writeFile(
    config,
    'agent:\n  iterations: 5\n  budgets:\n    tokens: null\n  tools:\n    allow: [rag_retrieve]\n    domains: []\n  retriever: {profile: bm25}\n',
  );
  const transcript = join(data, 'one.jsonl');
  await accession(['ask', WEIGHT, ...where, '--config', config, '--iterations', '2', '--transcript', transcript]);
  const [first = ''] = (await readFile(transcript, 'utf8')).split('\n');
  expect(JSON.parse(first)).toMatchObject({
    content: { run: { input: { options: { enabled: true, iterations: 2, retriever: { profile: 'bm25', k: 3 } } } } },
  });
});

test.each([
  [['--iterations', '0'], /the command line: iterations must be 1 to 20/],
  [['--confidence', '1.5'], /confidence must be 0 to 1/],
  [['--budget.cost', '1'], /price/],
  [['--tools', 'rag_retrieve,shell'], /no tool "shell"/],
])('ASK-57 %j is refused before anything runs', async (flags, message) => {
  const { data, where } = await place();
  await expect(accession(['ask', WEIGHT, ...where, ...flags])).rejects.toThrow(message);
  await expect(readdir(join(data, 'logs'))).rejects.toThrow();
});

test('ASK-58 Ctrl-C leaves a run that resumes, without the question being said again', async () => {
  const { data, where } = await place();
  let stop = (): void => undefined;
  const stuck = new ScriptedModel(() => {
    queueMicrotask(() => stop());
    return { hang: true };
  }, CAPABLE);
  const transcript = join(data, 'cut.jsonl');
  const model = ['--provider', 'scripted', '--transcript', transcript, '--agent', 'on'];
  const said = await accession(['ask', WEIGHT, ...where, ...model], { provider: stuck, onStop: (one) => (stop = one) });
  expect(said).toContain(`accession ask --resume ${transcript}`);
  expect(process.exitCode).toBe(INTERRUPTED);
  const gone = new ScriptedModel([{ fail: 'model_missing', message: 'The model is gone.' }], CAPABLE);
  const resumed = await accession(['ask', ...where, '--provider', 'scripted', '--resume', transcript], {
    provider: gone,
  });
  expect(resumed).toContain('1,840 kilograms');
  expect(resumed).toContain('The model is gone.');
  await expect(
    accession(['ask', 'Another?', ...where, '--provider', 'scripted', '--resume', transcript], { provider: gone }),
  ).rejects.toThrow(/the question is another/);
});

test('ASK-75 tools of the data directory and of --tools-dir are there; a file that cannot be taken is refused by its name', async () => {
  const { data, where } = await place();
  const tool = (name: string): string =>
    `name: ${name}\nversion: 1\ndescription: d\ninput_schema: {type: object, properties: {q: {type: string}}}\nrun: {use: rag_retrieve, with: {query: '{q}', k: 3}}\n`;
  await mkdir(join(data, 'tools'), { recursive: true });
  await writeFile(join(data, 'tools', 'usual.yaml'), tool('usual'));
  const own = join(data, 'own');
  await mkdir(own);
  await writeFile(join(own, 'mine.yml'), tool('mine'));
  const asked = ['ask', WEIGHT, ...where, '--tools', 'rag_retrieve,usual,mine', '--tools-dir', own];
  expect(await accession(asked)).toContain('1,840 kilograms');
  await expect(accession(['ask', WEIGHT, ...where, '--tools', 'other'])).rejects.toThrow(
    /There is no tool "other"\. There are: rag_retrieve, calculator, load_table, web_search, usual, stat_describe, .*, tex, gis_read, .*\.$/,
  );
  await expect(accession(['ask', WEIGHT, ...where, '--tools', 'web_search'])).rejects.toThrow(
    /no domain may be reached/,
  );
  await writeFile(join(own, 'bad.yaml'), `${tool('bad')}code: rm\n`);
  await expect(accession(asked)).rejects.toThrow(/bad\.yaml: code/);
  await expect(accession([...asked, '--tools-dir', join(data, 'none')])).rejects.toThrow(/There is no folder/);
});

/** Asks for a mean of what the table says, once of numbers that nobody said, then quotes what came back. */
function computing(request: { messages: readonly { content: string }[] }): { say: string } {
  const seen = request.messages.map(({ content }) => content).join('\n');
  const letter = /([A-Z])[^A-Z]{0,60}frame_query: columns = /.exec(seen)?.[1];
  if (letter !== undefined)
    return {
      say: JSON.stringify({
        sentences: [{ text: 'The mean is 3.5.', quotes: [{ letter, quote: 'rows = [[3.5]]' }] }],
        ...{ confidence: 0.9, why: '' },
      }),
    };
  const input = (rows: string) => ({ tables: { t: `kg\n${rows}` }, sql: 'select avg(kg) as mean from t' });
  return {
    say: JSON.stringify({
      ...{ subquestions: [], expanded_queries: [], confidence: 0.9, why: '' },
      requested_tools: [
        { name: 'frame_query', input: input('2\n5\n') },
        { name: 'frame_query', input: input('2\n77\n') },
      ],
    }),
  };
}

test('ASK-100, ASK-101 --tools names tools of the toolbox: they compute on what was found, and the answer cites what they said', async () => {
  const { data, where, folder } = await place();
  await writeFile(join(folder, 'weights.md'), '# Weights\n\nThe small bell weighs 2 kg and the middle bell 5 kg.\n');
  const transcript = join(data, 'tool.jsonl');
  const flags = ['--agent', 'on', '--iterations', '2', '--confidence', '0.99', '--transcript', transcript, '--json'];
  const question = 'What do the small bell and the middle bell weigh, and who is the mayor of Oslo?';
  const asked = ['ask', question, ...where, '--provider', 'scripted', '--tools', 'rag_retrieve,frame_query', ...flags];
  const answer = JSON.parse(await accession(asked, { provider: new ScriptedModel(computing, CAPABLE) })) as {
    citations: { title: string; quote: string }[];
  };
  expect(answer.citations).toContainEqual(expect.objectContaining({ title: 'frame_query r1' }) as unknown);
  const text = await readFile(transcript, 'utf8');
  expect(text).toContain('77 stands neither in the question nor in what was found');
  expect(text).toMatch(/"source":"engine","ref":"DuckDB /);
});

/** Asks for the article, then quotes what it says. */
function reading(request: { messages: readonly { content: string }[] }): { say: string } {
  const seen = request.messages.map(({ content }) => content).join('\n');
  const letter = /([A-Z])[^A-Z]{0,60}It has 150 records/.exec(seen)?.[1];
  if (letter !== undefined)
    return {
      say: JSON.stringify({
        sentences: [{ text: 'The iris data set has 150 records.', quotes: [{ letter, quote: 'It has 150 records' }] }],
        ...{ confidence: 0.9, why: '' },
      }),
    };
  const call = (title: string, language: string) => ({ name: 'wikipedia', input: { what: 'text', title, language } });
  return {
    say: JSON.stringify({
      ...{ subquestions: [], expanded_queries: [], confidence: 0.9, why: '' },
      requested_tools: [call('Iris flower data set', 'en'), call('Iris flower data set', 'de')],
    }),
  };
}

test('ASK-102 a question asks sources at the domains that the person says, and cites what they answered with their address', async () => {
  const { data, where } = await place();
  const tape = join(data, 'tape.jsonl');
  await mkdir(data, { recursive: true });
  const recorded = await recordingFile(tape, true);
  const bytes = new TextEncoder().encode(
    JSON.stringify({
      query: {
        pages: [
          {
            ...{
              pageid: 1,
              title: 'Iris flower data set',
              extract: 'A data set.\n\n== Size ==\nIt has 150 records.\n',
            },
            canonicalurl: 'https://en.wikipedia.org/wiki/Iris_flower_data_set',
            revisions: [{ revid: 7, timestamp: '2026-10-01T08:00:00Z' }],
          },
        ],
      },
    }),
  );
  const answering: Net = {
    ask: ({ url }) =>
      Promise.resolve(
        ok({ url, type: 'application/json', charset: 'utf-8', at: 0, ...read(bytes, 'utf-8'), recorded: false }),
      ),
  };
  const cage = { run: () => Promise.reject(new Error('a cage was reached')), close: () => undefined };
  const run = new ToolboxRun({ cage, net: recordingNet(answering, recorded) });
  for (const language of ['en', 'de'])
    await run.call(wikipedia, { what: 'text', title: 'Iris flower data set', language });

  const transcript = join(data, 'tool.jsonl');
  const question = 'How many records has the iris data set, and who is the mayor of Oslo?';
  const tools = ['--provider', 'scripted', '--tools', 'rag_retrieve,wikipedia', '--replay-sources', tape];
  const flags = ['--agent', 'on', '--iterations', '2', '--confidence', '0.99', '--transcript', transcript, '--json'];
  const provider = new ScriptedModel(reading, CAPABLE);
  await expect(accession(['ask', question, ...where, ...tools, ...flags], { provider })).rejects.toThrow(
    /no domain may be reached/,
  );
  const asked = ['ask', question, ...where, ...tools, ...flags, '--domains', 'en.wikipedia.org'];
  const answer = JSON.parse(await accession(asked, { provider })) as { citations: { title: string; quote: string }[] };
  expect(answer.citations).toContainEqual(
    expect.objectContaining({
      title: 'wikipedia r1',
      url: 'https://en.wikipedia.org/wiki/Iris_flower_data_set',
    }) as unknown,
  );
  expect(await readFile(transcript, 'utf8')).toContain('de.wikipedia.org is not among the domains that may be asked');
});
