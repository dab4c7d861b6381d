/** Answers of sources on the disk: a file of lines that is recorded and played back, and a folder of those that were remembered. */
import { appendFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { failed } from '#core/errors.ts';
import { writeFileAtomic } from '../../node/atomic-file.ts';
import { RecordedSchema, type Recorded, type Recordings } from '../recordings.ts';

/** A row a line. Throws AccessionError `not_found`, `invalid`. @param fresh it is begun anew */
export async function recordingFile(path: string, fresh: boolean): Promise<Recordings> {
  const rows = new Map<string, Recorded>();
  if (fresh) await writeFile(path, '');
  else for (const row of await rowsOf(path)) rows.set(row.key, row);
  return {
    get: (key) => Promise.resolve(rows.get(key) ?? null),
    async put(row) {
      rows.set(row.key, row);
      await appendFile(path, `${JSON.stringify(row)}\n`);
    },
  };
}

async function rowsOf(path: string): Promise<Recorded[]> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw failed('not_found', `There is no file "${path}".`, { cause });
  });
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line, at) => {
      const row = v.safeParse(RecordedSchema, jsonOf(line));
      if (!row.success) throw failed('invalid', `${path}: line ${at + 1} is no recorded answer.`);
      return row.output;
    });
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/** Answers that a folder keeps; the oldest go. */
const MOST_KEPT = 500;

export function keptFolder(folder: string): Recordings {
  return {
    async get(key) {
      const text = await readFile(join(folder, `${key}.json`), 'utf8').catch(() => null);
      const row = v.safeParse(RecordedSchema, text === null ? null : jsonOf(text));
      return row.success ? row.output : null;
    },
    async put(row) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFileAtomic(join(folder, `${row.key}.json`), JSON.stringify(row), 0o600);
      await letGo(folder);
    },
  };
}

async function letGo(folder: string): Promise<void> {
  const names = await readdir(folder);
  if (names.length <= MOST_KEPT) return;
  const aged = await Promise.all(
    names.map(async (name) => ({ name, at: (await stat(join(folder, name)).catch(() => null))?.mtimeMs ?? 0 })),
  );
  aged.sort((a, b) => a.at - b.at);
  for (const { name } of aged.slice(0, names.length - MOST_KEPT)) await rm(join(folder, name), { force: true });
}
