/** `accession verify`: what is damaged in a server's data, by name, with what can be done; with --repair it is done. */
import type { Finding } from '#server/storage/finding.ts';
import { verify, type VerifyDeps } from '#server/storage/verify.ts';
import { checkBackup } from './backup/check-backup.ts';

export interface VerifyFlags {
  repair?: boolean;
  json?: boolean;
  /** Files that `backup` wrote. */
  backup?: string[];
}

/** Answers the exit code: 0 where nothing is wrong or all was mended, otherwise 1. */
export async function verifyCommand(
  deps: VerifyDeps,
  flags: VerifyFlags,
  say: (line: string) => void,
): Promise<number> {
  const json = flags.json === true;
  const ofBackups: Finding[] = [];
  const print = (one: Finding): void => (json ? undefined : say(`${one.name} ${one.wrong}. ${one.remedy}`));
  const readBackups = async (wanted: ReadonlySet<string>): Promise<Map<string, string>> => {
    const from = new Map<string, string>();
    for (const path of flags.backup ?? []) {
      const trouble = await checkBackup(path, wanted, async (sha256, chunks) => {
        const right = await deps.blobs.putUpload(sha256, chunks);
        if (right) from.set(sha256, path);
        return right;
      });
      for (const wrong of trouble)
        ofBackups.push({
          name: `backup ${path}`,
          wrong,
          remedy: 'Make a new backup; keep this one until then.',
          outcome: 'left',
        });
    }
    return from;
  };
  let read = false;
  const fetch = async (wanted: ReadonlySet<string>): Promise<ReadonlyMap<string, string>> => {
    read = true;
    return readBackups(wanted);
  };
  const { files, bytes, findings } = await verify(deps, { repair: flags.repair === true, fetch, found: print });
  if (!read) await readBackups(new Set());
  for (const one of ofBackups) print(one);
  findings.push(...ofBackups);
  const left = findings.filter(({ outcome }) => outcome !== 'mended');
  if (json) say(JSON.stringify({ files, bytes, findings, ok: left.length === 0 }, null, 2));
  else {
    const mended = findings.length - left.length;
    say(`${files} files (${bytes} bytes) verified: ${left.length} faults${mended > 0 ? `, ${mended} mended` : ''}`);
  }
  return left.length === 0 ? 0 : 1;
}
