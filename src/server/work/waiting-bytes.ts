/** How much of the disk one person's uploads take: what waits for a worker, and what is being received here. */
import { HttpError } from '../http/http-error.ts';
import type { Reader } from '../store/schema.ts';

const MB = 1024 * 1024;

/** Bytes of a person's uploaded files that no worker is done with. */
export async function waitingBytes(db: Reader, userId: string): Promise<number> {
  const row = await db
    .selectFrom('work_files as file')
    .innerJoin('work_batches as batch', 'batch.id', 'file.batch_id')
    .select((eb) => eb.fn.sum<number | string | null>('file.size').as('bytes'))
    .where('batch.user_id', '=', userId)
    .executeTakeFirst();
  return Number(row?.bytes ?? 0);
}

/** Throws HttpError 413 where a person's uploads would take more than they may. */
export function refuseBeyond(bytes: number, most: number): void {
  if (bytes <= most) return;
  throw new HttpError(
    'too_large',
    `Your uploads that are not worked on yet may have ${Math.floor(most / MB)} MB here in all, and with this one they would have more. Send it when some of them are done.`,
    { details: { waiting_bytes_limit: most } },
  );
}

/** Bytes that this process receives at the moment, by person: several uploads at once have one bound. */
export class Receiving {
  readonly #bytes = new Map<string, number>();

  /** Passes the chunks on; throws as `refuseBeyond` once they, with what else comes and what `waits`, are too many. */
  async *counted(
    userId: string,
    chunks: AsyncIterable<Uint8Array>,
    waits: number,
    most: number,
  ): AsyncGenerator<Uint8Array> {
    let own = 0;
    try {
      for await (const chunk of chunks) {
        own += chunk.length;
        this.#add(userId, chunk.length);
        refuseBeyond(waits + (this.#bytes.get(userId) ?? 0), most);
        yield chunk;
      }
    } finally {
      this.#add(userId, -own);
    }
  }

  #add(userId: string, bytes: number): void {
    const now = (this.#bytes.get(userId) ?? 0) + bytes;
    if (now === 0) this.#bytes.delete(userId);
    else this.#bytes.set(userId, now);
  }
}
