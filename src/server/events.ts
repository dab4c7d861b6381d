import type { PlanReadyMessage } from '#core/sync/plan-protocol.ts';
import type { NoticeMessage } from '#core/sync/socket-messages.ts';

/** Something was written: in the change feed, in the jobs' updates, in what people may do, in guides or what stops their runs. */
export type Changed = 'CatalogChanged' | 'IngestionChanged' | 'AccessChanged' | 'GuideChanged';
/** The same; or a plan can be reviewed, or a person should know of something: these are passed on as they are. */
export type ServerEvent = { type: Changed } | PlanReadyMessage | NoticeMessage;

/**
 * From the routes to whoever listens in this process (sockets, snapshots), so that nobody waits for the next look at
 * the database. An event may be lost: what counts is in the database, or in the directory of plans.
 */
export class EventHub {
  readonly #listeners = new Set<(event: ServerEvent) => void>();

  /** @returns how to stop listening */
  listen(listener: (event: ServerEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  emit(event: ServerEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}
