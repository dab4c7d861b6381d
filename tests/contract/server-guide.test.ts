/** Guides on the server, over real HTTP and both stores: in, checked, mended under guard, taken back, out. */
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AuditEntry } from '#core/sync/people.ts';
import type { RunRecord } from '#lanes/guide/core/run/run.types.ts';
import type { GuideRecord, MendRow } from '#lanes/guide/core/store/guide-records.ts';
import { GuideService } from '#lanes/guide/server/guide-service.ts';
import { SqlRunStore } from '#lanes/guide/server/runs/sql-run-store.ts';
import {
  FAULTY,
  guideTestServer,
  guideXml,
  ON,
  programme,
  SOUND,
  type GuideTestServer,
} from '../fixtures/guide-server.ts';
import type { ErrorAnswer } from '../fixtures/server.ts';
import { connectTo, hangUp } from '../fixtures/sockets.ts';
import { onBothStores } from '../fixtures/stores.ts';
import { openTestStore } from '../fixtures/test-store.ts';

type Told = { begun: boolean; run: string; reason: string } & ErrorAnswer;
type Runs = { items: (RunRecord & { steps: { tool: string; report: { changed: number } }[] })[] };

/** Three of ten lack their number: enough for the early warning, too little for an escalation. */
const GUIDE = guideXml([
  ...[1, 2, 3].map((n) => programme(n, FAULTY(n))),
  ...[4, 5, 6, 7, 8, 9, 10].map((n) => programme(n, SOUND)),
]);

onBothStores('guides on the server', () => {
  let server: GuideTestServer;
  beforeEach(async () => {
    server = await guideTestServer();
  });
  afterEach(async () => {
    hangUp();
    await server.end();
  });

  const run = async (channel: string | null = null): Promise<Told> =>
    (await server.api<Told>('POST', '/v1/guide/runs', { channel })).body;
  const runs = async (): Promise<Runs['items']> =>
    (await server.api<Runs>('GET', '/v1/guide/runs?skipped=true')).body.items;
  const faults = async (query = '') =>
    (await server.api<{ total: number; items: { where: string; type: string }[] }>('GET', `/v1/guide/faults${query}`))
      .body;

  test('GUIDE-111 a guide comes in plain or packed, by its content, and replaces itself', async () => {
    const made = await server.put(GUIDE, 'g', '?name=guide.xml&zone=Europe/Berlin');
    expect(await made.json()).toMatchObject({
      ...{ id: 'g', kind: 'file', name: 'guide.xml', zone: 'Europe/Berlin', revision: 1 },
      ...{ channels: 1, programmes: 10, whole: true, notes: [] },
    });
    // The run that the import begins mends it: one revision more, before the next import or after it.
    await server.service.settled();
    expect(await server.service.store.guide('g')).toMatchObject({ revision: 2 });
    const packed = await server.put(gzipSync(guideXml([programme(1, SOUND)])));
    expect(await packed.json()).toMatchObject({ name: 'g', revision: 3, programmes: 1 });
    const { items } = (await server.api<{ items: GuideRecord[] }>('GET', '/v1/guide/guides')).body;
    expect(items.map(({ id, programmes }) => [id, programmes])).toEqual([['g', 1]]);
    expect(await server.exported()).toContain('start="20260310010000 +0000"');
    await server.addToken('the-token-of-rita', 'rita', 'ReadCatalog');
    const asRita = { Authorization: 'Bearer the-token-of-rita' };
    expect((await server.raw('PUT', '/v1/guide/guides/g', GUIDE, asRita)).status).toBe(403);
    expect((await server.api('DELETE', '/v1/guide/guides/g')).status).toBe(204);
    expect((await server.api('DELETE', '/v1/guide/guides/g')).status).toBe(404);
    expect((await server.raw('GET', '/v1/guide/guides/g/xmltv')).status).toBe(404);
  });

  test.each([
    ['nothing', '', /empty|the guide/],
    ['a web page', '<!doctype html><html><body>404</body></html>', /web page|no guide|"tv"|not/i],
    ['an .xz', new Uint8Array([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0, 0, 4]), /xz/],
  ])('GUIDE-112 %s is refused with a sentence, and the guide is what it was', async (_name, body, sentence) => {
    await server.put(GUIDE);
    // The run that the import begins may mend it.
    await server.service.settled();
    const before = await server.service.store.guide('g');
    const answer = await server.put(body as string);
    const { error } = (await answer.json()) as ErrorAnswer;
    expect([answer.status, error.code]).toEqual([400, 'invalid']);
    expect(error.message).toMatch(sentence);
    expect(before?.programmes).toBe(10);
    expect(await server.service.store.guide('g')).toEqual(before);
  });

  test('GUIDE-112 what was read before a damage counts, with a note; a name or a zone that is none is refused', async () => {
    const cut = await server.put(GUIDE.slice(0, GUIDE.indexOf('20260310050000')));
    expect(await cut.json()).toMatchObject({ whole: false, programmes: 4, notes: [expect.stringMatching(/./)] });
    const broken = gzipSync(GUIDE).subarray(0, -8);
    expect(await (await server.put(broken)).json()).toMatchObject({
      whole: false,
      notes: [expect.stringMatching(/gzip/)],
    });
    expect((await server.put(GUIDE, 'g', '?zone=Mars/Olympus')).status).toBe(400);
    expect((await server.put(GUIDE, 'schedule')).status).toBe(400);
    expect((await server.put(GUIDE, 'a%2Fb')).status).toBe(400);
  });

  test('GUIDE-113 an import that warns begins a run that nobody waits for; it mends, says its lines, and is undone', async () => {
    await server.put(GUIDE);
    await server.service.settled();
    const [first] = await runs();
    expect(first).toMatchObject({
      how: 'import',
      channel: null,
      outcome: 'success',
      ratio_before: 0.3,
      ratio_after: 0,
    });
    expect(first?.steps.map(({ tool, report }) => [tool, report.changed])).toEqual([['reparse_filename_metadata', 3]]);
    const said = server.logged
      .filter((line) => line.includes('AI metadata'))
      .map((line) => (JSON.parse(line) as { message: string }).message);
    expect(said).toEqual([
      'AI metadata remediation started for channel global',
      'AI metadata remediation completed — success',
    ]);
    const mended = await server.exported();
    expect(mended).toContain('<episode-num system="xmltv_ns">1.0.</episode-num>');
    const source = await server.exported('g', false);
    expect(source).not.toContain('1.0.');
    const { items } = (await server.api<{ items: MendRow[] }>('GET', `/v1/guide/runs/${first?.id}/mends`)).body;
    expect(items).toHaveLength(3);
    const one = await server.api('POST', '/v1/guide/undo', { mends: [items[0]?.id] });
    expect(one.body).toEqual({ undone: 1, refused: [] });
    const rest = await server.api('POST', '/v1/guide/undo', { run: first?.id });
    expect(rest.body).toMatchObject({ undone: 2, refused: [{ why: 'It was taken back already.' }] });
    expect(await server.exported()).toBe(source);
    // The same is not filled there again, unless a person asks.
    server.time.now += 301_000;
    expect((await run()).begun).toBe(true);
    await server.service.settled();
    expect(await server.exported()).toBe(source);
    const lines = (await server.api<{ items: AuditEntry[] }>('GET', '/v1/audit')).body.items;
    expect(lines.map(({ action }) => action)).toEqual(['guide.run', 'guide.undone', 'guide.undone', 'guide.imported']);
  });

  test('GUIDE-114 mends survive an import of the same guide, and one that the source says itself by now is retired', async () => {
    await server.put(GUIDE);
    await server.service.settled();
    await server.put(GUIDE);
    expect((await faults()).total).toBe(0);
    const said = '<episode-num system="xmltv_ns">7.7.</episode-num>';
    await server.put(GUIDE.replace(FAULTY(1), `${FAULTY(1)}${said}`));
    const text = await server.exported();
    expect([text.includes('7.7.'), text.includes('1.0.'), text.includes('1.1.')]).toEqual([true, false, true]);
  });

  test('GUIDE-115 of two processes one keeps the cadence, and of two triggers one has the run', async () => {
    await server.put(GUIDE);
    await server.service.settled();
    await server.api('POST', '/v1/guide/undo', { run: (await runs())[0]?.id });
    const second = await openTestStore(server.data);
    const other = new GuideService({ ...server.deps, store: second }, { runs: ON });
    for (let beat = 0; beat < 2; beat += 1) {
      server.time.now += 301_000;
      const taken = await Promise.all([server.service.tick(), other.tick()]);
      expect(taken.filter(Boolean)).toHaveLength(1);
      await Promise.all([server.service.settled(), other.settled()]);
    }
    expect((await runs()).filter(({ how }) => how === 'schedule')).toHaveLength(2);
    server.time.now += 301_000;
    const both = await Promise.all([server.service.demand(null), other.demand(null)]);
    expect(both.filter(({ begun }) => begun).length).toBeGreaterThanOrEqual(1);
    await Promise.all([server.service.settled(), other.settled()]);
    expect((await runs()).filter(({ how, outcome }) => how === 'demand' && outcome !== 'skipped')).toHaveLength(1);
    expect(await server.store.db.selectFrom('guide_processes').selectAll().execute()).toEqual([]);
    await second.close();
  });

  test('GUIDE-116 a run whose process is gone gets its end at a start, and mends nothing any more', async () => {
    await server.put(GUIDE);
    await server.service.settled();
    server.time.now += 301_000;
    const dead = new GuideService(server.deps, { runs: ON }, 'server that died');
    const begun = await dead.demand(null);
    if (!begun.begun) throw new Error(begun.reason);
    await dead.settled();
    // As if it had been killed in the middle.
    const [record] = await runs();
    const [line] = await server.service.runs.journal(begun.run);
    if (line?.event.kind !== 'begun' || record === undefined) throw new Error('no run');
    const { run: active } = line.event;
    await new SqlRunStore(server.store).change((memory) => ({
      ...{ memory: { ...memory, active: [{ ...active, id: 'killed' }] }, value: null },
      ...{ journal: [], log: [], records: [], escalations: [] },
    }));
    const row = { guide: 'g', channel: 'one', start: 1, about: 1, where: 'x', field: 'date', before: null, after: '1' };
    const mend: Omit<MendRow, 'id'> = {
      ...row,
      ...{ schema_version: 1, source: 's', reasons: [], tool: 'rebuild_xmltv', run: 'killed', at: 1, undone_at: null },
    };
    const fill = (id: string) =>
      server.service.store.changeMends({ guides: null, channels: null }, () => ({
        put: [{ ...mend, id }],
        value: null,
      }));
    await fill('m1');
    if (server.store.shared) server.time.now += 61_000;
    await server.service.recover();
    expect((await runs()).find(({ id }) => id === 'killed')).toMatchObject({
      outcome: 'failure',
      reason: 'interrupted',
    });
    await expect(fill('m2')).rejects.toThrow('The run is over');
  });

  test('GUIDE-117 containment stops a run before its first step, and people are told', async () => {
    const heard = await connectTo(server);
    await server.api('PUT', '/v1/guide/containment', { containment: true });
    await server.put(GUIDE);
    await server.service.settled();
    expect((await runs())[0]).toMatchObject({ outcome: 'aborted', reason: 'containment', steps: [] });
    await expect
      .poll(() => heard.messages.find(({ type }) => type === 'Notice'))
      .toMatchObject({ lane: 'guide', sentence: 'The guide was not mended: containment is on.' });
    expect((await server.api('GET', '/v1/guide/escalations')).body).toMatchObject({
      items: [{ reason: 'containment', number: 1, limit: 0 }],
    });
  });

  test('GUIDE-118 a dry run writes nothing and says what a run would do; a question about the guide begins one', async () => {
    await server.api('PUT', '/v1/guide/settings', { metadata_self_resolution_enabled: false });
    await server.put(GUIDE);
    await server.service.settled();
    const dry = () => server.api<{ begun: boolean; record: RunRecord }>('POST', '/v1/guide/runs/dry', {});
    expect((await dry()).body).toEqual({ begun: false, reason: 'disabled' });
    expect((await runs()).map(({ outcome }) => outcome)).toEqual(['skipped']);
    await server.api('PUT', '/v1/guide/settings', { metadata_self_resolution_enabled: true });
    const before = await runs();
    expect((await dry()).body.record).toMatchObject({ outcome: 'success', steps: [{ report: { changed: 3 } }] });
    expect([await runs(), (await faults()).total]).toEqual([before, 3]);
    server.time.now += 1;
    const ask = async (text: string) => (await server.api<Told>('POST', '/v1/guide/ask', { text })).body;
    expect(await ask('Where is my guidebook?')).toEqual({ begun: false, reason: null });
    expect(await ask('Why is the EPG empty?')).toMatchObject({ begun: true });
    await server.service.settled();
    expect((await runs())[0]).toMatchObject({ how: 'ask', outcome: 'success' });
    expect(await ask('The guide!')).toMatchObject({ begun: false, reason: 'cooldown' });
  });

  test('GUIDE-119 faults are listed by guide, channel and type, and what is as it should be counts nowhere until it is taken back', async () => {
    await server.api('PUT', '/v1/guide/settings', { metadata_self_resolution_enabled: false });
    await server.put(GUIDE);
    const all = await faults('?limit=2&type=EPISODE_NUM_MISSING');
    expect([all.total, all.items.length]).toEqual([3, 2]);
    expect(all.items[0]).toMatchObject({
      guide: 'g',
      channel: 'one',
      words: expect.stringContaining('number') as string,
    });
    expect((await faults('?channel=nobody')).total).toBe(0);
    expect((await faults('?limit=2&offset=2')).items).toHaveLength(1);
    expect((await server.api('GET', '/v1/guide/faults?type=NO_SUCH')).status).toBe(400);
    const of = [{ kind: 'title', title: 'Harbour' }];
    const said = await server.api<{ ids: string[] }>('POST', '/v1/guide/dismissals', { guide: 'g', of });
    expect(said.status).toBe(201);
    expect((await faults()).total).toBe(0);
    const health = (await server.api<{ counts: object; failing: number }>('GET', '/v1/guide/health')).body;
    expect(health).toMatchObject({ programmes: 10, failing: 0, counts: { EPISODE_NUM_MISSING: 0 }, issues: [] });
    await server.api('DELETE', `/v1/guide/dismissals/${said.body.ids[0]}`);
    expect((await faults()).total).toBe(3);
    expect((await server.api('POST', '/v1/guide/dismissals', { guide: 'none', of })).status).toBe(404);
  });

  test('GUIDE-120 a lineup belongs to its guide: what does not fit is a fault, and one that cannot be read says so', async () => {
    await server.api('PUT', '/v1/guide/settings', { metadata_self_resolution_enabled: false });
    await server.put(GUIDE);
    const put = (text: string) =>
      server.raw('PUT', '/v1/guide/guides/g/lineup?name=lineup.json', text, { 'Content-Type': 'text/plain' });
    const lineup = JSON.stringify([{ GuideNumber: '5', GuideName: 'Nobody', EpgId: 'gone' }]);
    expect(await (await put(lineup)).json()).toEqual({ name: 'lineup.json', entries: 1, unreadable: null });
    expect((await faults('?type=LINEUP_MISMATCH')).total).toBeGreaterThan(0);
    expect(await (await put('<html>')).json()).toMatchObject({
      entries: 0,
      unreadable: expect.stringMatching(/web page/) as string,
    });
    expect((await server.api('DELETE', '/v1/guide/guides/g/lineup')).status).toBe(204);
    expect((await faults('?type=LINEUP_MISMATCH')).total).toBe(0);
    expect(
      (await server.raw('PUT', '/v1/guide/guides/none/lineup', lineup, { 'Content-Type': 'text/plain' })).status,
    ).toBe(404);
  });
});
