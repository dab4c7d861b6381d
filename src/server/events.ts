import type { IngestionUpdate } from '#core/sync/protocol.ts';

export type ServerMessage = IngestionUpdate | { type: 'CatalogChanged' };

/** From the routes to whoever listens (the sockets). A message is a hint; what counts is in the database. */
export class EventHub {
  readonly #listeners = new Set<(message: ServerMessage) => void>();

  /** @returns how to stop listening */
  listen(listener: (message: ServerMessage) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  emit(message: ServerMessage): void {
    for (const listener of this.#listeners) listener(message);
  }
}
