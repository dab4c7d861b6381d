import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DOMParser } from '@xmldom/xmldom';
import { Command } from 'commander';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cli } from '#lanes/guide/cli/lane-cli.ts';
import { parseLine, parseMemory } from '#lanes/guide/core/run/stored-run.ts';
import { block, channel } from './schedule-world.ts';
import { demand, one, played } from './run-case.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'accession-guide-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** `accession guide ...`, as the lane registers it; answers what it said. */
async function guide(...args: string[]): Promise<string[]> {
  const said: string[] = [];
  const program = new Command().exitOverride();
  for (const { register } of cli.commands) register(program, { say: (line: string) => said.push(line) } as never);
  await program.parseAsync(['guide', ...args], { from: 'user' });
  return said;
}

async function file(name: string, ...rows: unknown[]): Promise<string> {
  const path = join(folder, name);
  const text = rows.map((row) => (typeof row === 'string' ? row : JSON.stringify(row)));
  await writeFile(path, `${text.join('\n')}\n`);
  return path;
}

const VIDEOS = [
  {
    ...{
      id: 'e1',
      show: 's',
      season: 1,
      episode: 2,
      seconds: 1500,
      title: 'Salt & <Sons>',
      episode_title: 'The "end"',
    },
    aired: '2019-05-02T00:00:00Z',
  },
  { id: 'f1', show: 'f', seconds: 5400, title: 'A Film\u0007', aired: '1987' },
  { id: 'nothing', show: 'f', season: 2, episode: 0, seconds: 600 },
];
const channels = () =>
  file('channels.json', [
    channel([block({ shows: ['s', 'f'], pad: 30 }), block({ id: 'none', at: '08:00', until: '09:00', shows: ['x'] })]),
  ]);

it('GUIDE-95 GUIDE-96 derives XMLTV with what is known of each video, and says the conflicts', async () => {
  const out = join(folder, 'guide.xml');
  const videos = await file('videos.jsonl', ...VIDEOS, '');
  const args = [await channels(), '--videos', videos, '--out', out, '--from', '2026-01-05', '--days', '2'];
  expect(await guide('derive', ...args)).toEqual([
    '7 Seven: Block "none" has no video to play.',
    `4 programmes are in ${out}`,
  ]);
  const text = await readFile(out, 'utf8');
  const tv = new DOMParser().parseFromString(text, 'text/xml').documentElement;
  const programmes = [...(tv?.getElementsByTagName('programme') ?? [])];
  expect(programmes.map((programme) => programme.getAttribute('start'))).toEqual([
    ...['20260105200000 +0000', '20260105203000 +0000', '20260106200000 +0000', '20260106203000 +0000'],
  ]);
  const told = programmes.map((programme) =>
    [...programme.childNodes].map(({ nodeName, textContent }) => `${nodeName}=${textContent ?? ''}`),
  );
  expect(told[0]).toEqual([
    ...['title=Salt & <Sons>', 'sub-title=The "end"', 'date=20190502', 'category=Series', 'length=1500'],
    ...['episode-num=0.1.', 'episode-num=S01E02'],
  ]);
  expect(told[1]).toEqual(['title=A Film', 'date=1987', 'category=Movie', 'length=5400']);
  expect(told[2]).toEqual(['title=f', 'category=Series', 'length=600', 'episode-num=S02E00']);
  expect([...(tv?.getElementsByTagName('display-name') ?? [])].map(({ textContent }) => textContent)).toEqual([
    'Seven',
    '7',
  ]);

  await guide('derive', ...args, '--json');
  expect(JSON.parse((await readFile(out, 'utf8')).split('\n')[0] ?? '')).toEqual({
    ...{ channel: 'c', start: '2026-01-05T20:00:00Z', stop: '2026-01-05T20:25:00Z', video: 'e1' },
  });
});

it.each<[string, unknown, string]>([
  ['no JSON', '{', 'this is not JSON'],
  ['an unknown zone', channel([], { zone: 'Mars/Olympus' }), '0.zone: there is no time zone "Mars/Olympus"'],
  ['a day that is none', channel([], { from: '2026-02-30' }), '0.from: a day is written 2026-03-02'],
  ['a time that is none', channel([block({ at: '8:00' })]), '0.blocks.0.at: a time of the day is written 20:15'],
  ['another pad', channel([block({ pad: 7 })]), '0.blocks.0.pad'],
  ['no day', channel([block({ days: [] })]), '0.blocks.0.days: a block has a day'],
  ['an id twice', [channel([]), channel([])], 'two channels have one id'],
])('GUIDE-96 refuses %s with its place', async (_name, content, sentence) => {
  const bad = await file('bad.json', content);
  const videos = await file('videos.jsonl', ...VIDEOS);
  const run = guide('derive', bad, '--videos', videos, '--out', join(folder, 'x'));
  await expect(run).rejects.toThrow(sentence);
});

it('GUIDE-96 refuses a video with its line, a file that is not there, and days beyond two weeks', async () => {
  const videos = await file('bad.jsonl', VIDEOS[0], { id: 7 });
  const out = join(folder, 'x');
  await expect(guide('derive', await channels(), '--videos', videos, '--out', out)).rejects.toThrow(
    'bad.jsonl, line 2',
  );
  const away = join(folder, 'away');
  await expect(guide('derive', away, '--videos', videos, '--out', out)).rejects.toThrow(`"${away}" is not there.`);
  const days = guide('derive', await channels(), '--videos', videos, '--out', out, '--days', '15');
  await expect(days).rejects.toThrow('--days is a whole number from 1 to 14.');
});

it('GUIDE-97 GUIDE-98 tells a run again from its journal, the same each time, and refuses a damaged one', async () => {
  const repairs = { reparse_filename_metadata: { EPISODE_NUM_MISSING: 3 } };
  const { world } = await played(one({ EPISODE_NUM_MISSING: 3 }, repairs), [demand(0)]);
  const lines = await world.store.journal('r1');
  const journal = await file('run.jsonl', ...lines);
  const said = await guide('replay', journal);
  expect(said).toEqual([
    'Run r1 of channel global (demand)',
    '  reparse_filename_metadata (order): 3 changed, 0 left',
    'success',
    expect.stringMatching(/^changes [0-9a-f]{64}$/),
  ]);
  expect(await guide('replay', journal)).toEqual(said);
  const damaged = await file('damaged.jsonl', lines[0], { ...lines[1], event: { kind: 'looked' } });
  await expect(guide('replay', damaged)).rejects.toThrow('damaged.jsonl, line 2 cannot be read: event.view');
});

it('GUIDE-77 GUIDE-97 says in a sentence why a run was left to a person', async () => {
  const set = (at: number, changes: object) => ({ do: 'set' as const, at, ...changes });
  const { world } = await played(one({ EPISODE_NUM_MISSING: 55 }), [
    ...[set(0, { containment: true }), demand(0), set(300, { containment: false, pool: [19, 20] }), demand(300)],
    ...[set(600, { pool: null }), { do: 'restart' as const, at: 600, n: 12 }, demand(600, 'c1')],
    ...[set(1000, { circuit: 'OPEN', for: 60 }), demand(1000), demand(1400)],
  ]);
  const said: (string | undefined)[] = [];
  for (const { id } of world.store.records)
    said.push((await guide('replay', await file('one.jsonl', ...(await world.store.journal(id))))).at(-2));
  expect(said).toEqual([
    'The guide was not mended: containment is on.',
    'The guide was not mended: 95 % of the workers are busy, 90 % are the limit.',
    'Channel c1 was not mended: 12 restarts within a minute, 10 are the limit.',
    'The guide was not mended: look-ups failed 3 times in a row and rest.',
    'The guide still has faults in 55 % of its programmes, more than 40 %.',
  ]);
});

it('GUIDE-98 a memory comes back as it was, and a damaged one is refused', async () => {
  const { world } = await played(one({ EPISODE_NUM_MISSING: 3 }), [demand(0), demand(400, 'c1')]);
  const { memory } = world.store;
  expect(parseMemory(JSON.stringify(memory))).toEqual(memory);
  expect(() => parseMemory(JSON.stringify({ ...memory, probing: 7 }))).toThrow(
    'The memory of runs cannot be read: probing',
  );
  expect(() => parseMemory('')).toThrow('is not JSON');
  expect(() => parseLine('{"run":"r1","n":1,"at":0,"event":{"kind":"exploded"}}')).toThrow('event.kind');
});
