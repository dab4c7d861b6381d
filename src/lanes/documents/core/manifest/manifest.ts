/** Manifests of documents as they are read, written, added to and taken back. */
import * as v from 'valibot';
import { ManifestSchema, type Manifest, type ManifestEntry, type Renamed } from '#core/documents/manifest-form.ts';
import { failed } from '#core/errors.ts';

const EMPTY: Manifest = { version: 1, entries: [] };

const FILE_REMEDY = 'It is left as it is: mend it, move it away, or name another one with --manifest.';

/**
 * @param text null: there is none
 * @param remedy what to do with what is none
 * Throws AccessionError `invalid` for what is no manifest of version 1.
 */
export function readManifest(text: string | null, path: string, remedy = FILE_REMEDY): Manifest {
  if (text === null) return EMPTY;
  const { success, output, issues } = v.safeParse(
    v.pipe(v.string(), v.parseJson(), ManifestSchema),
    text.replace(/^\uFEFF/, ''),
  );
  if (success) return output;
  const [issue] = issues;
  const why = `"${path}" is no manifest of version 1 (${v.getDotPath(issue) ?? 'JSON'}: ${issue.message}).`;
  throw failed('invalid', why, { remedy });
}

export const manifestText = (manifest: Manifest): string => `${JSON.stringify(manifest, null, 2)}\n`;

/** Entries laid over those of the same id, fields of others kept; new ones behind. A second rename keeps the first name. */
export function withEntries(
  manifest: Manifest,
  entries: readonly ManifestEntry[],
  renames: readonly Renamed[],
): Manifest {
  const given = new Map(entries.map((entry) => [entry.id, entry]));
  const kept = manifest.entries.map((entry) => ({ ...entry, ...given.get(entry.id) }));
  const known = new Set(manifest.entries.map(({ id }) => id));
  const before = new Map((manifest.renames ?? []).map((one) => [one.id, one]));
  const now = new Map(renames.map((one) => [one.id, goneOn(before.get(one.id), one)]));
  const all = [...(manifest.renames ?? []).filter(({ id }) => !now.has(id)), ...now.values()];
  return {
    ...manifest,
    entries: [...kept, ...entries.filter(({ id }) => !known.has(id))],
    ...(all.length === 0 ? {} : { renames: all }),
  };
}

/** Noted twice it is the same. */
const goneOn = (before: Renamed | undefined, { id, from, to }: Renamed): Renamed =>
  before !== undefined && (before.to === from || before.to === to) ? { ...before, to } : { id, from, to };

/** Listings behind what is there; one that is there already stays as a person may have mended it. */
export function withListings(manifest: Manifest, entries: readonly ManifestEntry[]): Manifest {
  const known = new Set(manifest.entries.map(({ id }) => id));
  const fresh = new Map(entries.flatMap((entry) => (known.has(entry.id) ? [] : [[entry.id, entry]])));
  return { ...manifest, entries: [...manifest.entries, ...fresh.values()] };
}

/**
 * As it was before entries of these ids were laid over it; those that `before` had not go. `renames`: those that are
 * taken back.
 */
export function takenBack(
  manifest: Manifest,
  ids: ReadonlySet<string>,
  { before, renames }: { before: readonly ManifestEntry[]; renames: readonly Renamed[] },
): Manifest {
  const old = new Map(before.map((entry) => [entry.id, entry]));
  const undone = new Map(renames.map((one) => [one.id, one]));
  const left = manifest.renames?.flatMap((one) => {
    const { from, to } = undone.get(one.id) ?? one;
    if (!undone.has(one.id) || one.to !== to) return [one];
    return one.from === from ? [] : [{ ...one, to: from }];
  });
  return {
    ...manifest,
    entries: manifest.entries.flatMap((entry) => (ids.has(entry.id) ? (old.get(entry.id) ?? []) : [entry])),
    ...(left === undefined ? {} : { renames: left }),
  };
}
