/** The open sockets of a process and who has them: one whose owner lost the permission is closed. */
import type { WebSocket } from 'ws';
import type { Principal } from '../auth/principal.ts';
import type { Log } from '../log.ts';

/** WebSocket close code "policy violation". */
const NOT_ALLOWED = 1008;

export interface Held {
  /** The same for sockets that the same token or person opened. */
  owner: string;
  /** Who that is now, or null. */
  identify(): Promise<Principal | null>;
  /** Whether that may have what this socket gets. */
  mayHave(principal: Principal): boolean;
}

export class SocketAccess {
  readonly #held = new Map<WebSocket, Held>();
  readonly #log: Log;
  #checking = false;
  #again = false;

  constructor(log: Log) {
    this.#log = log;
  }

  add(ws: WebSocket, held: Held): void {
    this.#held.set(ws, held);
    ws.on('close', () => this.#held.delete(ws));
  }

  /** Checks every socket; one check at a time, and what changed during one is seen by another. */
  check(): void {
    this.#again = true;
    if (this.#checking) return;
    this.#checking = true;
    this.#checkAll()
      // While the database cannot be reached every socket stays open; it is checked again soon.
      .catch((error: unknown) => this.#log.error('open sockets could not be checked', { error: String(error) }))
      .finally(() => {
        this.#checking = false;
      });
  }

  async #checkAll(): Promise<void> {
    while (this.#again) {
      this.#again = false;
      const owners = new Map<string, Principal | null>();
      for (const [ws, held] of [...this.#held]) {
        let principal = owners.get(held.owner);
        if (principal === undefined) {
          principal = await held.identify();
          owners.set(held.owner, principal);
        }
        if (principal === null || !held.mayHave(principal)) ws.close(NOT_ALLOWED, 'you may not hear this any more');
      }
    }
  }
}
