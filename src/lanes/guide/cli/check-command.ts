/** `accession guide check`. */
import { readFile } from 'node:fs/promises';
import { failed, isCode } from '#core/errors.ts';
import { readGuide } from '#lanes/guide/bytes/read-guide.ts';
import { checkOf } from '#lanes/guide/core/check.ts';
import { GuideChecker } from '#lanes/guide/core/faults/check-guide.ts';
import { faultWords } from '#lanes/guide/core/faults/fault-words.ts';
import type { Fault } from '#lanes/guide/core/faults/fault.ts';
import { readLineup, type ReadLineup } from '#lanes/guide/core/lineup/read-lineup.ts';
import { Zone } from '#lanes/guide/core/times/local-time.ts';
import { openGuideFile } from '#lanes/guide/node/guide-file.ts';

export interface CheckFlags {
  lineup?: string;
  zone?: string;
  json?: boolean;
}

/** @returns exit code: 1 where there is a fault. Throws AccessionError where a file or a zone is none. */
export async function checkCommand(file: string, flags: CheckFlags, say: (line: string) => void): Promise<number> {
  const checker = new GuideChecker(zoneOf(flags.zone));
  const lineup = flags.lineup === undefined ? null : await lineupOf(flags.lineup);
  const read = await readGuide(await existing(file, openGuideFile), checker);
  const check = checkOf(checker.end(read), lineup);
  const { programmes, channels, faults, envelope, notes } = check;
  if (flags.json === true) say(JSON.stringify({ file, ...check }));
  else {
    for (const note of notes) say(note);
    for (const fault of faults) say(lineOf(fault));
    const failing = (envelope.metadata_failure_ratio * 100).toFixed(1);
    say(
      `${channels} channels, ${programmes} programmes, ${faults.length} faults; ${failing} % of the programmes lack something`,
    );
  }
  return faults.length === 0 ? 0 : 1;
}

const lineOf = ({ type, where, code }: Fault): string =>
  `${where}: ${faultWords({ type, ...(code === undefined ? {} : { code }) })} (${type}${code === undefined ? '' : ` ${code}`})`;

/** Throws AccessionError where the name is of no zone. */
export function zoneOf(name: string | undefined): Zone | null {
  if (name === undefined) return null;
  try {
    return new Zone(name);
  } catch (cause) {
    throw failed('invalid', `"${name}" is no time zone.`, { remedy: 'Name one such as Europe/Berlin.', cause });
  }
}

export const lineupOf = async (file: string): Promise<ReadLineup> =>
  readLineup(await existing(file, (path) => readFile(path, 'utf8')));

/** Opens a file; throws AccessionError where it is not there, or is a folder. */
export async function existing<T>(file: string, open: (path: string) => Promise<T>): Promise<T> {
  try {
    return await open(file);
  } catch (cause) {
    if (isCode(cause, 'ENOENT', 'ENOTDIR'))
      throw failed('not_found', `"${file}" is not there.`, { remedy: 'Check its name.', cause });
    if (isCode(cause, 'EISDIR', 'EACCES', 'EPERM'))
      throw failed('file_unreadable', `"${file}" cannot be read.`, { remedy: 'Name a file that may be read.', cause });
    throw cause;
  }
}
