/** What media servers and players read: addresses with a key, which reads these and nothing else. */
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { guideTestServer, guideXml, ON, programme, SOUND } from '../fixtures/guide-server.ts';
import { onBothStores } from '../fixtures/stores.ts';

const GUIDE = guideXml([programme(1, SOUND), programme(2, SOUND, 'two')], ['one', 'two']);
type Made = { id: string; key: string; guide: string };

async function withKey(streamUrl: string | null = null) {
  const server = await guideTestServer({ runs: ON, streamUrl });
  await server.put(GUIDE);
  await server.service.settled();
  const made = await server.api<Made>('POST', '/v1/guide/keys', { name: 'Living room', guide: 'g' });
  const { key, id } = made.body;
  const get = (name: string, headers: Record<string, string> = {}, of = key) =>
    fetch(`${server.url}/guide/${of}/${name}`, { headers });
  return { server, key, id, get, made };
}

onBothStores('what is written out', () => {
  test('API-131 a key of 128 bits reads the four files of its guide without a bearer, nothing else, and is in no log and no list', async () => {
    const { server, key, id, get, made } = await withKey();
    expect([made.status, key.length, made.headers.get('cache-control')]).toEqual([201, 22, 'no-store']);
    const xml = await get('guide.xml');
    expect([xml.status, xml.headers.get('content-type')]).toEqual([200, 'application/xml; charset=utf-8']);
    const text = await xml.text();
    expect(text.replace(/\n\s*/g, '')).toBe(await server.exported());
    const packed = Buffer.from(await (await get('guide.xml.gz')).arrayBuffer());
    expect(gunzipSync(packed).toString()).toBe(text);
    expect((await get('lineup.json')).status).toBe(200);
    expect((await get('lineup.m3u')).status).toBe(200);
    for (const path of ['/v1/guide/guides', '/v1/me', '/metrics'])
      expect((await fetch(`${server.url}${path}`, { headers: { Authorization: `Bearer ${key}` } })).status).toBe(401);
    const lists = [(await server.api('GET', '/v1/guide/keys')).body, (await server.api('GET', '/v1/audit')).body];
    server.deps.log.error('request failed', { path: `/guide/${key}/guide.xml` });
    expect(JSON.stringify([lists, server.logged])).not.toContain(key);
    expect(lists[0]).toMatchObject({ items: [{ id, name: 'Living room', guide: 'g' }] });
    expect(JSON.stringify(await server.store.db.selectFrom('guide_keys').selectAll().execute())).not.toContain(key);
    await server.addToken('the-token-of-ed', 'ed', 'EditCatalog');
    const ed = { Authorization: 'Bearer the-token-of-ed' };
    expect((await server.api('POST', '/v1/guide/keys', { name: 'x', guide: 'g' }, ed)).status).toBe(403);
    expect((await server.api('POST', '/v1/guide/keys', { name: 'x', guide: 'none' })).status).toBe(404);
    await server.end();
  });

  test('API-132 a key that is revoked, wrong, or whose guide is gone is 404, all the same', async () => {
    const { server, id, get } = await withKey();
    const nobody = async (answer: Response) => [answer.status, await answer.text()];
    const wrong = await nobody(await get('guide.xml', {}, 'x'.repeat(22)));
    expect(wrong[0]).toBe(404);
    expect(await nobody(await get('guide.xml', {}, 'short'))).toEqual(wrong);
    expect((await server.api('DELETE', `/v1/guide/keys/${id}`)).status).toBe(204);
    for (const name of ['guide.xml', 'guide.xml.gz', 'lineup.json', 'lineup.m3u'])
      expect(await nobody(await get(name))).toEqual(wrong);
    expect((await server.api('DELETE', `/v1/guide/keys/${id}`)).status).toBe(404);
    const other = await server.api<Made>('POST', '/v1/guide/keys', { name: 'Other', guide: 'g' });
    await server.api('DELETE', '/v1/guide/guides/g');
    expect(await nobody(await get('guide.xml', {}, other.body.key))).toEqual(wrong);
    await server.end();
  });

  test('GUIDE-127 what is the same still is 304 by its ETag, until the guide is another', async () => {
    const { server, get } = await withKey();
    const tags = new Map<string, string>();
    for (const name of ['guide.xml', 'guide.xml.gz', 'lineup.json', 'lineup.m3u']) {
      const first = await get(name);
      await first.arrayBuffer();
      const tag = first.headers.get('etag') ?? '';
      tags.set(name, tag);
      expect((await get(name, { 'If-None-Match': `"other", W/${tag}` })).status).toBe(304);
    }
    expect(new Set(tags.values()).size).toBe(4);
    await server.put(GUIDE);
    const again = await get('guide.xml', { 'If-None-Match': tags.get('guide.xml') ?? '' });
    expect(again.status).toBe(200);
    await again.arrayBuffer();
    await server.end();
  });

  test('GUIDE-128 streams come from the lineup, else from [guide] stream_url, and what is missing is said', async () => {
    const bare = await withKey();
    const m3u = await bare.get('lineup.m3u');
    expect(m3u.headers.get('accession-missing')).toContain('2 of 2 channels');
    expect(await m3u.text()).toMatch(/^#EXTM3U\n# 2 of 2 channels .+\n/);
    const lineup = [{ GuideNumber: '5', GuideName: 'One', EpgId: 'one', URL: 'http://tuner.lan/auto/v5' }];
    await bare.server.raw('PUT', '/v1/guide/guides/g/lineup', JSON.stringify(lineup), { 'Content-Type': 'text/plain' });
    const json = await bare.get('lineup.json');
    expect([await json.json(), json.headers.get('accession-missing')]).toEqual([lineup, null]);
    await bare.server.end();
    const set = await withKey('http://tuner.lan/{id}.ts');
    expect(await (await set.get('lineup.m3u')).text()).toBe(
      '#EXTM3U\n#EXTINF:-1 tvg-id="one",one\nhttp://tuner.lan/one.ts\n#EXTINF:-1 tvg-id="two",two\nhttp://tuner.lan/two.ts\n',
    );
    await set.server.end();
    const numbered = await withKey('http://tuner.lan/{number}.ts');
    expect((await numbered.get('lineup.json')).headers.get('accession-missing')).toContain('2 of 2');
    await numbered.server.end();
  });
});
