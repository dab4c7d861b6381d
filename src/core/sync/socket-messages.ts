/**
 * What GET /v1/ws sends and takes. An update carries the `cursor` behind it: whoever connects with `?since=<cursor>`, or
 * sends `Since`, gets first what came after it.
 */
import * as v from 'valibot';
import { PlanReadySchema } from './plan-protocol.ts';
import { CatalogChangedSchema, IngestionUpdateSchema } from './protocol.ts';

/** The first message, and the answer to `Since`. */
export const HelloSchema = v.object({
  type: v.literal('Hello'),
  /** Where the updates go on from. */
  cursor: v.string(),
  /** True: nothing is known of the given cursor any more (or none was given); read jobs and reviews once. */
  resync: v.boolean(),
  /** A `Heartbeat` comes at least this often, milliseconds: without one for longer, the connection is dead. */
  heartbeat_ms: v.pipe(v.number(), v.minValue(1)),
});
export const HeartbeatSchema = v.object({ type: v.literal('Heartbeat'), cursor: v.string() });

/**
 * Something a person should know of, in a sentence; to whoever may edit. A hint, never repeated: the lane's own list
 * has it.
 */
export const NoticeSchema = v.object({
  type: v.literal('Notice'),
  /** Whose it is. */
  lane: v.string(),
  /** Of what it is about. */
  id: v.string(),
  sentence: v.string(),
  /** Milliseconds since the epoch. */
  at: v.number(),
});
export type NoticeMessage = v.InferOutput<typeof NoticeSchema>;

export const ServerMessageSchema = v.variant('type', [
  HelloSchema,
  HeartbeatSchema,
  IngestionUpdateSchema,
  CatalogChangedSchema,
  PlanReadySchema,
  NoticeSchema,
]);
export type ServerMessage = v.InferOutput<typeof ServerMessageSchema>;

/** The one message of a client. */
export const SinceSchema = v.object({ type: v.literal('Since'), cursor: v.pipe(v.string(), v.maxLength(40)) });
