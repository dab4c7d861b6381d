import { HttpError } from '../http/http-error.ts';
import type { Reader } from '../store/schema.ts';

/** What one request and one person may send and leave to wait: `[ingestion.limits]` of accession.toml. */
export interface UploadLimits {
  /** Files of one upload. */
  files: number;
  /** Plain fields of one upload, and parts that are no file to be taken. */
  fields: number;
  /** Bytes of one upload, all of its files and what is around them. */
  totalBytes: number;
  /** Bytes of one person's uploads that no worker is done with. */
  waitingBytes: number;
  /** Announced bytes of one person's resumable uploads that no commit has taken. */
  unfinishedBytes: number;
  /** The same of all people together. */
  unfinishedTotalBytes: number;
  /** Milliseconds without a byte after which such an upload is given up. */
  unfinishedMs: number;
  /** Bytes a second with which a body has to come, on an average of `http/pace.ts`; 0: any. */
  bytesPerSecond: number;
}

export const USUAL_UPLOAD_LIMITS: UploadLimits = {
  files: 1000,
  fields: 32,
  totalBytes: 8192 * 1024 * 1024,
  waitingBytes: 51_200 * 1024 * 1024,
  unfinishedBytes: 10_240 * 1024 * 1024,
  unfinishedTotalBytes: 51_200 * 1024 * 1024,
  unfinishedMs: 7 * 86_400_000,
  bytesPerSecond: 10_000,
};

/** How much of the disk one person's uploads take: what waits for a worker, and what is being received here. */

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
