/** The body of an upload: every file to the disk, hashed on the way; all of it or, when something is wrong, nothing. */
import { HEAD_BYTES, kindOfFile } from '#core/ingest/sniff.ts';
import type { FileKind } from '#core/ingest/file-kinds.ts';
import type { CatalogDeps } from '../deps.ts';
import { HttpError } from '../http/http-error.ts';
import { readMultipart, type Part } from '../http/multipart.ts';

export interface ReceivedFile {
  id: string;
  /** As the client calls it; a path where it sent one. */
  name: string;
  sha256: string;
  /** Bytes. */
  size: number;
  /** By its first bytes. */
  kind: FileKind;
}

export interface Received {
  files: ReceivedFile[];
  /** The plain fields. */
  fields: Map<string, string>;
}

/** Characters of a plain field. */
const MOST_TEXT = 1000;

type Deps = Pick<CatalogDeps, 'originals' | 'ids' | 'maxUploadBytes' | 'uploadLimits'>;

/** Throws HttpError 400 for a body in another form, 413 for what is too large or too much, 507 where there is no space. */
export async function receive(deps: Deps, body: AsyncIterable<Uint8Array>, boundary: string): Promise<Received> {
  const files: ReceivedFile[] = [];
  const fields = new Map<string, string>();
  const most = deps.uploadLimits;
  try {
    let others = 0;
    for await (const part of readMultipart(body, boundary)) {
      // A form sends a file field that was left empty as a file without a name.
      if (part.filename !== null && part.filename !== '' && /^files?(\[\])?$/.test(part.name)) {
        if (files.length >= most.files)
          throw new HttpError('too_large', `An upload may have ${most.files} files; send the rest as another one.`);
        files.push(await keep(deps, part, part.filename));
        continue;
      }
      others += 1;
      if (others > most.fields)
        throw new HttpError('too_large', `An upload may have ${most.fields} fields beside its files.`);
      if (part.filename === null) fields.set(part.name, await readText(part));
    }
  } catch (error) {
    await forget(deps, files);
    throw error;
  }
  return { files, fields };
}

/** Removes what was received for nothing. */
export async function forget({ originals }: Pick<Deps, 'originals'>, files: readonly ReceivedFile[]): Promise<void> {
  for (const { id } of files) await originals.delete(id);
}

async function keep(deps: Deps, part: Part, name: string): Promise<ReceivedFile> {
  const id = deps.ids.next();
  const { sha256, size } = await deps.originals.put(id, limited(part.chunks, deps.maxUploadBytes, name));
  const read = async (start: number): Promise<Uint8Array> =>
    Buffer.concat(await Array.fromAsync(deps.originals.read(id, start, Math.min(size, start + HEAD_BYTES))));
  return { id, name, sha256, size, kind: size === 0 ? 'unknown' : await kindOfFile(read, size) };
}

async function* limited(chunks: AsyncIterable<Uint8Array>, most: number, name: string): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > most)
      throw new HttpError('too_large', `"${name}" has more than the ${most} bytes that an upload may have here.`);
    yield chunk;
  }
}

async function readText(part: Part): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of part.chunks) {
    size += chunk.length;
    if (size > MOST_TEXT) throw new HttpError('invalid', `The field "${part.name}" may have ${MOST_TEXT} characters.`);
    parts.push(chunk);
  }
  return Buffer.concat(parts).toString('utf8');
}
