import type { BigIntStats } from 'node:fs';
import { lstat, readdir, statfs } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { TreeRules } from '#core/plan/file-tree.ts';
import { otherCase, otherForm } from '#core/plan/plan-path.ts';

/** What Linux calls file systems that take the names of Windows only: FAT, exFAT, SMB (statfs(2)). */
const WINDOWS_LIKE = new Set([0x4d44, 0x2011bab0, 0xff534d42, 0xfe534d42, 0x517b]);
/** Bytes of a whole path, or units on Windows, where other programs stop at 259. */
const LONGEST: Partial<Record<NodeJS.Platform, number>> = { win32: 259, darwin: 1023 };

/**
 * How names behave in a directory, found without writing there: a name in another case or Unicode form that leads to
 * the same file says so; where no name can tell, the platform's habit counts. A wrong guess loses nothing: moves never
 * overwrite.
 * @param root an absolute path without links in it
 */
export async function detectRules(root: string, platform: NodeJS.Platform = process.platform): Promise<TreeRules> {
  const names = [...(await namesIn(root)).map((name) => join(root, name)), root];
  const one = await firstAnswer(names, otherCase);
  const form = await firstAnswer(names, otherForm);
  const windows = platform === 'win32';
  const type = await statfs(root).then(
    (stats) => stats.type >>> 0,
    () => 0,
  );
  const windowsNames = windows || (platform === 'linux' && WINDOWS_LIKE.has(type));
  const unit = windows ? 'units' : 'bytes';
  const used = windows ? root.length : Buffer.byteLength(root);
  return {
    caseSensitive: one === null ? !(windowsNames || platform === 'darwin') : !one,
    unicode: (form ?? platform === 'darwin') ? 'nfc-insensitive' : 'preserve',
    windowsNames,
    limits: { name: 255, path: (LONGEST[platform] ?? 4095) - used - 1, unit },
  };
}

async function namesIn(root: string): Promise<string[]> {
  const names: string[] = [];
  for (const name of await readdir(root)) {
    names.push(name);
    if (names.length === 1000) break;
  }
  return names;
}

/** Whether the first name that can tell leads to the same file when it is spelled otherwise; null where none can. */
async function firstAnswer(paths: readonly string[], otherwise: (name: string) => string): Promise<boolean | null> {
  for (const path of paths) {
    const name = basename(path);
    const other = otherwise(name);
    if (other === name) continue;
    const [real, same] = [await inode(path), await inode(join(dirname(path), other))];
    if (real !== null) return same !== null && same.ino === real.ino && same.dev === real.dev;
  }
  return null;
}

async function inode(path: string): Promise<BigIntStats | null> {
  return lstat(path, { bigint: true }).catch(() => null);
}
