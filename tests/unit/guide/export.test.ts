import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exportCommand, type ExportFlags } from '#lanes/guide/cli/export-command.ts';
import { mulberry32 } from '#core/mulberry32.ts';
import { dtdOfTable } from '../../../scripts/eval/guide/dtd-of-table.ts';
import { Judge } from '../../../scripts/eval/guide/dtd-agree.ts';
import { randomGuide } from '../../../scripts/eval/guide/random-guides.ts';
import { channel, fileOf, guide, programme } from './guide-world.ts';

/** What `accession guide export` writes, and says. */
async function exportOf(
  document: string,
  flags: Partial<ExportFlags> = {},
): Promise<{ text: string; said: string[]; code: number }> {
  const said: string[] = [];
  const out = `${fileOf('')}.out${flags.out ?? ''}`;
  const code = await exportCommand(fileOf(document), { ...flags, out }, (line) => said.push(line.replace(out, 'OUT')));
  expect(existsSync(`${out}.part`)).toBe(false);
  const bytes = readFileSync(out);
  return { text: (flags.out === '.gz' ? gunzipSync(bytes) : bytes).toString(), said, code };
}
const NUMBER = '<episode-num system="xmltv_ns">0.1.</episode-num>';
const tagsOf = (text: string, name: string): string[] =>
  text.match(new RegExp(`<${name}[ >][^]*?(?:/>|</${name}>)`, 'g')) ?? [];

test('GUIDE-26 writes a guide anew and says what it did, packed where the name says so', async () => {
  const whole = await exportOf(guide(programme()), { out: '.gz' });
  expect(whole).toMatchObject({ code: 0, said: ['1 programmes are in OUT, 0 fields were filled'] });
  expect(whole.text).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE tv SYSTEM "xmltv.dtd">
<tv>
  <channel id="a">
    <display-name>Alpha</display-name>
    <display-name>1</display-name>
  </channel>
  <programme start="20240501100000 +0000" channel="a">
    <title>The Long Road</title>
    <episode-num system="xmltv_ns">0.1.</episode-num>
  </programme>
</tv>
`);
  const cut = await exportOf(guide(programme() + programme()).slice(0, -30));
  expect(cut).toMatchObject({
    code: 1,
    said: ['The document breaks off before its end.', '1 programmes are in OUT, 0 fields were filled'],
  });
});

test('GUIDE-26 a file that cannot be written is no half guide', async () => {
  const file = fileOf(guide(programme()));
  await expect(exportCommand(file, { out: '/nowhere/out.xml' }, () => undefined)).rejects.toThrow(/ENOENT/);
  await expect(exportCommand('/nowhere.xml', { out: `${file}.out` }, () => undefined)).rejects.toMatchObject({
    failure: { code: 'not_found' },
  });
  await expect(
    exportCommand(file, { out: `${file}.out`, mend: true, shows: file }, () => undefined),
  ).rejects.toMatchObject({ failure: { code: 'invalid' } });
});

test('GUIDE-27 parts in order, once where once, and nothing unknown', async () => {
  const inside = `${NUMBER}<rerun/><date>2020</date><date>2021</date><desc>d<b>e</b></desc><icon width="3"/><length units="days">3</length>
    <rating><icon src="x"/></rating>words<video><aspect>4:3</aspect><present>yes</present></video><category code="1">Drama</category>`;
  const { text } = await exportOf(guide(programme({ inside, attributes: ' rating="5"' })));
  expect(tagsOf(text, 'programme')[0]?.replace(/\n\s*/g, '')).toBe(
    '<programme start="20240501100000 +0000" channel="a"><title>The Long Road</title><desc>d</desc><date>2020</date>' +
      '<category>Drama</category><episode-num system="xmltv_ns">0.1.</episode-num>' +
      '<video><present>yes</present><aspect>4:3</aspect></video></programme>',
  );
});

test('GUIDE-27 channels once, with a name, also those that nobody declared', async () => {
  const channels = `${channel('b', 'B')}<channel id="b"><display-name>B</display-name><icon src="i"/></channel><channel id="c"/><channel/>`;
  const { text } = await exportOf(guide(programme({ channel: 'b' }) + programme({ channel: 'd' }), channels));
  expect(text.slice(text.indexOf('<channel'), text.indexOf('<programme')).replace(/\n\s*/g, '')).toBe(
    '<channel id="b"><display-name>B</display-name><icon src="i"/></channel>' +
      '<channel id="c"><display-name>c</display-name></channel><channel id="d"><display-name>d</display-name></channel>',
  );
});

test.each([
  ['20240501100000 +0200', '20240501110000 CEST', 'start="20240501080000 +0000" stop="20240501090000 +0000"'],
  ['202405011000', '20240501103000', 'start="20240501100000 +0000" stop="20240501103000 +0000"'],
  ['2024-05-01T10:00:00+02:00', '2024-05-01 11:00', 'start="20240501080000 +0000" stop="20240501110000 +0000"'],
  ['20240501T1000Z', 'later', 'start="20240501100000 +0000" channel'],
  ['20240501100000 Z', '20240501090000 Z', 'start="20240501100000 +0000" channel'],
  ['20240501100000 Z', '20240501100000 Z', 'start="20240501100000 +0000" stop="20240501100000 +0000"'],
])('GUIDE-28 %s to %s', async (start, stop, expected) => {
  expect((await exportOf(guide(programme({ start, stop })))).text).toContain(`<programme ${expected}`);
});

test('GUIDE-29 nothing is lost that has a channel and a start, and its texts are as they were', async () => {
  const title = 'A &lt;b&gt; &amp; "c" &#13; é☃';
  const all =
    programme({ title }) +
    programme() +
    programme({ channel: 'x' }) +
    programme({ start: '20240501' }) +
    programme({ title: ' ' });
  const { text, said } = await exportOf(
    guide(all + `<programme start="20240501100000 Z"><title>T</title></programme>`),
  );
  expect(tagsOf(text, 'programme')).toHaveLength(4);
  expect(text).toContain('<title>A &lt;b&gt; &amp; "c" &#13; é☃</title>');
  expect(text).toContain('<title>Untitled</title>');
  expect(said).toEqual([
    '2 programmes were left out: no start that can be read, or no channel',
    '4 programmes are in OUT, 0 fields were filled',
  ]);
});

test('GUIDE-27 whatever is wrong with a guide, libxml2 calls its export valid', async () => {
  const judge = new Judge(dtdOfTable());
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 2 ** 31 - 1 }), async (seed) => {
      const document = randomGuide(mulberry32(seed)).replaceAll(/start="[^"]*"/g, 'start="20240501100000 Z"');
      const { text } = await exportOf(document);
      expect(judge.verdict(new TextEncoder().encode(text))).toBe('valid');
    }),
    { seed: 23, numRuns: 60 },
  );
});
