/**
 * Resumable uploads that no commit has taken: how much of the disk they may take, one person's and all people's, and for
 * how long. What was announced counts, not what has come, so that whatever was begun can also be ended; the least that
 * an upload counts bounds their number, too.
 */
import { createHash } from 'node:crypto';
import type { MediaStore, StoredUpload } from '#core/ports.ts';
import type { CatalogDeps } from '../deps.ts';
import { publishedFile, type CommitDeps, type ServerDeps } from '../lane-server.ts';
import { HttpError } from '../http/http-error.ts';

type Deps = Pick<CatalogDeps, 'store' | 'blobs' | 'clock' | 'uploadLimits'>;

const MB = 1024 * 1024;
/** What an upload takes at least, bytes: a file, its note and a look at both have a price whatever is in them. */
const LEAST_BYTES = MB;
/** Seconds after which whoever found no room asks again. */
const ASK_AGAIN_S = 30;

/**
 * Begins an upload of `size` bytes where there is room for it, one at a time in all processes. Throws HttpError 413 for
 * one that there is never room for, 429 where others take it now.
 */
export async function beginWithin<T>(
  deps: Deps,
  upload: { user_id: string; size: number },
  begin: () => Promise<T>,
): Promise<T> {
  const { unfinishedBytes: own, unfinishedTotalBytes: all } = deps.uploadLimits;
  if (upload.size > Math.min(own, all))
    throw new HttpError('too_large', `An upload may have ${inMb(Math.min(own, all))} here.`);
  return deps.store.locks.run('room for uploads', async () => {
    const others = await giveUpSilent(deps);
    const mine = others.filter(({ user_id }) => user_id === upload.user_id);
    const wanted = counted(upload);
    if (mine.reduce((sum, one) => sum + counted(one), wanted) > own)
      throw noRoom(`Your uploads that are begun and not published may have ${inMb(own)} here in all.`);
    if (others.reduce((sum, one) => sum + counted(one), wanted) > all)
      throw noRoom(`Uploads that are begun and not published may have ${inMb(all)} here in all.`);
    return begin();
  });
}

/** Removes what got no byte for so long that nobody goes on with it. @returns the others */
export async function giveUpSilent({ blobs, clock, uploadLimits }: Omit<Deps, 'store'>): Promise<StoredUpload[]> {
  const before = clock.now() - uploadLimits.unfinishedMs;
  const uploads = await blobs.listUploads();
  for (const { sha256, touched_at } of uploads) if (touched_at < before) await blobs.removeUpload(sha256);
  return uploads.filter(({ touched_at }) => touched_at >= before);
}

/** SHA-256 of an upload, hex. */
export async function hashUpload(blobs: MediaStore, sha256: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of blobs.readUpload(sha256)) hash.update(chunk);
  return hash.digest('hex');
}

/** How much of it is here already, or null when it has to be begun. What turns out to be wrong is dropped. */
export async function foundUpload(
  deps: CommitDeps & Pick<ServerDeps, 'lanes'>,
  sha256: string,
  size: number,
): Promise<number | null> {
  const upload = await deps.blobs.upload(sha256);
  if (!upload) return (await publishedFile(deps, sha256))?.size === size ? size : null;
  const wrongSize = upload.size !== size || upload.received > upload.size;
  if (!wrongSize && (!upload.complete || (await hashUpload(deps.blobs, sha256)) === sha256)) return upload.received;
  await deps.blobs.removeUpload(sha256);
  return null;
}

/** So long whoever began an upload is waited for, milliseconds, beyond what its bytes take. */
const PATIENCE_MS = 10 * 60_000;
/** Bytes a second of a slow line, where no least speed is set. */
const SLOW_LINE = 10_000;

/**
 * Before `userId` begins the upload: half a file that somebody else sends now is left to them. Throws HttpError 429
 * while it grows; one that has been silent, or that takes longer than a slow line does, is dropped, so that nobody keeps
 * a file from the others.
 */
export async function leaveToOwner(
  { blobs, clock, uploadLimits }: Pick<Deps, 'blobs' | 'clock' | 'uploadLimits'>,
  userId: string,
  sha256: string,
): Promise<void> {
  const upload = await blobs.upload(sha256);
  if (!upload || upload.complete || isOf(upload, userId)) return;
  const { touched_at, begun_at, size } = upload;
  const slow_ms = (size / (uploadLimits.bytesPerSecond || SLOW_LINE)) * 1000;
  const late = clock.now() - PATIENCE_MS;
  if (touched_at < late || (begun_at ?? 0) < late - slow_ms) return blobs.removeUpload(sha256);
  throw new HttpError('rate_limited', 'Somebody else sends this same file now. Send it again when theirs is here.', {
    headers: { 'Retry-After': String(ASK_AGAIN_S) },
  });
}

/** The upload that is here, if any. Throws HttpError 404 for one that somebody else began: to others there is none. */
export async function ownUpload(
  { blobs }: Pick<Deps, 'blobs'>,
  userId: string,
  sha256: string,
): Promise<StoredUpload | null> {
  const upload = await blobs.upload(sha256);
  if (upload && !isOf(upload, userId)) throw new HttpError('not_found', 'There is no such upload.');
  return upload;
}

/** What the server made an upload of itself is everybody's. */
function isOf({ user_id }: { user_id: string | null }, userId: string): boolean {
  return user_id === null || user_id === userId;
}

function counted({ size }: Pick<StoredUpload, 'size'>): number {
  return Math.max(size, LEAST_BYTES);
}

/** Patience is what helps: the room comes back with every commit. */
function noRoom(sentence: string): HttpError {
  return new HttpError('rate_limited', `${sentence} Send this one when some of them are done.`, {
    headers: { 'Retry-After': String(ASK_AGAIN_S) },
  });
}

function inMb(bytes: number): string {
  return `${Math.floor(bytes / MB)} MB`;
}
