import type { ParsedName } from './names.ts';

/** Files that were dropped side by side: where they stand when disc and format folders are left out. */
export interface Unit<T> {
  home: string;
  files: T[];
}

/**
 * MATCH-17: files of one folder (its disc and format folders included) are looked at together; whether they are one
 * album or several is decided by the catalog (see match-unit.ts), not by the folder.
 */
export function groupByHome<T extends { name: ParsedName }>(files: readonly T[]): Unit<T>[] {
  const units = new Map<string, T[]>();
  for (const file of files) {
    const home = file.name.home.toLowerCase();
    const unit = units.get(home);
    if (unit) unit.push(file);
    else units.set(home, [file]);
  }
  return [...units].map(([home, members]) => ({ home, files: members }));
}
