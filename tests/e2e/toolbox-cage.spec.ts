import { writeFileSync } from 'node:fs';
import { runCaged } from './support/cage-in-page.ts';
import { ENDLESS, SHORT_ENDLESS, wrongEnds, type Ended } from '../fixtures/toolbox/endless.ts';
import { enginesOfBuild, fromTest } from './support/engines-in-page.ts';
import { escapesFrom } from './support/escapes-in-page.ts';
import { expect, ONLINE, test } from './support/test.ts';

test.use(ONLINE);

test('TOOLBOX-27 nothing that runs in the cage of a browser reaches network, storage, other workers or the page', async ({
  page,
  server,
}) => {
  await page.goto(server.origin);
  const { tried, through } = await escapesFrom(page);
  // `npm run eval -- toolbox --browser` asks for the figures.
  const out = process.env['ACCESSION_ESCAPES_OUT'] ?? '';
  if (out !== '') writeFileSync(out, JSON.stringify({ tried, escapes: through.length }));
  expect(through).toEqual([]);
  expect(tried).toBeGreaterThan(40);
});

test('TOOLBOX-28 an engine that wants more memory than it may have says so, and goes on or is ended', async ({
  page,
  server,
}) => {
  await page.goto(server.origin);
  const wide = "select length(string_agg(repeat('x', 100000), '')) from range(20000)";
  const [sql] = await runCaged(page, 'sql', [{ program: 'query', data: { tables: {}, sql: wide } }], { memoryMb: 200 });
  expect(sql?.failure).toMatchObject({ code: 'tool_limit' });
  const [python] = await runCaged(page, 'python', [{ program: 'run', data: { code: 'len(bytearray(400_000_000))', data: null } }], { memoryMb: 200 }); // prettier-ignore
  expect(python?.failure).toMatchObject({ code: 'tool_limit' });
});

test('TOOLBOX-93 loops, memory and answers without end end at their bound, and the next call works', async ({
  page,
  server,
}) => {
  await page.goto(server.origin);
  // The short form, but for the long run.
  const isWhole = process.env['ACCESSION_SOAK'] !== undefined;
  if (isWhole) test.setTimeout(1_800_000);
  const rows = isWhole ? ENDLESS : SHORT_ENDLESS;
  const ended = await fromTest<Ended[]>(
    page,
    'endsInPage',
    enginesOfBuild(),
    rows.map(({ what }) => what),
  );
  expect(ended).toHaveLength(rows.length);
  expect(wrongEnds(ended, rows)).toEqual([]);
});
