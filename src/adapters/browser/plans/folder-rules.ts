/** How names behave in a folder of which only the browser's handle is known: found out where it can be, guessed by the platform otherwise. */
import type { TreeRules } from '#core/plan/file-tree.ts';
import { otherCase, otherForm } from '#core/plan/plan-path.ts';

/** Of so many names at the top of the folder another spelling is tried. */
const TRIED = 8;

/** Below the folder; what is above it is not known here, and the system's limit is for both. */
const PATH_BYTES = 2048;

/**
 * Nothing is written for it: a file that also answers to its name in other letters, or in the other Unicode form, says
 * that the file system sees them as one. `platform` is the browser's word for the system, such as `MacIntel`.
 */
export async function folderRules(root: FileSystemDirectoryHandle, platform: string): Promise<TreeRules> {
  const names: string[] = [];
  for await (const [name, handle] of root.entries()) if (handle.kind === 'file') names.push(name);
  const usual = systemRules(platform);
  const byCase = await sameFile(root, names, otherCase);
  const byForm = await sameFile(root, names, otherForm);
  return {
    ...usual,
    caseSensitive: byCase === null ? usual.caseSensitive : !byCase,
    unicode: byForm === null ? usual.unicode : byForm ? 'nfc-insensitive' : 'preserve',
  };
}

/** What is usual on the system; nobody says which file system a folder is on. */
export function systemRules(platform: string): TreeRules {
  const mac = /mac|iphone|ipad/i.test(platform);
  const windows = /win/i.test(platform);
  return {
    caseSensitive: !(mac || windows),
    unicode: mac ? 'nfc-insensitive' : 'preserve',
    // Chromium refuses these names on every system, and does not even list the files that have them.
    windowsNames: true,
    ...(windows ? {} : { limits: { name: 255, path: PATH_BYTES, unit: 'bytes' as const } }),
  };
}

/** Whether a file answers to the other spelling of its name; null where no name here has another. */
async function sameFile(
  root: FileSystemDirectoryHandle,
  names: readonly string[],
  other: (name: string) => string,
): Promise<boolean | null> {
  const taken = new Set(names);
  const tried = names.filter((name) => other(name) !== name && !taken.has(other(name))).slice(0, TRIED);
  for (const name of tried) {
    try {
      await root.getFileHandle(other(name));
      return true;
    } catch {
      // Not there under this spelling, or a spelling that the browser refuses.
    }
  }
  return tried.length === 0 ? null : false;
}

/** Why Chromium would not let a file have this name, although Windows would; null when it would. */
export function refusedByBrowser(name: string): string | null {
  if (/^[\s~]|[\s~]$/.test(name)) return 'the browser refuses names that begin or end with a space or "~"';
  if (/\.(?:lnk|local|scf|url)$/i.test(name)) return 'the browser refuses names with this ending';
  if (/^(?:desktop\.ini|thumbs\.db)$/i.test(name)) return 'the browser refuses this name';
  return null;
}
