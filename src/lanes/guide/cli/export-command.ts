/** `accession guide export`. */
import { createWriteStream } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import { PassThrough } from 'node:stream';
import { createGzip } from 'node:zlib';
import * as v from 'valibot';
import { failed } from '#core/errors.ts';
import { exportGuide, type Exported } from '#lanes/guide/bytes/export-guide.ts';
import { ShowCatalog, ShowIndex } from '#lanes/guide/core/repair/show-catalog.ts';
import { openGuideFile } from '#lanes/guide/node/guide-file.ts';
import { existing, zoneOf } from './check-command.ts';

export interface ExportFlags {
  out: string;
  mend?: boolean;
  shows?: string;
  zone?: string;
}

/** @returns exit code: 1 where the guide could not be read whole. Throws AccessionError where a file or a zone is none. */
export async function exportCommand(file: string, flags: ExportFlags, say: (line: string) => void): Promise<number> {
  const zone = zoneOf(flags.zone);
  const shows = flags.shows === undefined ? null : await showsOf(flags.shows);
  const mend = flags.mend === true ? { shows } : null;
  await existing(file, openGuideFile);
  // Written beside its place, so that the place never holds half a guide.
  const made = `${flags.out}.part`;
  const text = new PassThrough();
  const packed = flags.out.endsWith('.gz') ? [createGzip()] : [];
  const writing = pipeline([text, ...packed, createWriteStream(made)]);
  writing.catch(() => undefined);
  let exported: Exported;
  try {
    exported = await exportGuide(
      () => openGuideFile(file),
      { zone, mend },
      async (piece) => {
        if (!text.write(piece)) await Promise.race([once(text, 'drain'), writing]);
      },
    );
    text.end();
    await writing;
    await rename(made, flags.out);
  } catch (error) {
    text.destroy();
    await rm(made, { force: true });
    throw error;
  }
  const { checked, fills, left } = exported;
  if (checked.stopped !== null) say(checked.stopped);
  for (const { where, field, value, reasons } of fills) say(`${where}: ${field} is "${value}": ${reasons.join('; ')}`);
  if (left > 0) say(`${left} programmes were left out: no start that can be read, or no channel`);
  say(`${checked.programmes - left} programmes are in ${flags.out}, ${fills.length} fields were filled`);
  return checked.stopped === null ? 0 : 1;
}

async function showsOf(file: string): Promise<ShowIndex> {
  const text = await existing(file, (path) => readFile(path, 'utf8'));
  try {
    return new ShowIndex(v.parse(ShowCatalog, JSON.parse(text)));
  } catch (cause) {
    throw failed('invalid', `"${file}" is no catalog of shows.`, {
      remedy: 'It is one JSON object { shows: [{ title, seasons: [{ number, episodes: [...] }] }] }.',
      cause,
    });
  }
}
