import type { CatalogDeps } from './deps.ts';

/**
 * What only clears away after a change that was made and is about to be told: where the disk does not let it, the change
 * stands all the same, and the next start clears it (ingest/recover.ts).
 */
export async function tidy(deps: Pick<CatalogDeps, 'log'>, what: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    deps.log.warn(`${what} could not be cleared away yet`, { error: String(error) });
  }
}
