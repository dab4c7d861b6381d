/** /v1/guide/guides: guides in, out as XMLTV, their lineups, and gone. */
import type { Context } from 'hono';
import * as v from 'valibot';
import { failed } from '#core/errors.ts';
import { inTurns } from '#core/steps.ts';
import { importGuide } from '#lanes/guide/bytes/import-guide.ts';
import { SCHEDULE_GUIDE } from '#lanes/guide/core/app/derive-guide.ts';
import { exportStored } from '#lanes/guide/core/app/export-stored.ts';
import {
  AddressSchema,
  FetchedSchema,
  GuideIdSchema,
  GuideRecordSchema,
  GuidesSchema,
  LineupAnswerSchema,
} from '#lanes/guide/core/guides-protocol.ts';
import { readingLineup } from '#lanes/guide/core/lineup/read-lineup.ts';
import type { GuideRecord } from '#lanes/guide/core/store/guide-records.ts';
import { Zone } from '#lanes/guide/core/times/local-time.ts';
import { json, route, type Route } from '#server/api/route.ts';
import type { AuditAction } from '#server/audit/audit.ts';
import type { Env } from '#server/deps.ts';
import { parse, readBody } from '#server/http/body.ts';
import { HttpError } from '#server/http/http-error.ts';
import { createPersonQueue } from '#server/http/person-queue.ts';
import { chunksOf, madeInPlace, streamOf } from '#server/http/stream.ts';
import type { GuideService, ServiceDeps } from '../guide-service.ts';
import { guideBytes } from './body-bytes.ts';
import type { FetchGuide } from './fetch-guide.ts';

const READ = { scope: 'ReadCatalog', tag: 'Guide' } as const;
const EDIT = { scope: 'EditCatalog', tag: 'Guide', idempotent: true } as const;
/** Bytes of a lineup, some thirty thousand entries: its JSON is parsed in one turn, of about 30 ms. */
const MOST_LINEUP = 4 * 1024 * 1024;

/** Guides that a catalog keeps: one for each source of programmes. A million programmes of one are some hundred megabytes. */
const MOST_GUIDES = 100;
/** Guides of one person that are taken in, and written out, at a time; so many more may wait. */
const [TAKEN_IN, WRITTEN_OUT, WAITING] = [1, 2, 16];

export interface GuideRouteDeps extends ServiceDeps {
  service: GuideService;
  fetchGuide: FetchGuide;
}

export function guideRoutes({ service, fetchGuide, ...deps }: GuideRouteDeps): Route[] {
  const { store } = service;
  const takenIn = createPersonQueue(TAKEN_IN, WAITING);
  const writtenOut = createPersonQueue(WRITTEN_OUT, WAITING);
  const there = async (id: string): Promise<GuideRecord> => {
    const guide = await store.guide(id);
    if (guide === null) throw new HttpError('not_found', 'There is no such guide.');
    return guide;
  };
  const roomFor = async (id: string): Promise<void> => {
    const guides = await store.guides();
    if (guides.length < MOST_GUIDES || guides.some((guide) => guide.id === id)) return;
    throw failed('conflict', `There are ${MOST_GUIDES} guides here, and no more are kept.`, {
      remedy: 'Remove one that nobody reads any more, or replace it.',
    });
  };
  const change = (
    c: Context<Env>,
    action: AuditAction,
    entity_id: string,
    details: Record<string, unknown>,
    work: Parameters<GuideService['changed']>[1],
  ) => service.changed({ user_id: c.var.principal.user_id, action, entity_id, details }, work);
  return [
    route('GET /v1/guide/guides', {
      ...READ,
      summary: 'The guides that are kept.',
      replies: { 200: json(GuidesSchema, 'The guides.') },
      answer: async (c) => c.json({ items: await store.guides() }),
    }),
    route('PUT /v1/guide/guides/:id', {
      ...EDIT,
      summary: 'Take a guide in: XMLTV, plain or packed with gzip. One that is there is replaced at once.',
      description:
        'At most 512 MB unpacked, a million programmes. What could be read counts, and `notes` says what could not. Mends stay where their programme is there again.',
      query: {
        name: { description: 'Of the file; the id when absent.', schema: v.string() },
        zone: { description: 'Of times that name none, such as Europe/Berlin; UTC when absent.', schema: v.string() },
      },
      body: { type: 'application/xml', description: 'The guide.' },
      maxBody: null,
      replies: { 200: json(GuideRecordSchema, 'The guide as it is kept now.') },
      failures: [409, 413, 507],
      async answer(c) {
        const id = ownId(c.req.param('id'));
        const zone = zoneOf(c.req.query('zone') ?? null);
        const name = (c.req.query('name') ?? id).slice(0, 200);
        const body = c.req.raw.body;
        if (body === null) throw new HttpError('invalid', 'The body is the guide.');
        const { user_id } = c.var.principal;
        // What waits has not been read.
        return takenIn.run(user_id, async () => {
          await roomFor(id);
          const lookups = await store.lookupCounts();
          const taking = service.taking(({ programmes }) => ({
            ...{ user_id, action: 'guide.imported', entity_id: id, details: { name, programmes } },
          }));
          const wish = { guide: id, kind: 'file', name, zone } as const;
          const source = guideBytes(chunksOf(body));
          const record = await importGuide(taking, source, wish, { now: deps.clock.now() });
          service.spare(() => service.imported(lookups));
          return c.json(record);
        });
      },
    }),
    route('POST /v1/guide/guides/:id/fetch', {
      scope: 'Admin',
      tag: 'Guide',
      idempotent: true,
      summary: 'Take a guide in from an address; one whose server says that nothing changed stays.',
      description: 'http and https, at public addresses, five redirects, 30 s without a byte.',
      body: AddressSchema,
      waitsElsewhere: true,
      replies: { 200: json(FetchedSchema, 'Whether it changed, and the guide as it is kept now.') },
      failures: [409, 413, 502, 507],
      async answer(c) {
        const id = ownId(c.req.param('id'));
        const { value } = await readBody(c, AddressSchema);
        await roomFor(id);
        const lookups = await store.lookupCounts();
        const { user_id } = c.var.principal;
        const fetched = await fetchGuide(id, { ...value, zone: zoneOf(value.zone), user_id }, c.req.raw.signal);
        if (fetched.changed) service.spare(() => service.imported(lookups));
        return c.json(fetched);
      },
    }),
    route('DELETE /v1/guide/guides/:id', {
      ...EDIT,
      summary: 'Forget a guide, with its lineup and what was mended in it.',
      replies: { 204: { description: 'It is gone.' } },
      failures: [404],
      async answer(c) {
        const { id } = await there(ownId(c.req.param('id')));
        await change(c, 'guide.removed', id, {}, (guides) => guides.remove(id));
        return c.body(null, 204);
      },
    }),
    route('GET /v1/guide/guides/:id/xmltv', {
      ...READ,
      summary: 'The guide as XMLTV: valid, times in UTC, with what was mended in it.',
      query: { mended: { description: '`false`: as the source has it.', schema: v.string() } },
      replies: { 200: { description: 'The guide.', type: 'application/xml' } },
      failures: [404],
      async answer(c) {
        const guide = await there(c.req.param('id'));
        c.header('Content-Type', 'application/xml; charset=utf-8');
        const texts = exportStored(store, guide, c.req.query('mended') !== 'false');
        const bytes = await madeInPlace(c.req.method, writtenOut, c.var.principal.user_id, texts);
        return bytes === null ? c.body(null) : c.body(streamOf(bytes));
      },
    }),
    route('PUT /v1/guide/guides/:id/lineup', {
      ...EDIT,
      summary: "Give a guide its lineup: a tuner's JSON (HDHomeRun) or a playlist (M3U).",
      query: { name: { description: 'Of the file.', schema: v.string() } },
      body: { type: 'text/plain', description: 'The lineup.' },
      maxBody: MOST_LINEUP,
      replies: { 200: json(LineupAnswerSchema, 'How many entries it has.') },
      failures: [404, 413],
      async answer(c) {
        const { id } = await there(c.req.param('id'));
        const name = (c.req.query('name') ?? 'lineup').slice(0, 200);
        const read = await inTurns(readingLineup(await c.req.text()), () => store.rest());
        await change(c, 'guide.lineup_put', id, { name }, (guides) => guides.putLineup(id, { name, read }));
        return c.json({ name, entries: read.entries.length, unreadable: read.unreadable });
      },
    }),
    route('DELETE /v1/guide/guides/:id/lineup', {
      ...EDIT,
      summary: "Forget a guide's lineup.",
      replies: { 204: { description: 'It is gone.' } },
      failures: [404],
      async answer(c) {
        const { id } = await there(c.req.param('id'));
        await change(c, 'guide.lineup_put', id, { name: null }, (guides) => guides.putLineup(id, null));
        return c.body(null, 204);
      },
    }),
  ];
}

/** Channels of ours have a guide that nobody else writes. */
function ownId(text: string): string {
  const id = parse(GuideIdSchema, text, '"id"');
  if (id === SCHEDULE_GUIDE)
    throw failed('invalid', `"${SCHEDULE_GUIDE}" is the guide of the channels of this server.`);
  return id;
}

function zoneOf(name: string | null): string | null {
  if (name === null || name === '') return null;
  try {
    new Zone(name);
  } catch (cause) {
    throw failed('invalid', `"${name.slice(0, 60)}" is no time zone.`, {
      remedy: 'Name one such as Europe/Berlin.',
      cause,
    });
  }
  return name;
}
