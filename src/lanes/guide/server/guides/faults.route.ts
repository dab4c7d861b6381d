/** /v1/guide: what is wrong in the guides, what is as it should be, runs by hand, questions, and what is taken back. */
import { issuesOf, countOpen } from '#lanes/guide/core/app/guide-view.ts';
import { openFaults, type OpenFault } from '#lanes/guide/core/app/open-faults.ts';
import { faultWords } from '#lanes/guide/core/faults/fault-words.ts';
import { FAULT_TYPES, type FaultType } from '#lanes/guide/core/faults/fault.ts';
import {
  AskSchema,
  DismissalsSchema,
  DismissedSchema,
  DismissSchema,
  DryRunSchema,
  HealthAnswerSchema,
  MendsSchema,
  OpenFaultsSchema,
  RunWishSchema,
  TriggeredSchema,
  UndoneSchema,
  UndoSchema,
} from '#lanes/guide/core/guides-protocol.ts';
import type { Triggered } from '#lanes/guide/core/run/guide-runs.ts';
import type { Dismissal } from '#lanes/guide/core/store/guide-records.ts';
import * as v from 'valibot';
import { json, paged, route, type Route } from '#server/api/route.ts';
import { parse, readBody } from '#server/http/body.ts';
import { HttpError } from '#server/http/http-error.ts';
import { writeAudit } from '#server/audit/audit.ts';
import { keyedOnce, mutate } from '#server/http/mutate.ts';
import { readLimit } from '#server/http/page.ts';
import type { GuideService, ServiceDeps } from '../guide-service.ts';

const READ = { scope: 'ReadCatalog', tag: 'Guide' } as const;
const EDIT = { scope: 'EditCatalog', tag: 'Guide', idempotent: 'key' } as const;

const TypeSchema = v.optional(v.picklist(FAULT_TYPES));

export function faultRoutes(deps: ServiceDeps & { service: GuideService }): Route[] {
  const { service, clock, ids } = deps;
  const { store, app } = service;
  return [
    route('GET /v1/guide/health', {
      ...READ,
      summary: 'How good the guides are: open faults by type, issues, and the ratio over time.',
      query: { channel: { description: 'Of this channel alone.', schema: v.string() } },
      replies: { 200: json(HealthAnswerSchema, 'The health.') },
      async answer(c) {
        const channel = c.req.query('channel') ?? null;
        const counted = await countOpen(store, { guide: null, channel, days: null });
        const { programmes, failing, counts } = counted;
        return c.json({
          programmes,
          failing,
          counts,
          issues: issuesOf(counted, channel),
          points: await store.points(),
        });
      },
    }),
    route('GET /v1/guide/faults', {
      ...READ,
      summary: 'Faults that are open: neither mended nor said to be as they should be.',
      query: {
        limit: paged(100, 1000).limit,
        offset: { description: 'Faults that are passed over.', schema: v.number() },
        guide: { description: 'Of this guide alone.', schema: v.string() },
        channel: { description: 'Of this channel alone.', schema: v.string() },
        type: { description: 'Of this type alone.', schema: TypeSchema },
      },
      replies: { 200: json(OpenFaultsSchema, 'So many of them, and how many there are.') },
      async answer(c) {
        const type = parse(TypeSchema, c.req.query('type'), '"type"');
        const limit = readLimit(c, 100, 1000);
        const offset = Math.max(0, Math.floor(Number(c.req.query('offset') ?? 0)) || 0);
        const scope = { guide: c.req.query('guide') ?? null, channel: c.req.query('channel') ?? null, days: null };
        return c.json(await faultPage(openFaults(store, scope), { type, offset, limit }));
      },
    }),
    route('GET /v1/guide/dismissals', {
      ...READ,
      summary: 'What people said is as it should be.',
      replies: { 200: json(DismissalsSchema, 'The oldest first.') },
      answer: async (c) => c.json({ items: await store.dismissals() }),
    }),
    route('POST /v1/guide/dismissals', {
      ...EDIT,
      summary: 'Say that a fault, a title, or a type of fault on a channel is as it should be.',
      body: DismissSchema,
      replies: { 201: json(DismissedSchema, 'By these ids it is taken back.') },
      failures: [404],
      answer: (c) =>
        mutate(c, deps, DismissSchema, 'GuideChanged', async (tx, { guide, of }, { user_id }) => {
          const guides = service.within(tx);
          if ((await guides.guide(guide)) === null) throw new HttpError('not_found', 'There is no such guide.');
          const rows = of.map((one): Dismissal => ({
            ...{ schema_version: 1, id: ids.next(), guide, at: clock.now(), of: one },
          }));
          await guides.putDismissals(rows);
          const line = { at: clock.now(), user_id, entity_id: guide, details: { rows: rows.length } };
          await writeAudit(tx, { ...line, action: 'guide.dismissed' });
          return { status: 201, body: { ids: rows.map(({ id }) => id) } };
        }),
    }),
    route('DELETE /v1/guide/dismissals/:id', {
      ...EDIT,
      idempotent: true,
      summary: 'Take back that something is as it should be.',
      replies: { 204: { description: 'It counts again.' } },
      async answer(c) {
        await store.removeDismissals([c.req.param('id')]);
        return c.body(null, 204);
      },
    }),
    route('POST /v1/guide/runs', {
      ...EDIT,
      summary: 'Begin a guarded run of a channel, or (null) of the whole, if its gates are open. It goes on by itself.',
      body: RunWishSchema,
      replies: { 200: json(TriggeredSchema, 'Its id, or why none began.') },
      answer: (c) =>
        keyedOnce(c, deps, RunWishSchema, async ({ channel }) => {
          const begun = await service.demand(channel);
          const audit = { action: 'guide.run', entity_id: channel ?? 'global', details: told(begun) } as const;
          return { status: 200, body: told(begun), audit };
        }),
    }),
    route('POST /v1/guide/runs/dry', {
      ...EDIT,
      idempotent: true,
      summary: 'What a run would do now, behind the same gates; nothing is written.',
      body: RunWishSchema,
      replies: { 200: json(DryRunSchema, 'Its steps and what they would change, or why none would begin.') },
      async answer(c) {
        const { value } = await readBody(c, RunWishSchema);
        return c.json(await app.dryRun(value.channel));
      },
    }),
    route('POST /v1/guide/ask', {
      ...EDIT,
      summary: 'A question; one about metadata, EPG, XMLTV, placeholders or the guide begins a guarded run.',
      body: AskSchema,
      replies: { 200: json(TriggeredSchema, 'The run, or why none began; `null`: it is about something else.') },
      answer: (c) =>
        keyedOnce(c, deps, AskSchema, async ({ text, channel }) => {
          const begun = await service.asked(text, channel);
          if (begun === null) return { status: 200, body: { begun: false, reason: null } };
          const audit = { action: 'guide.run', entity_id: channel ?? 'global', details: told(begun) } as const;
          return { status: 200, body: told(begun), audit };
        }),
    }),
    route('GET /v1/guide/runs/:id/mends', {
      ...READ,
      summary: 'What a run mended, each with what it was before, the evidence, and whether it was taken back.',
      replies: { 200: json(MendsSchema, 'In the order of mending.') },
      answer: async (c) => c.json({ items: await store.mendsOfRun(c.req.param('id')) }),
    }),
    route('POST /v1/guide/undo', {
      ...EDIT,
      summary: 'Take back what a run mended, or single mends. What changed since is refused, each with why.',
      body: UndoSchema,
      replies: { 200: json(UndoneSchema, 'How many were taken back, and which were not.') },
      failures: [404],
      answer: (c) =>
        keyedOnce(c, deps, UndoSchema, async (wish) => {
          const body = await app.undo(wish);
          const entity_id = 'run' in wish ? wish.run : 'mends';
          const details = { undone: body.undone, refused: body.refused.length };
          return { status: 200, body, audit: { action: 'guide.undone', entity_id, details } };
        }),
    }),
  ];
}

const told = (begun: Triggered): { begun: true; run: string } | { begun: false; reason: string } =>
  begun.begun ? { begun: true, run: begun.run } : { begun: false, reason: begun.reason };

async function faultPage(
  days: AsyncIterable<OpenFault[]>,
  { type, offset, limit }: { type: FaultType | undefined; offset: number; limit: number },
): Promise<v.InferOutput<typeof OpenFaultsSchema>> {
  let total = 0;
  const items: v.InferOutput<typeof OpenFaultsSchema>['items'] = [];
  for await (const faults of days)
    for (const { guide, type: of, code, where, channel, start } of faults) {
      if (type !== undefined && of !== type) continue;
      total += 1;
      if (total <= offset || items.length >= limit) continue;
      const words = faultWords({ type: of, ...(code === null ? {} : { code }) });
      items.push({ guide, type: of, code, where, channel, start, words });
    }
  return { total, items };
}
