/** Failures of the store of guides, as its port has them. */
import { failed } from '#core/errors.ts';
import { databaseFailure } from '#server/store/database-failure.ts';

export const replaced = (): Error =>
  failed('conflict', 'The guide was replaced meanwhile.', { remedy: 'Try again: it is read anew.' });

/** A database without space says so in a sentence. */
export async function keptOrFull<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (databaseFailure(error)?.kind !== 'full') throw error;
    throw failed('storage_full', 'The server has no space left for the guide; it is what it was.', {
      remedy: 'Free some space and send the guide again.',
      cause: error,
    });
  }
}
