/** `accession guide resolve | undo` over a server's database, beside the running server. */
import { Command } from 'commander';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CliFrame } from '#cli/lane-cli.ts';
import { cli } from '#lanes/guide/cli/lane-cli.ts';
import {
  FAULTY,
  guideTestServer,
  guideXml,
  ON,
  programme,
  SOUND,
  type GuideTestServer,
} from '../fixtures/guide-server.ts';

const GUIDE = guideXml([
  ...[1, 2, 3].map((n) => programme(n, FAULTY(n))),
  ...[4, 5, 6, 7, 8, 9, 10].map((n) => programme(n, SOUND)),
]);

let server: GuideTestServer;
beforeEach(async () => {
  server = await guideTestServer();
  await server.api('PUT', '/v1/guide/settings', { metadata_self_resolution_enabled: false });
  await server.put(GUIDE);
  await server.service.settled();
});
afterEach(async () => {
  process.exitCode = undefined;
  await server.end();
});

async function guide(...args: string[]): Promise<[said: string[], code: number]> {
  const said: string[] = [];
  const frame: Pick<CliFrame, 'say' | 'withGuides'> = {
    say: (line) => void said.push(line),
    withGuides: (_data, work) => work({ ...server.deps, guide: { runs: ON } }),
  };
  const program = new Command().exitOverride();
  for (const { register } of cli.commands) register(program, frame as CliFrame);
  process.exitCode = 0;
  await program.parseAsync(['guide', ...args], { from: 'user' });
  return [said, Number(process.exitCode)];
}

test('GUIDE-134 a run by hand goes through the gates, says each change with its reason, and is taken back by its id', async () => {
  const [refused, one] = await guide('resolve');
  expect([one, refused[0]]).toEqual([1, expect.stringMatching(/^No run: disabled\. .*\[ai_agent\]/)]);
  await server.api('PUT', '/v1/guide/settings', { metadata_self_resolution_enabled: true });
  const source = await server.exported();
  const [dry, would] = await guide('resolve', '--dry-run');
  expect([would, dry.at(-1)]).toEqual([0, 'success: 30.0 % lacked something, now 0.0 %']);
  expect(dry.some((line) => /one@20260310010000 \+0000 episode-num: nothing -> 1\.0\. \(.+\)/.test(line))).toBe(true);
  expect(await server.exported()).toBe(source);
  const [done, zero] = await guide('resolve');
  expect([zero, done.at(-1)]).toEqual([0, dry.at(-1)]);
  expect(await server.exported()).not.toBe(source);
  const id = /^Run (\S+) of channel global$/.exec(done[0] ?? '')?.[1] ?? '';
  expect(await guide('undo', id)).toEqual([['3 taken back, 0 left'], 0]);
  expect(await server.exported()).toBe(source);
  const [again, left] = await guide('undo', id);
  expect([left, again.at(-1)]).toEqual([1, '0 taken back, 3 left']);
  await expect(guide('undo', 'nobody')).rejects.toThrow('There is nothing to take back');
  const log = (await server.api<{ items: { action: string; user_id: string }[] }>('GET', '/v1/audit')).body.items;
  expect(log.filter(({ user_id }) => user_id === 'command-line').map(({ action }) => action)).toEqual([
    ...['guide.undone', 'guide.undone', 'guide.run'],
  ]);
});

test('GUIDE-134 a run of one channel is its own, and waits for its cooldown', async () => {
  await server.api('PUT', '/v1/guide/settings', { metadata_self_resolution_enabled: true });
  const [said, code] = await guide('resolve', '--channel', 'one');
  expect([code, /channel one$/.test(said[0] ?? '')]).toEqual([0, true]);
  expect((await guide('resolve', '--channel', 'one'))[0][0]).toMatch(/^No run: cooldown\./);
  expect(await server.store.db.selectFrom('guide_processes').selectAll().execute()).toEqual([]);
});
