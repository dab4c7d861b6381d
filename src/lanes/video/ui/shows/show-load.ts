/** A show to edit: as the server has it now, else as the replica has it. */
import { failure, type Failure } from '#core/errors.ts';
import { fail, ok, type Result } from '#core/result.ts';
import type { Show } from '#lanes/video/core/show-catalog.ts';
import { showCatalog } from '../client.ts';
import { db } from '#ui/client/db.ts';

export interface LoadedShow {
  show: Show;
  version: number | undefined;
  /** Why the server could not be asked; null when it was. */
  trouble: Failure | null;
}

/** Of a show's page, below the origin. */
export const showPath = (id: string): string => `catalog/shows/${encodeURIComponent(id)}`;

/** Fails with `not_found` where neither knows the show. */
export async function loadShow(id: string): Promise<Result<LoadedShow>> {
  const asked = await (await showCatalog()).show(id);
  if (asked.ok) {
    const { version, ...show } = asked.value;
    return ok({ show, version, trouble: null });
  }
  if (asked.failure.code === 'not_found') return asked;
  const show = await db.shows.get(id);
  if (show === undefined) return fail(failure('not_found', 'This show is not in the offline copy of the catalog.'));
  return ok({ show, version: undefined, trouble: asked.failure });
}
