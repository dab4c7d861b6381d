import type { Clock } from '#core/ports.ts';
import type { Result } from '#core/result.ts';

/** A server's word for what lets a token take uploads. */
const ENOUGH: readonly string[] = ['Work', 'EditCatalog', 'Admin'];
/** A token that may not is asked about again after this: its owner's role may have changed. Milliseconds. */
const AGAIN_MS = 300_000;

/** Whether the token that is stored now may work, asked of the server once for each token. */
export class Permission {
  readonly #token: () => Promise<string | null>;
  readonly #me: () => Promise<Result<{ scopes: readonly string[] }>>;
  readonly #clock: Clock;
  #known: { token: string; may: boolean; at: number } | null = null;

  constructor(
    token: () => Promise<string | null>,
    me: () => Promise<Result<{ scopes: readonly string[] }>>,
    clock: Clock,
  ) {
    this.#token = token;
    this.#me = me;
    this.#clock = clock;
  }

  async mayWork(): Promise<boolean> {
    const token = await this.#token();
    if (token === null) return false;
    const now = this.#clock.now();
    const known = this.#known;
    if (known?.token === token && (known.may || Math.abs(now - known.at) < AGAIN_MS)) return known.may;
    const me = await this.#me();
    if (!me.ok) return false;
    const may = me.value.scopes.some((scope) => ENOUGH.includes(scope));
    this.#known = { token, may, at: now };
    return may;
  }

  /** The server said otherwise. */
  forget(): void {
    this.#known = null;
  }
}
