/** The note of a database's last commit, in a small file beside it: one line with a checksum. */
import { openSync, readFileSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import * as v from 'valibot';
import { isCode } from '#core/errors.ts';

const PositionSchema = v.object({
  catalog_id: v.string(),
  seq: v.number(),
  mark: v.nullable(v.string()),
  updates: v.number(),
});
type Position = v.InferOutput<typeof PositionSchema>;

/** Every line has the same length, so that a shorter one leaves nothing of a longer one. Bytes. */
const LENGTH = 256;
const OWNER_ALONE = 0o600;

/** Reads what is there, and keeps the file open. What it is for: server/store/history.ts. */
export function openLastCommit(path: string): { before: Position | null; write(position: Position): void } {
  const before = read(path);
  const file = openSync(path, isThere(path) ? 'r+' : 'w+', OWNER_ALONE);
  return {
    before,
    write(position) {
      const text = JSON.stringify(position);
      try {
        writeSync(file, `${sumOf(text)} ${text}`.padEnd(LENGTH - 1).concat('\n'), 0);
      } catch {
        // A disk that takes no writes: what was committed is, and an older note alarms nobody.
      }
    },
  };
}

function isThere(path: string): boolean {
  return textOf(path) !== null;
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null;
    throw error;
  }
}

function read(path: string): Position | null {
  const [, sum, text] = /^([0-9a-f]{8}) (\{.*\}) *\n$/.exec(textOf(path) ?? '') ?? [];
  if (text === undefined || sum !== sumOf(text)) return null;
  const parsed = v.safeParse(PositionSchema, JSON.parse(text));
  return parsed.success ? parsed.output : null;
}

const sumOf = (text: string): string => crc32(text).toString(16).padStart(8, '0');
