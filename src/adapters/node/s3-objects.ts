/** Objects of one bucket, by key. Nothing here ever writes over one. */
import { S3Error, encodeKey, type S3Client, type S3Request, textOf, textsOf } from './s3-client.ts';

export interface S3Object {
  /** Bytes. */
  size: number;
  etag: string;
  /** What we wrote of it when it was placed; null for others' objects. */
  sha256: string | null;
  /** Of the one attempt that placed it. */
  placement: string | null;
}

/** Times that a read goes on without having got a byte. */
const READ_TRIES = 4;

export async function headObject(s3: S3Client, key: string): Promise<S3Object | null> {
  const answer = await s3.send({ method: 'HEAD', key, expect: [404] });
  if (answer.status === 404) return null;
  const size = Number(answer.headers.get('content-length') ?? Number.NaN);
  if (!Number.isSafeInteger(size)) throw new S3Error(s3.place, answer.status, 'without a length');
  return {
    size,
    etag: answer.headers.get('etag') ?? '',
    sha256: answer.headers.get('x-amz-meta-sha256'),
    placement: answer.headers.get('x-amz-meta-placement'),
  };
}

/** Bytes [start, end). A connection that breaks is taken up where it broke, as long as the object is the same one. */
export async function* readObject(s3: S3Client, key: string, start: number, end: number): AsyncGenerator<Uint8Array> {
  let at = start;
  let etag: string | null = null;
  for (let silent = 0; at < end;) {
    const headers: Record<string, string> = { Range: `bytes=${at}-${end - 1}` };
    if (etag !== null) headers['If-Match'] = etag;
    const answer = await s3.send({ method: 'GET', key, headers });
    etag ??= answer.headers.get('etag');
    // A storage that knows no ranges would send the beginning.
    if (answer.status !== 206 || answer.body === null) {
      await answer.body?.cancel();
      throw new S3Error(s3.place, answer.status, 'without the range');
    }
    const from = at;
    try {
      for await (const chunk of answer.body) {
        const part = chunk.subarray(0, end - at);
        at += part.length;
        yield part;
      }
    } catch (error) {
      silent = at > from ? 0 : silent + 1;
      if (silent >= READ_TRIES) throw new S3Error(s3.place, 0, error instanceof Error ? error.message : 'cut off');
    }
    if (at === from && (silent += 1) > READ_TRIES) throw new S3Error(s3.place, 0, 'nothing came');
  }
}

/** No error where there is no such object. */
export async function deleteObject(s3: S3Client, key: string): Promise<void> {
  const answer = await s3.send({ method: 'DELETE', key, expect: [404] });
  await answer.body?.cancel();
}

/** Within the bucket; up to 5 GiB. Throws S3Error 404 where the source is gone. */
export async function copyObject(s3: S3Client, from: string, to: string): Promise<void> {
  const source = `/${encodeURIComponent(s3.place.bucket)}/${encodeKey(s3.full(from))}`;
  await s3.sendForText({ method: 'PUT', key: to, headers: { 'x-amz-copy-source': source } });
}

/** Asks for one name: what the key may do and whether the bucket is there is known then. */
export async function lookAtBucket(s3: S3Client, tries?: number): Promise<void> {
  const query = { 'list-type': '2', 'max-keys': '1', prefix: s3.full('') };
  await s3.sendForText({ method: 'GET', key: null, query, ...(tries === undefined ? {} : { tries }) });
}

/** The key of every object whose key begins so, in the order of keys. */
export async function* listObjects(s3: S3Client, under: string): AsyncGenerator<string> {
  for (let after: string | null = null; ;) {
    const from: Record<string, string> = after === null ? {} : { 'start-after': after };
    const query = { 'list-type': '2', prefix: s3.full(under), ...from };
    const { text }: { text: string } = await s3.sendForText({ method: 'GET', key: null, query });
    const keys = textsOf(text, 'Key');
    for (const key of keys) yield key.slice(s3.full('').length);
    after = keys.at(-1) ?? null;
    if (after === null || textOf(text, 'IsTruncated') !== 'true') return;
  }
}

/** Ends every upload in parts that was begun before that time (milliseconds since the epoch) and never ended. */
export async function endOldParts(s3: S3Client, under: string, before: number): Promise<number> {
  let ended = 0;
  let more: Record<string, string> | null = {};
  while (more !== null) {
    const query: Record<string, string> = { uploads: '', prefix: s3.full(under), ...more };
    const { text }: { text: string } = await s3.sendForText({ method: 'GET', key: null, query });
    for (const entry of partsIn(text)) {
      if (!(Date.parse(entry.initiated) < before) || !entry.key.startsWith(s3.full(under))) continue;
      await abortParts(s3, entry.key.slice(s3.full('').length), entry.id);
      ended += 1;
    }
    const [key, id] = [textOf(text, 'NextKeyMarker'), textOf(text, 'NextUploadIdMarker')];
    const cut = textOf(text, 'IsTruncated') === 'true' && key !== null && id !== null;
    more = cut ? { 'key-marker': key, 'upload-id-marker': id } : null;
  }
  return ended;
}

function partsIn(xml: string): { key: string; id: string; initiated: string }[] {
  // Inside `Upload` the texts are taken from the raw answer: an entity in a key is read once, not twice.
  return [...xml.matchAll(/<Upload>([^]*?)<\/Upload>/g)].map(([, inside = '']) => ({
    key: textOf(inside, 'Key') ?? '',
    id: textOf(inside, 'UploadId') ?? '',
    initiated: textsOf(inside, 'Initiated')[0] ?? '',
  }));
}

/** No error where that is done already. */
export async function abortParts(s3: S3Client, key: string, uploadId: string): Promise<void> {
  const request: S3Request = { method: 'DELETE', key, query: { uploadId }, expect: [404] };
  const answer = await s3.send(request);
  await answer.body?.cancel();
}
