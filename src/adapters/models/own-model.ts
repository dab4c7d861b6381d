/** A model of the person's own: a GGUF by its address, or copied in from a file of this device. */
import { failed } from '#core/errors.ts';
import { blobRange } from '../media/blob-pieces.ts';
import { checkSpace, withQuery, hashOf } from './download.ts';
import { GGUF_ENGINE } from './engines.ts';
import { type GgufHeader, readGgufHeader } from './gguf-header.ts';
import { fileName } from './model-list.ts';
import { type ManagerPorts, type ModelRow, sumOf } from './parts.ts';
import { planGguf } from './plan.ts';

/**
 * What of it is to be fetched; nothing is fetched yet. The address is kept without its query, which may be a key to the
 * file (`?token=`) and is kept sealed. Throws AccessionError: `invalid`, `file_unsupported`, what the place answered.
 */
export async function addAddress(
  { fetch, query, rows, partBytes }: Pick<ManagerPorts, 'fetch' | 'query' | 'rows' | 'partBytes'>,
  id: string,
  address: string,
  name: string,
): Promise<ModelRow> {
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    throw failed('invalid', 'What was entered is no address of a file.');
  const { origin, pathname, search } = new URL(address);
  const url = `${origin}${pathname}`;
  const never = new AbortController().signal;
  const { header, parts, version } = await planGguf(id, url, null, withQuery(fetch, search), never, partBytes);
  const row = { ...ownRow(id, name, header, fileName(url)), total: sumOf(parts), version, parts };
  if (search !== '') await query(id).set(search);
  await rows.put(row);
  return row;
}

/**
 * The row is there before the bytes are: a tab that is closed on the way leaves a model that can be finished or deleted.
 * Throws AccessionError: `file_unsupported`, `storage_full`, `storage_failed`; nothing is left then.
 */
export async function copyIn(
  { free, rows, store }: Pick<ManagerPorts, 'free' | 'rows' | 'store'>,
  id: string,
  file: File,
  name: string,
): Promise<ModelRow> {
  const header = readGgufHeader(new Uint8Array(await file.slice(0, 65_536).arrayBuffer()));
  if (header === null) {
    const remedy = 'Choose a file in the GGUF format (llama.cpp).';
    throw failed('file_unsupported', `"${file.name}" is no GGUF file.`, { remedy });
  }
  checkSpace(await free(), file.name, file.size);
  const url = `file:///${encodeURIComponent(file.name)}`;
  const part = { key: `${id}.0`, url, start: null, bytes: file.size, md5: null, sha256: await hashOf(file) };
  const row = { ...ownRow(id, name, header, file.name), total: file.size, parts: [part] };
  await rows.put(row);
  try {
    await store(GGUF_ENGINE).put(part.key, blobRange(file), file.size);
  } catch (error) {
    await rows.remove(id);
    throw error;
  }
  const whole = { ...row, complete: true };
  await rows.put(whole);
  return whole;
}

function ownRow(id: string, name: string, header: GgufHeader, file: string): ModelRow {
  return {
    ...{
      schemaVersion: 1,
      id,
      engine: GGUF_ENGINE,
      own: true,
      complete: false,
      total: null,
      sha256: null,
      version: null,
    },
    name: name.trim() === '' ? (header.name ?? file) : name.trim(),
    context_length: header.contextLength ?? 4096,
    licence: header.licence ?? 'not said by the file',
    licence_url: null,
    parts: [],
  };
}
