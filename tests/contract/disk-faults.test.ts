/**
 * Every changing route on a disk that stops taking writes at each write of the request in turn: nothing is changed by
 * what is refused, the answer says what it is, health tells it, and the same request goes through when the disk is well.
 */
import { sharedDocument } from '../fixtures/shared-document.ts';
import { FileStore } from '@tus/file-store';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { randomIds } from '#core/ids.ts';
import { createHash } from 'node:crypto';
import { folderId as documentFolderId, folderScans } from '#lanes/documents/server/folders/scan-folders.ts';
import { folderId, nameFolders } from '#lanes/library/server/folders.ts';
import { catalogRoutes } from '#server/api/routes.ts';
import { makeLinkToken } from '#server/auth/tokens.ts';
import { createLimits } from '#server/rates/limits.ts';
import { Metrics } from '#server/watch/metrics.ts';
import { BrokenDisk, DISK_FAULTS, everything, type DiskFault } from '../fixtures/broken-disk.ts';
import { makeCover } from '../fixtures/cover.ts';
import { FAULTY, guideXml, programme } from '../fixtures/guide-server.ts';
import { job, review } from '../fixtures/mirrored.ts';
import { commitOf, SMALL_CATALOG, testServer, type ErrorAnswer, type TestServer } from '../fixtures/server.ts';
import { vorbisFile } from '../fixtures/vorbis-file.ts';
import { curlForm } from '../fixtures/worker.ts';

let server: TestServer;
let disk: BrokenDisk;
beforeEach(async () => {
  disk = new BrokenDisk();
  // Below the product's own words on what the library tells it.
  for (const name of ['create', 'write'] as const) {
    const method = FileStore.prototype[name] as (...args: unknown[]) => Promise<unknown>;
    vi.spyOn(FileStore.prototype, name).mockImplementation(disk.guard(method) as never);
  }
  const { remove } = FileStore.prototype;
  vi.spyOn(FileStore.prototype, 'remove').mockImplementation(disk.guard(remove, true));
  server = await testServer({ wrap: (deps) => disk.wrap(deps) });
  await server.importCatalog(SMALL_CATALOG);
});
afterEach(async () => {
  disk.mend();
  await server.end();
});

const FILE = vorbisFile({ durationMs: 255_000 });
const OTHER = vorbisFile({ durationMs: 255_000, seed: 1 });
const JSON_TYPE = { 'Content-Type': 'application/json' };
const TUS = { 'Tus-Resumable': '1.0.0' };

interface Asked {
  path: string;
  body?: BodyInit;
  headers?: Record<string, string>;
}

/** What has to be there first, and then the request. */
type Recipe = () => Promise<Asked>;

const json = (path: string, body: unknown): Asked => ({ path, body: JSON.stringify(body), headers: JSON_TYPE });
const just =
  (path: string, body?: unknown): Recipe =>
  async () =>
    body === undefined ? { path } : json(path, body);

async function published(file = FILE, replace = false): Promise<void> {
  await server.upload(file);
  const key = { 'Idempotency-Key': `published-${file.sha256}` };
  const answer = await server.api('POST', '/v1/ingestion/commits', commitOf(file, 'tr_h1', { replace }), key);
  expect(answer.status).toBe(200);
}

async function claimed(): Promise<string> {
  await taken();
  const answer = await server.api<{ claim: { lease_id: string } }>('POST', '/v1/ingestion/claims', { worker: 'w' });
  return `/v1/ingestion/claims/${answer.body.claim.lease_id}`;
}

function form(): Asked {
  const { body, headers } = curlForm([{ name: 'a.flac', bytes: Buffer.from(`fLaC\0\0\0\x22${' '.repeat(80)}`) }]);
  return { path: '/v1/ingestion/upload', body, headers };
}

/** An upload that waits for a worker. Answers its job. */
async function taken(): Promise<string> {
  const { path, body, headers } = form();
  const answer = await server.raw('POST', path, body ?? null, headers ?? {});
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { job_ids: [string] }).job_ids[0];
}

const mirrored = () =>
  server.api('PUT', '/v1/ingestion/mirror', {
    jobs: [job('j1', { status: 'AWAITING_REVIEW' })],
    steps: [],
    reviews: [review('r1', ['j1'])],
  });

async function made(path: string, body: object): Promise<Record<string, string>> {
  const answer = await server.api<Record<string, string>>('POST', path, body);
  expect(answer.status).toBe(201);
  return answer.body;
}

const invite = () => made('/v1/invites', { name: 'Vera', role: 'editor' });
const person = async (): Promise<string> => {
  const { secret } = await invite();
  return `/v1/users/${(await made('/v1/invites/accept', { secret }))['user_id']}`;
};

const show = async (): Promise<string> => {
  const seasons = [{ number: 1, episodes: [{ number: 1, title: 'First' }] }];
  return `/v1/catalog/shows/${(await made('/v1/catalog/shows', { title: 'A Show', seasons }))['id']}`;
};

const GUIDE = { body: guideXml([programme(1, FAULTY(1))]), headers: { 'Content-Type': 'application/xml' } };
const LINEUP = {
  body: '#EXTM3U\n#EXTINF:-1 tvg-id="one",One\nhttp://tuner/one\n',
  headers: { 'Content-Type': 'text/plain' },
};
const DISMISSED = { kind: 'title', title: 'Harbour' };
const CHANNEL = {
  channel: { id: 'ours', number: '5', name: 'Ours', zone: 'UTC', from: '2023-11-01', blocks: [] },
  days: 2,
};

/** Puts it there and answers its address. */
async function there(path: string, { body, headers }: Omit<Asked, 'path'>): Promise<string> {
  const answer = await server.raw('PUT', path, body ?? null, headers ?? {});
  expect(answer.status, await answer.text()).toBeLessThan(300);
  // What a guide brings about (looking through it, programmes of a channel) is done beside the answer.
  let before = '';
  const isStill = async (): Promise<boolean> => {
    const now = await everything(server.store, server.data);
    const still = now === before;
    before = now;
    return still;
  };
  await expect.poll(isStill).toBe(true);
  return path;
}
const guide = (): Promise<string> => there('/v1/guide/guides/g', GUIDE);
const lineup = async (): Promise<string> => there(`${await guide()}/lineup`, LINEUP);
const channel = (): Promise<string> => there('/v1/guide/channels/ours', json('', CHANNEL));
async function dismissed(): Promise<string> {
  await guide();
  const { ids } = await made('/v1/guide/dismissals', { guide: 'g', of: [DISMISSED] });
  return `/v1/guide/dismissals/${ids?.[0]}`;
}

const COVER = makeCover(1).bytes;
const picture = (bytes: Uint8Array<ArrayBuffer>): Asked => ({
  path: '/v1/catalog/albums/al_tokyo/cover',
  body: bytes,
  headers: { 'Content-Type': 'image/png' },
});

const PLAYBOOK = { playbook: 'playbook: 1', files: [{ path: 'a.md', text: 'a' }] };
const playbook = async (): Promise<string> =>
  `/v1/playbooks/runs/${(await made('/v1/playbooks/runs', PLAYBOOK))['id']}`;
async function playbookTaken(): Promise<string> {
  await playbook();
  const answer = await server.api<{ run: { lease_id: string } }>('POST', '/v1/playbooks/claims', { worker: 'w' });
  return `/v1/playbooks/claims/${answer.body.run.lease_id}`;
}

/** An import in pieces that was cut off. */
async function importBegun(): Promise<Asked> {
  const row = { id: 'one', user_id: 'admin', begun_at: 1, at: 1, rows: 9, done: 3, counts: '{}', cancelled_by: null };
  await server.store.write((tx) => tx.insertInto('catalog_imports').values(row).execute());
  return { path: '/v1/catalog/imports/one' };
}

const begin = (): Asked => ({
  path: '/v1/uploads',
  headers: {
    ...TUS,
    'Upload-Length': String(FILE.size),
    'Upload-Metadata': `sha256 ${Buffer.from(FILE.sha256).toString('base64')}`,
  },
});
const begun = async (): Promise<string> => {
  const { path, headers } = begin();
  expect((await server.raw('POST', path, null, headers ?? {})).status).toBe(201);
  return `${path}/${FILE.sha256}`;
};

const RECIPES: Record<string, Recipe> = {
  'POST /v1/catalog/import': just('/v1/catalog/import', {
    artists: [{ id: 'ar_new', name: 'New' }],
    albums: [{ id: 'al_new', title: 'New', artist_id: 'ar_new', artist: 'New', year: null }],
    tracks: [],
  }),
  'DELETE /v1/catalog/imports/:id': importBegun,
  'POST /v1/catalog/artists': just('/v1/catalog/artists', { name: 'New' }),
  'PUT /v1/llm/lend': just('/v1/llm/lend', { lend: 'all' }),
  'PATCH /v1/catalog/artists/:id': just('/v1/catalog/artists/ar_rem', { name: 'REM' }),
  'POST /v1/catalog/albums': just('/v1/catalog/albums', {
    title: 'Up',
    artist: 'New',
    year: 1998,
    tracks: [{ title: 'A' }],
  }),
  'PATCH /v1/catalog/albums/:id': just('/v1/catalog/albums/al_automatic', { year: 1993 }),
  'POST /v1/catalog/tracks': just('/v1/catalog/tracks', { title: 'Man on the Moon', album_id: 'al_automatic' }),
  'PATCH /v1/catalog/tracks/:id': just('/v1/catalog/tracks/tr_a1', { title: 'Drive!' }),
  'POST /v1/catalog/tracks/:id/unpublish': async () => {
    await published();
    return { path: '/v1/catalog/tracks/tr_h1/unpublish' };
  },
  'POST /v1/catalog/tracks/:id/restore': async () => {
    await published();
    await published(OTHER, true);
    return json('/v1/catalog/tracks/tr_h1/restore', { sha256: FILE.sha256 });
  },
  'POST /v1/catalog/shows': just('/v1/catalog/shows', { title: 'New' }),
  'PATCH /v1/catalog/shows/:id': async () => json(await show(), { title: 'Other' }),
  'DELETE /v1/catalog/shows/:id': async () => ({ path: await show() }),
  'PUT /v1/catalog/shows/:id/seasons/:season': async () => json(`${await show()}/seasons/2`, { title: 'Two' }),
  'DELETE /v1/catalog/shows/:id/seasons/:season': async () => ({ path: `${await show()}/seasons/1` }),
  'PUT /v1/catalog/shows/:id/seasons/:season/episodes/:episode': async () =>
    json(`${await show()}/seasons/1/episodes/2`, { title: 'Second' }),
  'DELETE /v1/catalog/shows/:id/seasons/:season/episodes/:episode': async () => ({
    path: `${await show()}/seasons/1/episodes/1`,
  }),
  'POST /v1/download-requests': just('/v1/download-requests', { album_id: 'al_homogenic' }),
  'POST /v1/catalog/albums/:id/merge': just('/v1/catalog/albums/al_tokyo/merge', { into: 'al_homogenic' }),
  'POST /v1/catalog/tracks/:id/merge': just('/v1/catalog/tracks/tr_t1/merge', { into: 'tr_h1' }),
  'POST /v1/catalog/tracks/move': just('/v1/catalog/tracks/move', { track_ids: ['tr_t1'], album_id: 'al_homogenic' }),
  'PUT /v1/catalog/albums/:id/cover': async () => picture(COVER),
  'POST /v1/catalog/albums/:id/cover': async () => {
    for (const { bytes } of [makeCover(1), makeCover(2)]) {
      const { path, ...given } = picture(bytes);
      await there(path, given);
    }
    const sha256 = createHash('sha256').update(COVER).digest('hex');
    return json('/v1/catalog/albums/al_tokyo/cover', { sha256 });
  },
  'DELETE /v1/catalog/albums/:id': async () => ({ path: '/v1/catalog/albums/al_tokyo' }),
  'DELETE /v1/catalog/tracks/:id': async () => ({ path: '/v1/catalog/tracks/tr_t1' }),
  'POST /v1/catalog/edits/:id/undo': async () => {
    const { body } = await server.api<{ edit_id: string }>('DELETE', '/v1/catalog/tracks/tr_t1');
    return json(`/v1/catalog/edits/${body.edit_id}/undo`, {});
  },
  'DELETE /v1/download-requests/:id': async () => {
    const { body } = await server.api<{ id: string }>('POST', '/v1/download-requests', { album_id: 'al_homogenic' });
    return { path: `/v1/download-requests/${body.id}` };
  },
  'POST /v1/uploads': async () => begin(),
  'PATCH /v1/uploads/:sha256': async () => ({
    path: await begun(),
    body: new Blob([FILE.bytes]),
    headers: { ...TUS, 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' },
  }),
  'DELETE /v1/uploads/:sha256': async () => ({ path: await begun(), headers: TUS }),
  'POST /v1/ingestion/commits': async () => {
    await published();
    await server.upload(OTHER);
    return json('/v1/ingestion/commits', commitOf(OTHER, 'tr_h1', { replace: true }));
  },
  'POST /v1/ingestion/upload': async () => form(),
  'PUT /v1/ingestion/mirror': just('/v1/ingestion/mirror', {
    jobs: [job('j1', { status: 'AWAITING_REVIEW' })],
    steps: [],
    reviews: [review('r1', ['j1'])],
  }),
  'POST /v1/ingestion/review/:job_id': async () => {
    await mirrored();
    return json('/v1/ingestion/review/j1', { selected_option: 'none' });
  },
  'DELETE /v1/ingestion/jobs/:id': async () => ({ path: `/v1/ingestion/jobs/${await taken()}` }),
  'POST /v1/ingestion/claims': async () => {
    await taken();
    return json('/v1/ingestion/claims', { worker: 'w' });
  },
  'POST /v1/ingestion/claims/:lease_id/renew': async () => json(`${await claimed()}/renew`, {}),
  'DELETE /v1/ingestion/claims/:lease_id': async () => ({ path: await claimed() }),
  'PUT /v1/ingestion/claims/:lease_id': async () =>
    json(await claimed(), { revision: 0, state: 'ready', document: '{}', jobs: [], steps: [], reviews: [] }),
  'PATCH /v1/users/:id': async () => json(await person(), { role: 'reader' }),
  'DELETE /v1/users/:id': async () => ({ path: await person() }),
  'POST /v1/invites': just('/v1/invites', { name: 'Vera', role: 'editor' }),
  'DELETE /v1/invites/:id': async () => ({ path: `/v1/invites/${(await invite())['id']}` }),
  'POST /v1/invites/accept': async () => json('/v1/invites/accept', { secret: (await invite())['secret'] }),
  'POST /v1/session': async () => {
    const link = await makeLinkToken(server.store, { clock: server.deps.clock, ids: randomIds });
    return { path: '/v1/session', headers: { Authorization: `Bearer ${link}` } };
  },
  'POST /v1/library/folders/:folder/scan': async () => {
    await nameFolders(server.store, server.deps.clock, [{ name: 'Handbook', path: '/handbook', readers: [] }]);
    server.time.now += 1;
    return { path: `/v1/library/folders/${folderId('Handbook')}/scan` };
  },
  'POST /v1/documents/records': just('/v1/documents/records', { put: [sharedDocument()], gone: [] }),
  'POST /v1/documents/folders/:folder/scan': async () => {
    const { store, clock, log } = server.deps;
    await folderScans({ store, clock, log }, () => Promise.resolve(null)).name(['/papers']);
    return { path: `/v1/documents/folders/${documentFolderId('/papers')}/scan` };
  },
  'PUT /v1/guide/settings': just('/v1/guide/settings', { metadata_self_resolution_cooldown_sec: 60 }),
  'PUT /v1/guide/containment': just('/v1/guide/containment', { containment: true }),
  'POST /v1/guide/lift': just('/v1/guide/lift', { channel: null }),
  'DELETE /v1/guide/guides/:id': async () => ({ path: await guide() }),
  'PUT /v1/guide/guides/:id/lineup': async () => ({ path: `${await guide()}/lineup`, ...LINEUP }),
  'DELETE /v1/guide/guides/:id/lineup': async () => ({ path: await lineup() }),
  'POST /v1/guide/dismissals': async () => {
    await guide();
    return json('/v1/guide/dismissals', { guide: 'g', of: [DISMISSED] });
  },
  'DELETE /v1/guide/dismissals/:id': async () => ({ path: await dismissed() }),
  'POST /v1/guide/edits': async () => {
    await guide();
    const edits = [{ channel: 'one', start: Date.UTC(2026, 2, 10, 1), field: 'title', after: 'Harbor' }];
    return json('/v1/guide/edits', { guide: 'g', edits });
  },
  'POST /v1/guide/answers': async () => {
    await guide();
    const answer = { type: 'EPISODE_NUM_MISSING', code: null, answer: 'as-it-should-be' };
    return json('/v1/guide/answers', answer);
  },
  'PUT /v1/guide/channels/:id': just('/v1/guide/channels/ours', CHANNEL),
  'DELETE /v1/guide/channels/:id': async () => ({ path: await channel() }),
  'POST /v1/guide/keys': async () => {
    await guide();
    return json('/v1/guide/keys', { guide: 'g', name: 'Plex' });
  },
  'DELETE /v1/guide/keys/:id': async () => {
    await guide();
    return { path: `/v1/guide/keys/${(await made('/v1/guide/keys', { guide: 'g', name: 'Plex' }))['id']}` };
  },
  'POST /v1/playbooks/runs': just('/v1/playbooks/runs', PLAYBOOK),
  'POST /v1/playbooks/runs/:id/cancel': async () => json(`${await playbook()}/cancel`, {}),
  'POST /v1/playbooks/runs/:id/resume': async () => {
    const path = await playbook();
    expect((await server.api('POST', `${path}/cancel`, {})).status).toBe(200);
    return json(`${path}/resume`, {});
  },
  'DELETE /v1/playbooks/runs/:id': async () => json(await playbook(), {}),
  'POST /v1/playbooks/claims': async () => {
    await playbook();
    return json('/v1/playbooks/claims', { worker: 'w' });
  },
  'POST /v1/playbooks/claims/:lease_id/renew': async () => json(`${await playbookTaken()}/renew`, {}),
  'POST /v1/playbooks/claims/:lease_id/lines': async () =>
    json(`${await playbookTaken()}/lines`, { n: 0, texts: ['{"kind":"run"}\n'] }),
  'PUT /v1/playbooks/claims/:lease_id/file': async () =>
    json(`${await playbookTaken()}/file`, { path: 'a.md', part: 0, texts: ['other'] }),
  'POST /v1/playbooks/claims/:lease_id/end': async () =>
    json(`${await playbookTaken()}/end`, { state: 'completed', error: null, skipped: [], faults: [] }),
  'DELETE /v1/playbooks/claims/:lease_id': async () => ({ path: await playbookTaken() }),
  'POST /v1/tokens': just('/v1/tokens', { label: 'script', scope: 'ReadCatalog' }),
  'DELETE /v1/tokens/:id': async () => ({
    path: `/v1/tokens/${(await made('/v1/tokens', { label: 'script', scope: 'ReadCatalog' }))['id']}`,
  }),
};

/**
 * These keep nothing, or keep it in files of their own (plans), or do what another one does (bundles are commits), or begin
 * what goes on beside them (guarded runs and their undo, a guide that is fetched), or
 * come in by parts of which nothing counts before the last, and which are swept away (a guide, GUIDE-110).
 */
const ELSEWHERE =
  /^(POST \/v1\/sign|POST \/v1\/(?:library\/search|documents\/lookup)|PUT \/v1\/documents\/contents|POST \/v1\/documents\/folders\/:folder\/plan|POST \/v1\/ingestion\/bundles|POST \/v1\/ingestion\/claims\/:lease_id\/learned|POST \/v1\/llm\/|\w+ \/v1\/plans|POST \/v1\/catalog\/videos\/rename-plan|\w+ \/v1\/tools|POST \/v1\/connectors\/|POST \/v1\/guide\/(?:runs|ask|undo|guides\/:id\/fetch)|PUT \/v1\/guide\/guides\/:id$|\w+ \/api\/)/;
/** More writes than any of these requests makes. */
const MOST_WRITES = 60;
const FAULTS = Object.keys(DISK_FAULTS) as DiskFault[];

const send = (method: string, { path, body, headers }: Asked): Promise<Response> =>
  server.raw(method, path, body ?? null, { 'Idempotency-Key': 'once', ...headers });

/** Answers how many writes of the request failed before it went through. */
async function breakEachWrite(method: string, asked: Asked, faults: readonly DiskFault[]): Promise<number> {
  const before = await everything(server.store, server.data);
  for (let write = 0; write < MOST_WRITES; write += 1) {
    const fault = faults[write % faults.length] ?? 'full';
    const label = `write ${write}, ${fault}`;
    disk.breakAt(write, fault);
    const answer = await send(method, asked);
    const text = await answer.text();
    const { met } = disk;
    disk.mend();
    // What is tidied up after the change was made may fail: the change stands, and the next start does it.
    if (answer.status < 300) return write;
    expect(met, `${label}: ${answer.status} ${text} ${server.logged.slice(-3).join(' ')}`).toBe(true);
    const { error } = JSON.parse(text) as ErrorAnswer;
    expect([answer.status, DISK_FAULTS[fault].said], label).toEqual([
      DISK_FAULTS[fault].status,
      expect.arrayContaining([error.code]),
    ]);
    expect(error.message, label).toMatch(/space|disk|database/);
    expect(await everything(server.store, server.data), label).toBe(before);
  }
  throw new Error('it never went through');
}

const changing = (): string[] =>
  catalogRoutes(server.deps, createLimits(server.store), new Metrics(server.deps))
    .filter(({ spec }) => !['GET', 'HEAD'].includes(spec.method))
    .map(({ spec }) => `${spec.method} ${spec.path}`);

describe('a disk that stops taking writes', () => {
  test('FAULT-4, FAULT-18 every route that changes something is tried', () => {
    const untried = changing().filter((name) => !(name in RECIPES) && !ELSEWHERE.test(name));
    expect(untried).toEqual([]);
  });

  test.each(Object.keys(RECIPES))('FAULT-4 %s changes nothing, says why, and goes through later', async (name) => {
    const asked = await RECIPES[name]?.();
    if (asked === undefined) throw new Error(`nothing is asked of ${name}`);
    const [method = ''] = name.split(' ');
    // A full disk lets things be removed.
    const faults = name.startsWith('DELETE /v1/uploads') ? FAULTS.slice(1) : FAULTS;
    expect(await breakEachWrite(method, asked, faults)).toBeGreaterThan(0);
    // FAULT-6: nor has what could not be taken away at once stayed until a start.
    expect(await server.store.db.selectFrom('placements').selectAll().execute()).toEqual([]);
  });

  test.each(FAULTS)(
    'FAULT-5 health tells that the disk is %s, reading goes on, and both end with it',
    async (fault) => {
      disk.breakAt(0, fault);
      const broken = await server.api<{ broken: string[] }>('GET', '/health');
      expect([broken.status, broken.body.broken]).toEqual([
        503,
        expect.arrayContaining(['database', 'disk', 'uploads']),
      ]);
      expect((await server.api('GET', '/v1/catalog/tracks/tr_h1')).status).toBe(200);
      disk.mend();
      server.time.now += 11_000;
      expect((await server.api('GET', '/health')).status).toBe(200);
    },
  );

  test('FAULT-8 a database that ends a transaction by itself says why: no space, and not that nothing could be undone', async () => {
    const pages = (count: number) =>
      server.store.write((tx) => sql`pragma max_page_count = ${sql.lit(count)}`.execute(tx));
    // As SQLite does by itself on a real full disk (FAULT-7).
    const ended = server.store.write(async (tx) => {
      await sql`rollback`.execute(tx);
      throw new Error('why');
    });
    await expect(ended).rejects.toThrow('why');
    await pages(1);
    const before = await everything(server.store, server.data);
    const text = JSON.stringify({
      artists: [...Array(400).keys()].map((at) => ({ id: `ar_${at}`, name: 'N'.repeat(900) })),
      albums: [],
      tracks: [],
    });
    const ask = () => server.raw('POST', '/v1/catalog/import', text, { ...JSON_TYPE, 'Idempotency-Key': 'large' });
    const full = await ask();
    expect([full.status, ((await full.json()) as ErrorAnswer).error.code]).toEqual([507, 'storage_full']);
    expect(await everything(server.store, server.data)).toBe(before);
    await pages(1_000_000);
    expect((await ask()).status).toBe(200);
  });
});
