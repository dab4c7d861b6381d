import { createHash, randomUUID } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { AccessionError, failed } from '#core/errors.ts';
import type { BlobRef } from '#core/ports.ts';
import { type S3Client, escaped, textOf, S3Error } from './s3-client.ts';
import { abortParts, deleteObject, headObject } from './s3-objects.ts';

/** Bytes that are sent at once; what is larger goes in parts of this size. S3 wants 5 MiB at least. */
export const PART_BYTES = 8 * 1024 * 1024;
/** Bytes; what S3 copies in one go, and a replaced file is moved by a copy. */
export const MOST_BYTES = 5 * 1024 ** 3;

/** Where a storage does not know `If-None-Match`, the look before has to do. */
const NOT_THERE = { 'If-None-Match': '*' };

/**
 * Puts a file under a key that is free, hashing what is sent: the object is there when the storage has said so and the
 * hash is right, else nothing is. False when something is there already. Throws S3Error, or AccessionError
 * `storage_failed` where the file is not what its name says.
 */
export async function placeFile(s3: S3Client, key: string, path: string, ref: BlobRef): Promise<boolean> {
  if (ref.size > MOST_BYTES) throw failed('too_large', 'A file in a bucket may have 5 GiB.');
  if ((await headObject(s3, key)) !== null) return false;
  // Tells what this attempt wrote from what anybody else did, when an answer was lost.
  const placement = randomUUID();
  const type = key.endsWith('.pdf') ? 'application/pdf' : 'audio/ogg';
  const headers = { 'Content-Type': type, 'x-amz-meta-sha256': ref.sha256, 'x-amz-meta-placement': placement };
  const file = await open(path, 'r');
  let taken: boolean;
  try {
    taken = await (ref.size <= PART_BYTES ? putWhole : putParts)(s3, key, file, ref, headers);
  } catch (error) {
    await takeBack(s3, key, placement).catch(() => undefined);
    throw error;
  } finally {
    await file.close();
  }
  const there = await headObject(s3, key);
  if (there?.placement !== placement) {
    if (taken) throw new S3Error(s3.place, 404, 'without the object that it took');
    return false;
  }
  if (there.size === ref.size && there.sha256 === ref.sha256) return true;
  await deleteObject(s3, key);
  throw new S3Error(s3.place, 200, 'for an object of another size');
}

/** The storage may have written what it never acknowledged. */
async function takeBack(s3: S3Client, key: string, placement: string): Promise<void> {
  if ((await headObject(s3, key))?.placement === placement) await deleteObject(s3, key);
}

type Put = (
  s3: S3Client,
  key: string,
  file: FileHandle,
  ref: BlobRef,
  headers: Record<string, string>,
) => Promise<boolean>;

const putWhole: Put = async (s3, key, file, ref, headers) => {
  const body = await readPart(file, 0, ref.size);
  if (createHash('sha256').update(body).digest('hex') !== ref.sha256) throw damaged();
  return unlessThere(async (condition, expect) => {
    const answer = await s3.send({ method: 'PUT', key, headers: { ...headers, ...condition }, body, expect });
    await answer.body?.cancel();
    return answer.status;
  });
};

const putParts: Put = async (s3, key, file, ref, headers) => {
  const begun = await s3.sendForText({ method: 'POST', key, query: { uploads: '' }, headers });
  const uploadId = textOf(begun.text, 'UploadId');
  if (uploadId === null) throw new S3Error(s3.place, begun.status, 'without an upload id');
  try {
    const list = Buffer.from(await sendParts(s3, key, file, ref, uploadId));
    const taken = await unlessThere(async (condition, expect) => {
      const request = { method: 'POST', key, query: { uploadId }, headers: condition, body: list } as const;
      // 404: the answer to an earlier try was lost, and it did it; what is there tells.
      return (await s3.sendForText({ ...request, expect: [...expect, 404] })).status;
    });
    if (!taken) await abortParts(s3, key, uploadId);
    return taken;
  } catch (error) {
    // What cannot be ended now is ended at a later start; it never counts.
    await abortParts(s3, key, uploadId).catch(() => undefined);
    throw error;
  }
};

/** The XML that joins them. */
async function sendParts(s3: S3Client, key: string, file: FileHandle, ref: BlobRef, uploadId: string): Promise<string> {
  const hash = createHash('sha256');
  const parts: string[] = [];
  for (let at = 0; at < ref.size; at += PART_BYTES) {
    const body = await readPart(file, at, Math.min(PART_BYTES, ref.size - at));
    hash.update(body);
    const number = parts.length + 1;
    const answer = await s3.send({ method: 'PUT', key, query: { partNumber: String(number), uploadId }, body });
    const etag = answer.headers.get('etag');
    await answer.body?.cancel();
    if (etag === null) throw new S3Error(s3.place, answer.status, 'without an ETag');
    parts.push(`<Part><PartNumber>${number}</PartNumber><ETag>${escaped(etag)}</ETag></Part>`);
  }
  if (hash.digest('hex') !== ref.sha256) throw damaged();
  return `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`;
}

/** True when it was written; 409 is two at once, of whom the storage cannot tell yet who is first. */
async function unlessThere(
  write: (condition: Record<string, string>, expect: readonly number[]) => Promise<number>,
): Promise<boolean> {
  for (let tried = 0; tried < 3; tried += 1) {
    const status = await write(NOT_THERE, [409, 412, 501]);
    if (status === 409) continue;
    if (status === 501) return (await write({}, [])) < 300;
    return status < 300;
  }
  return false;
}

async function readPart(file: FileHandle, at: number, size: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(size);
  for (let have = 0; have < size;) {
    const { bytesRead } = await file.read(bytes, have, size - have, at + have);
    if (bytesRead === 0) throw damaged();
    have += bytesRead;
  }
  return bytes;
}

function damaged(): AccessionError {
  return failed('storage_failed', 'The upload changed on the disk of the server; send it again.');
}
