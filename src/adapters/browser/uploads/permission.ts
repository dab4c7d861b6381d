import type { Clock } from '#core/ports.ts';
import { mayWork } from '#core/sync/people.ts';
import type { Result } from '#core/result.ts';

/** A token that may not is asked about again after this: its owner's role may have changed. Milliseconds. */
const AGAIN_MS = 300_000;

/** Whether the token that is stored now may work, asked of the server once for each token. */
export function permissionOf(
  tokenOf: () => Promise<string | null>,
  me: () => Promise<Result<{ scopes: readonly string[] }>>,
  clock: Clock,
) {
  let known: { token: string; may: boolean; at: number } | null = null;
  return {
    async mayWork(): Promise<boolean> {
      const token = await tokenOf();
      if (token === null) return false;
      const now = clock.now();
      if (known?.token === token && (known.may || Math.abs(now - known.at) < AGAIN_MS)) return known.may;
      const answer = await me();
      if (!answer.ok) return false;
      const may = mayWork(answer.value.scopes);
      known = { token, may, at: now };
      return may;
    },
    /** The server said otherwise. */
    forget(): void {
      known = null;
    },
  };
}
