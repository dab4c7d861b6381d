/** The singletons in the `meta` table that sync keeps, parsed when read: a damaged row counts as absent. */
import * as v from 'valibot';
import { parseAgentState, type AgentState } from '#core/run/agent-state.ts';
import type { AccessionDb } from './db.ts';

/** Meta row `replica`. */
const ReplicaStateSchema = v.object({
  catalog_id: v.nullable(v.string()),
  cursor: v.nullable(v.string()),
  /** Bumped on every applied page; the matcher's index is rebuilt when it changed. */
  version: v.number(),
  artists: v.number(),
  albums: v.number(),
  tracks: v.number(),
  complete: v.boolean(),
});
export type ReplicaState = v.InferOutput<typeof ReplicaStateSchema>;

/** How far the copy of the shows is. */
const ShowStateSchema = v.object({
  catalog_id: v.nullable(v.string()),
  cursor: v.nullable(v.string()),
  /** All that the server had was read once. */
  complete: v.boolean(),
});
export type ShowState = v.InferOutput<typeof ShowStateSchema>;

const NO_SHOWS: ShowState = { catalog_id: null, cursor: null, complete: false };

/** State of sync, kept in meta row `sync` for the top bar. */
const SyncStateSchema = v.object({
  online: v.boolean(),
  state: v.picklist(['ok', 'offline', 'unauthorized', 'server_error', 'starting']),
  message: v.nullable(v.string()),
  waiting: v.number(),
  oldest_waiting_at: v.nullable(v.number()),
  last_contact_at: v.nullable(v.number()),
  next_try_at: v.nullable(v.number()),
});
export type SyncState = v.InferOutput<typeof SyncStateSchema>;

/** What the server said of itself and of this browser's token, kept in meta row `server_facts`. */
const ServerFactsSchema = v.object({
  /** Whose token it is, and what it may; null: not known. */
  account: v.nullable(v.object({ name: v.nullable(v.string()), scopes: v.array(v.string()) })),
  /** The model that it lends, `provider/model`; null: none, or not to this token. */
  lends: v.nullable(v.string()),
  /** An administrator set it on for everybody who never chose a model. */
  for_all: v.boolean(),
});
export type ServerFacts = v.InferOutput<typeof ServerFactsSchema>;

const SERVER_FACTS_ROW = 'server_facts';

const NO_SERVER_FACTS: ServerFacts = { account: null, lends: null, for_all: false };

export const EMPTY_REPLICA: ReplicaState = {
  catalog_id: null,
  cursor: null,
  version: 0,
  artists: 0,
  albums: 0,
  tracks: 0,
  complete: false,
};

/** How far the mirror is. */
const MirrorStateSchema = v.object({
  /** The last job sent, in order of (updated_at, id). Never in the future. */
  updated_at: v.number(),
  job_id: v.string(),
  /** Per unfinished job: the last step sent. */
  steps: v.record(v.string(), v.number()),
  /** Jobs that a wrong clock dated in the future: the `updated_at` that was sent. */
  ahead: v.record(v.string(), v.number()),
  /** How often it began anew: what was sent before the last time counts for nothing (SYNC-36). */
  resets: v.optional(v.number(), 0),
  /** The server's word that it has what was sent (`MirrorResponse.mark`); null: nothing was sent yet. */
  mark: v.optional(v.nullable(v.string()), null),
});
export type MirrorState = v.InferOutput<typeof MirrorStateSchema>;

export const EMPTY_MIRROR: MirrorState = { updated_at: 0, job_id: '', steps: {}, ahead: {}, resets: 0, mark: null };

/** Row with what is known about the model. */
export const AGENT_ROW = 'agent';

const ServerPlansSchema = v.object({ count: v.number() });

/** How often the server's socket spoke of plans (VIDEO-95): pages that list them look again when it grew. */
export async function readPlansAnnounced(db: AccessionDb): Promise<number> {
  return parse(ServerPlansSchema, await db.meta.get('server_plans'))?.count ?? 0;
}

export function notePlansAnnounced(db: AccessionDb): Promise<void> {
  return db.transaction('rw', db.meta, async () => {
    await db.meta.put({ key: 'server_plans', value: { count: (await readPlansAnnounced(db)) + 1 } });
  });
}

export async function readReplicaState(db: AccessionDb): Promise<ReplicaState> {
  return parse(ReplicaStateSchema, await db.meta.get('replica')) ?? EMPTY_REPLICA;
}

export async function readShowState(db: AccessionDb): Promise<ShowState> {
  return parse(ShowStateSchema, await db.meta.get('shows')) ?? NO_SHOWS;
}

/** What is known about the model, for the top bar. */
export async function readAgentState(db: AccessionDb): Promise<AgentState> {
  return parseAgentState((await db.meta.get(AGENT_ROW))?.value);
}

export async function readSyncState(db: AccessionDb): Promise<SyncState | null> {
  return parse(SyncStateSchema, await db.meta.get('sync'));
}

export async function readMirrorState(db: AccessionDb): Promise<MirrorState> {
  return parse(MirrorStateSchema, await db.meta.get('mirror')) ?? EMPTY_MIRROR;
}

export async function readServerFacts(db: AccessionDb): Promise<ServerFacts> {
  return parse(ServerFactsSchema, await db.meta.get(SERVER_FACTS_ROW)) ?? NO_SERVER_FACTS;
}

export async function writeServerFacts(db: AccessionDb, facts: ServerFacts): Promise<void> {
  await db.meta.put({ key: SERVER_FACTS_ROW, value: facts });
}

function parse<T extends v.GenericSchema>(schema: T, row: { value: unknown } | undefined): v.InferOutput<T> | null {
  const outcome = v.safeParse(schema, row?.value);
  return outcome.success ? outcome.output : null;
}
