/** /v1/guide: the grid, and a person's own word: on fields of programmes, and on all faults of a kind at once. */
import { answerFaults } from '#lanes/guide/core/app/answers.ts';
import { editProgrammes } from '#lanes/guide/core/app/edit.ts';
import { gridRows, type GridPage } from '#lanes/guide/core/app/grid.ts';
import {
  AnsweredSchema,
  AnswerSchema,
  EditedSchema,
  EditsSchema,
  GridInstant,
  GridSchema,
} from '#lanes/guide/core/guides-protocol.ts';
import * as v from 'valibot';
import { json, paged, route, type Route } from '#server/api/route.ts';
import { writeAudit } from '#server/audit/audit.ts';
import { parse } from '#server/http/body.ts';
import { HttpError } from '#server/http/http-error.ts';
import { asJson, jsonOf, withLongList, withLongLists } from '#server/http/json-stream.ts';
import { keyedOnce, mutate } from '#server/http/mutate.ts';
import { readLimit } from '#server/http/page.ts';
import type { GuideService, ServiceDeps } from '../guide-service.ts';

const READ = { scope: 'ReadCatalog', tag: 'Guide' } as const;
const EDIT = { scope: 'EditCatalog', tag: 'Guide', idempotent: true } as const;
/** Milliseconds that one question for the grid may be about. */
const LONGEST = 14 * 86_400_000;

export function editRoutes(deps: ServiceDeps & { service: GuideService }): Route[] {
  const { service, clock, ids, events } = deps;
  const { store } = service;
  return [
    route('GET /v1/guide/guides/:id/grid', {
      ...READ,
      summary: 'Programmes of some channels and hours, with what is wrong and what was mended.',
      description: 'Instants are milliseconds since the epoch; 14 days and 100 channels at most.',
      query: {
        from: { description: 'The first instant.', schema: v.number() },
        to: { description: 'The first one behind.', schema: v.number() },
        offset: { description: 'Channels that are passed over.', schema: v.number() },
        limit: paged(12, 100).limit,
      },
      replies: { 200: json(GridSchema, 'So many channels, and how many there are.') },
      failures: [404],
      async answer(c) {
        const guide = c.req.param('id');
        const [from, to] = [instant(c.req.query('from'), 'from'), instant(c.req.query('to'), 'to')];
        if (to <= from || to - from > LONGEST)
          throw new HttpError('invalid', '"to" is behind "from", by 14 days at most.');
        if ((await store.guide(guide)) === null) throw new HttpError('not_found', 'There is no such guide.');
        const offset = Math.max(0, Math.floor(Number(c.req.query('offset') ?? 0)) || 0);
        const { channels, rows } = await gridRows(store, { guide, from, to, offset, limit: readLimit(c, 12, 100) });
        return jsonOf(withLongLists({ channels }, 'rows', inParts(rows)));
      },
    }),
    route('POST /v1/guide/edits', {
      ...EDIT,
      summary:
        'Say what is right of programmes: it beats source and tools, survives an import, and is taken back by undo.',
      body: EditsSchema,
      replies: { 200: json(EditedSchema, 'How many were others before, and what takes them back.') },
      failures: [404],
      answer: (c) =>
        mutate(c, deps, EditsSchema, 'GuideChanged', async (tx, { guide, edits }, { user_id }) => {
          const body = await editProgrammes(service.within(tx), guide, edits, { clock, ids });
          const line = { at: clock.now(), user_id, entity_id: guide, details: { changed: body.changed } };
          await writeAudit(tx, { ...line, action: 'guide.edited' });
          return { status: 200, body };
        }),
    }),
    route('POST /v1/guide/answers', {
      ...EDIT,
      summary:
        'Answer all open faults of a code at once: do what a person may do about them, or leave them as they should be.',
      body: AnswerSchema,
      replies: { 200: json(AnsweredSchema, 'How many it reached, and what takes it back.') },
      answer: (c) =>
        keyedOnce(c, deps, AnswerSchema, async (wish, { user_id }, _key, keep) => {
          const { guide, code, answer } = wish;
          const line = { user_id, entity_id: guide ?? 'global', action: 'guide.answered' } as const;
          // Each part with its line in the log: thousands of rows in one go would keep everybody else waiting.
          const body = await answerFaults(store, wish, { clock, ids }, (work, whole) =>
            deps.store.write(async (tx) => {
              const part = await work(service.within(tx));
              await writeAudit(tx, { ...line, at: clock.now(), details: { changed: part.changed, code, answer } });
              if (whole !== null) await keep(tx, { status: 200, body: whole(part) });
              return part;
            }),
          );
          events.emit({ type: 'GuideChanged' });
          return { status: 200, body };
        }),
    }),
  ];
}

/** Of each channel its cells, however many, one by one. */
async function* inParts(rows: AsyncIterable<GridPage['rows'][number]>): AsyncGenerator<AsyncIterable<string>> {
  for await (const { cells, ...row } of rows) yield withLongList(row, 'cells', asJson(cells));
}

const instant = (text: string | undefined, name: string): number =>
  parse(GridInstant, text === undefined || text === '' ? undefined : Number(text), `"${name}"`);
