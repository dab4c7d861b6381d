/** /v1/guide/channels: channels of ours, which are schedules over recognised videos. */
import * as v from 'valibot';
import { scheduleOf } from '#lanes/guide/core/app/derive-guide.ts';
import { ScheduleChannelSchema } from '#lanes/guide/core/schedule/channel-file.ts';
import { conflictSentence } from '#lanes/guide/core/schedule/conflict-sentence.ts';
import { json, route, type Route } from '#server/api/route.ts';
import { HttpError } from '#server/http/http-error.ts';
import { writeAudit } from '#server/audit/audit.ts';
import { mutate } from '#server/http/mutate.ts';
import type { GuideService, ServiceDeps } from '../guide-service.ts';
import { knownVideos } from '../world/known-videos.ts';

const READ = { scope: 'ReadCatalog', tag: 'Guide' } as const;
const EDIT = { scope: 'EditCatalog', tag: 'Guide', idempotent: true } as const;
const MOST_CHANNELS = 1000;

const Days = v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(14)), 7);
const PutSchema = v.strictObject({ channel: ScheduleChannelSchema, days: Days });
const RowSchema = v.object({ schema_version: v.literal(1), channel: ScheduleChannelSchema, days: v.number() });
const PlanSchema = v.object({
  programmes: v.array(v.object({ start: v.string(), stop: v.string(), video: v.string() })),
  conflicts: v.array(v.string()),
});

export function channelRoutes(deps: ServiceDeps & { service: GuideService }): Route[] {
  const { service, clock } = deps;
  const { store } = service;
  return [
    route('GET /v1/guide/channels', {
      ...READ,
      summary: 'Channels that are schedules over recognised videos, by number.',
      replies: { 200: json(v.object({ items: v.array(RowSchema) }), 'The channels.') },
      answer: async (c) => c.json({ items: await store.schedules() }),
    }),
    route('PUT /v1/guide/channels/:id', {
      ...EDIT,
      summary: 'Make or change a channel; its schedule is derived anew.',
      body: PutSchema,
      replies: { 200: json(RowSchema, 'The channel.') },
      failures: [409],
      async answer(c) {
        const answer = await mutate(c, deps, PutSchema, 'GuideChanged', async (tx, { channel, days }, { user_id }) => {
          const id = c.req.param('id');
          const guides = service.within(tx);
          if (channel.id !== id) throw new HttpError('invalid', '"channel.id" is that of the address.');
          const others = (await guides.schedules()).filter((row) => row.channel.id !== id);
          if (others.length >= MOST_CHANNELS)
            throw new HttpError('conflict', `There may be ${MOST_CHANNELS} channels.`);
          if (others.some((row) => row.channel.number === channel.number))
            throw new HttpError('conflict', `Another channel has the number ${channel.number}.`);
          const row = { schema_version: 1 as const, channel, days };
          await guides.putSchedule(row);
          await writeAudit(tx, { at: clock.now(), user_id, action: 'channel.put', entity_id: id });
          return { status: 200, body: row };
        });
        service.spare(() => service.derive());
        return answer;
      },
    }),
    route('DELETE /v1/guide/channels/:id', {
      ...EDIT,
      summary: 'Remove a channel; its programmes go with it.',
      replies: { 204: { description: 'It is gone.' } },
      async answer(c) {
        const id = c.req.param('id');
        const { user_id } = c.var.principal;
        await service.changed({ user_id, action: 'channel.removed', entity_id: id }, (guides) =>
          guides.removeSchedule(id),
        );
        service.spare(() => service.derive());
        return c.body(null, 204);
      },
    }),
    route('GET /v1/guide/channels/:id/schedule', {
      ...READ,
      summary: "A channel's programmes from its today on, and what stands in their way, a sentence each.",
      replies: { 200: json(PlanSchema, 'The schedule.') },
      failures: [404],
      async answer(c) {
        const row = (await store.schedules()).find(({ channel }) => channel.id === c.req.param('id'));
        if (row === undefined) throw new HttpError('not_found', 'There is no such channel.');
        const videos = await knownVideos({ db: deps.store.db, lanes: deps.lanes });
        const { programmes, conflicts } = scheduleOf(row, videos, clock.now());
        return c.json({ programmes, conflicts: conflicts.map(conflictSentence) });
      },
    }),
  ];
}
