/** /v1/guide: guarded runs, their gates, what they leave behind, and what stops them. */
import * as v from 'valibot';
import { listOf } from '#core/sync/fields.ts';
import { escalationSentence } from '#lanes/guide/core/run/guards.ts';
import { lift } from '#lanes/guide/core/run/memory.ts';
import type { RunPage } from '#lanes/guide/core/run/ports.ts';
import type { RunSettings } from '#lanes/guide/core/run/run.types.ts';
import {
  ChannelSchema,
  ContainmentSchema,
  EscalationsSchema,
  gatesOf,
  GatesSchema,
  RunSettingsPatchSchema,
  RunSettingsSchema,
} from '#lanes/guide/core/run/runs-protocol.ts';
import { RunRecordSchema } from '#lanes/guide/core/run/stored-record.ts';
import { json, paged, route, type Route } from '#server/api/route.ts';
import { writeAudit } from '#server/audit/audit.ts';
import type { CatalogDeps } from '#server/deps.ts';
import { HttpError } from '#server/http/http-error.ts';
import { mutate } from '#server/http/mutate.ts';
import { pageOf, readLimit, readPlace } from '#server/http/page.ts';
import { readContainment, readRunSettings, writeContainment, writeRunSettings } from '../settings.ts';
import { changeMemory, SqlRunStore } from './sql-run-store.ts';

const READ = { scope: 'ReadCatalog', tag: 'Guide' } as const;
const EDIT = { scope: 'EditCatalog', tag: 'Guide', idempotent: true } as const;
const ADMIN = { scope: 'Admin', tag: 'Guide', idempotent: true } as const;

/** @param usual what accession.toml says of runs */
export function runRoutes(deps: Pick<CatalogDeps, 'store' | 'clock' | 'events'>, usual: RunSettings): Route[] {
  const { store, clock } = deps;
  const runs = new SqlRunStore(store);
  return [
    route('GET /v1/guide/gates', {
      ...READ,
      summary: 'What stands in the way of a run now: settings, containment, circuit, cooldowns and suspensions.',
      replies: { 200: json(GatesSchema, 'The gates.') },
      async answer(c) {
        const [memory, settings, containment] = await Promise.all([
          runs.memory(),
          readRunSettings(store.db, usual),
          readContainment(store.db),
        ]);
        return c.json(gatesOf(memory, settings, containment, clock.now()));
      },
    }),
    route('PUT /v1/guide/settings', {
      ...ADMIN,
      summary: 'Switch guarded runs on or off, and set their cooldown; it goes before [ai_agent] of accession.toml.',
      body: RunSettingsPatchSchema,
      replies: { 200: json(RunSettingsSchema, 'What counts from now on.') },
      answer: (c) =>
        mutate(c, deps, RunSettingsPatchSchema, 'GuideChanged', async (tx, body, { user_id }) => {
          const settings = await writeRunSettings(tx, usual, body);
          const line = { at: clock.now(), user_id, entity_id: 'settings', details: body };
          await writeAudit(tx, { ...line, action: 'guide.settings_changed' });
          return { status: 200, body: settings };
        }),
    }),
    route('PUT /v1/guide/containment', {
      ...ADMIN,
      summary: 'Stop every guarded run before its next step, and keep any from mending; or let them again.',
      body: ContainmentSchema,
      replies: { 200: json(ContainmentSchema, 'As it is now.') },
      answer: (c) =>
        mutate(c, deps, ContainmentSchema, 'GuideChanged', async (tx, { containment }, { user_id }) => {
          await writeContainment(tx, containment);
          const line = { at: clock.now(), user_id, entity_id: 'containment', details: { containment } };
          await writeAudit(tx, { ...line, action: 'guide.contained' });
          return { status: 200, body: { containment } };
        }),
    }),
    route('POST /v1/guide/lift', {
      ...EDIT,
      summary: 'End a suspension, of a channel or (null) of the whole, and set its count of runs to 0.',
      body: ChannelSchema,
      replies: { 200: json(ChannelSchema, 'It is lifted.') },
      answer: (c) =>
        mutate(c, deps, ChannelSchema, 'GuideChanged', async (tx, { channel }, { user_id }) => {
          await changeMemory(tx, (memory) => lift(memory, channel));
          const line = { at: clock.now(), user_id, entity_id: channel ?? 'global' };
          await writeAudit(tx, { ...line, action: 'guide.lifted' });
          return { status: 200, body: { channel } };
        }),
    }),
    route('GET /v1/guide/runs', {
      ...READ,
      summary: 'Guarded runs, the latest first, with their steps and what these changed.',
      query: {
        ...paged(20, 100),
        channel: { description: "Of this channel's key alone; `global`: of the whole.", schema: v.string() },
        skipped: { description: '`true`: also triggers of which no run began, with the reason.', schema: v.string() },
      },
      replies: { 200: json(listOf(RunRecordSchema), 'A page of runs.') },
      async answer(c) {
        const limit = readLimit(c, 20, 100);
        const place = readPlace(c);
        const channel = c.req.query('channel');
        const page: RunPage = {
          limit: limit + 1,
          before: place === null ? null : { at: Number(place[0]), id: place[1] },
          ...(channel === undefined ? {} : { channel: channel === 'global' ? null : channel }),
          skipped: c.req.query('skipped') === 'true',
        };
        const { page: items, next_cursor } = pageOf(await runs.page(page), limit, ({ at, id }) => [at, id]);
        return c.json({ items, next_cursor });
      },
    }),
    route('GET /v1/guide/runs/:id', {
      ...READ,
      summary: 'One run, with its steps and what these changed.',
      replies: { 200: json(RunRecordSchema, 'The run.') },
      failures: [404],
      async answer(c) {
        const run = await runs.record(c.req.param('id'));
        if (run === null) throw new HttpError('not_found', 'There is no run of this id that ended.');
        return c.json(run);
      },
    }),
    route('GET /v1/guide/runs/:id/journal', {
      ...READ,
      summary: 'The journal of a run, a JSON object a line, as `accession guide replay` takes it.',
      replies: { 200: { description: 'Its lines.', type: 'application/x-ndjson' } },
      failures: [404],
      async answer(c) {
        const lines = await runs.journal(c.req.param('id'));
        if (lines.length === 0) throw new HttpError('not_found', 'There is no journal of a run of this id.');
        const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
        return c.body(text, 200, { 'Content-Type': 'application/x-ndjson' });
      },
    }),
    route('GET /v1/guide/escalations', {
      ...READ,
      summary: 'What runs left to a person, the latest first: reason, number, limit, and a sentence.',
      query: { limit: paged(20, 100).limit },
      replies: { 200: json(EscalationsSchema, 'Escalations.') },
      async answer(c) {
        const found = await runs.escalations(readLimit(c, 20, 100));
        return c.json({ items: found.map((one) => ({ ...one, sentence: escalationSentence(one) })) });
      },
    }),
  ];
}
