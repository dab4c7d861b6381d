/** /guide/{key}: what media servers and players read, and /v1/guide/keys: who may. */
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { Context } from 'hono';
import { exportStored } from '#lanes/guide/core/app/export-stored.ts';
import type { GuideRecord } from '#lanes/guide/core/store/guide-records.ts';
import { writeLineup } from '#lanes/guide/core/write/write-lineup.ts';
import { json, route, type Route } from '#server/api/route.ts';
import { writeAudit } from '#server/audit/audit.ts';
import type { Env } from '#server/deps.ts';
import { readBody } from '#server/http/body.ts';
import { HttpError } from '#server/http/http-error.ts';
import { createPersonQueue } from '#server/http/person-queue.ts';
import { madeInPlace, streamOf } from '#server/http/stream.ts';
import type { GuideService, ServiceDeps } from '../guide-service.ts';
import {
  goodKeys,
  guideOfKey,
  KeysSchema,
  makeKey,
  NewKeyAnswerSchema,
  NewKeySchema,
  revokeKey,
} from './guide-keys.ts';
import { lineupOut } from './lineup-out.ts';

const ADMIN = { scope: 'Admin', tag: 'Guide' } as const;
const OUT = {
  scope: null,
  tag: 'Guide',
  headers: { 'If-None-Match': 'The ETag that was read: 304 where it is the same still.' },
  failures: [404],
} as const;
/** Times that a key's guide is written out at once; so many more may wait. */
const [AT_A_TIME, WAITING] = [4, 32];
/** A header, as JSON has no place for it. */
const MISSING = 'Accession-Missing';

export function outRoutes(deps: ServiceDeps & { service: GuideService }, streamUrl: string | null): Route[] {
  const { store, clock, ids, service } = deps;
  const guides = service.store;

  /** The guide of a good key. One that is none, or is revoked, and one whose guide is gone are all the same. */
  async function guideOf(c: Context<Env>, key: string): Promise<GuideRecord> {
    const id = await guideOfKey(store.db, key);
    const guide = id === null ? null : await guides.guide(id);
    if (guide === null) throw new HttpError('not_found', 'There is nothing at this address.');
    c.header('Cache-Control', 'private, no-cache');
    return guide;
  }

  /** True: the asker has it already. */
  function isSame(c: Context<Env>, { id, import: of, revision }: GuideRecord, form: string): boolean {
    const tag = `"${id}.${of}.${revision}.${form}"`;
    c.header('ETag', tag);
    const known = (c.req.header('if-none-match') ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''));
    return known.includes(tag) || known.includes('*');
  }

  async function lineup(c: Context<Env>, key: string, form: 'json' | 'm3u', type: string): Promise<Response> {
    const guide = await guideOf(c, key);
    if (isSame(c, guide, form)) return c.body(null, 304);
    const { text, missing } = writeLineup(await lineupOut(guides, guide.id, streamUrl), form);
    c.header('Content-Type', type);
    if (missing === null) return c.body(text);
    c.header(MISSING, missing);
    return c.body(form === 'm3u' ? text.replace('#EXTM3U\n', `#EXTM3U\n# ${missing}\n`) : text);
  }

  /** Of each key: nobody is signed in here. */
  const writtenOut = createPersonQueue(AT_A_TIME, WAITING);
  const xmltv = (packed: boolean) => async (c: Context<Env>, key: string) => {
    const guide = await guideOf(c, key);
    if (isSame(c, guide, packed ? 'gz' : 'xml')) return c.body(null, 304);
    c.header('Content-Type', packed ? 'application/gzip' : 'application/xml; charset=utf-8');
    const bytes = await madeInPlace(c.req.method, writtenOut, key, exportStored(guides, guide));
    if (bytes === null) return c.body(null);
    if (!packed) return c.body(streamOf(bytes));
    const from = Readable.from(bytes, { objectMode: false });
    const gzip = createGzip();
    // Its failure cuts the answer off; whoever leaves early ends what is read for it.
    from.on('error', (error) => gzip.destroy(error));
    gzip.on('close', () => from.destroy());
    return c.body(streamOf(from.pipe(gzip) as AsyncIterable<Uint8Array>));
  };
  const [plain, packed] = [xmltv(false), xmltv(true)];

  return [
    route('GET /guide/:key/guide.xml', {
      ...OUT,
      summary: 'The guide of a key as XMLTV: valid, times in UTC, with what was mended.',
      replies: { 200: { description: 'The guide.', type: 'application/xml' }, 304: { description: 'It is the same.' } },
      answer: (c) => plain(c, c.req.param('key')),
    }),
    route('GET /guide/:key/guide.xml.gz', {
      ...OUT,
      summary: 'The same, packed with gzip.',
      replies: {
        200: { description: 'The guide.', type: 'application/gzip' },
        304: { description: 'It is the same.' },
      },
      answer: (c) => packed(c, c.req.param('key')),
    }),
    route('GET /guide/:key/lineup.json', {
      ...OUT,
      summary: "The lineup of a key's guide, as HDHomeRun has it; Accession-Missing says what it lacks.",
      replies: {
        200: { description: 'The lineup.', type: 'application/json' },
        304: { description: 'It is the same.' },
      },
      answer: (c) => lineup(c, c.req.param('key'), 'json', 'application/json; charset=utf-8'),
    }),
    route('GET /guide/:key/lineup.m3u', {
      ...OUT,
      summary: 'The same as a playlist (M3U).',
      replies: {
        200: { description: 'The playlist.', type: 'audio/x-mpegurl' },
        304: { description: 'It is the same.' },
      },
      answer: (c) => lineup(c, c.req.param('key'), 'm3u', 'audio/x-mpegurl; charset=utf-8'),
    }),
    route('GET /v1/guide/keys', {
      ...ADMIN,
      summary: 'The keys with which programs read a guide, without the keys themselves.',
      replies: { 200: json(KeysSchema, 'Those that are good.') },
      answer: async (c) => c.json({ items: await goodKeys(store.db) }),
    }),
    route('POST /v1/guide/keys', {
      ...ADMIN,
      summary: 'Make a key that reads what is written out of one guide, and nothing else. It is answered only once.',
      body: NewKeySchema,
      replies: { 201: json(NewKeyAnswerSchema, 'The key.') },
      failures: [404],
      // The answer would be kept under a key, and the secret in it.
      idempotent: false,
      async answer(c) {
        const { value } = await readBody(c, NewKeySchema);
        if ((await guides.guide(value.guide)) === null) throw new HttpError('not_found', 'There is no such guide.');
        const { user_id } = c.var.principal;
        const at = clock.now();
        const made = await store.write(async (tx) => {
          const row = { id: ids.next(), ...value, created_at: at, created_by: user_id };
          await writeAudit(tx, { at, user_id, action: 'guide.key_made', entity_id: row.id, details: value });
          return makeKey(tx, row);
        });
        c.header('Cache-Control', 'no-store');
        return c.json(made, 201);
      },
    }),
    route('DELETE /v1/guide/keys/:id', {
      ...ADMIN,
      summary: 'Revoke a key: from now on it reads nothing.',
      replies: { 204: { description: 'It is revoked.' } },
      failures: [404],
      idempotent: true,
      async answer(c) {
        const id = c.req.param('id');
        const { user_id } = c.var.principal;
        const at = clock.now();
        await store.write(async (tx) => {
          if (!(await revokeKey(tx, id, at))) throw new HttpError('not_found', 'There is no such key.');
          await writeAudit(tx, { at, user_id, action: 'guide.key_revoked', entity_id: id });
        });
        return c.body(null, 204);
      },
    }),
  ];
}
