/** The list of the form, changed by several pages. Pure. */
import type { Manifest, ManifestEntry } from '#core/documents/manifest-form.ts';

/**
 * What a page did to the list, laid over the list as it is kept, which other pages may have changed: entries that it took
 * away go, new ones stand behind the one that they stood behind, and of changed ones only the changed fields are others.
 *
 * @param before the list as the page had it
 * @param after the same, changed
 */
export function changedOver(kept: Manifest, before: Manifest, after: Manifest): Manifest {
  const [old, now] = [byId(before), byId(after)];
  const entries = kept.entries.flatMap((entry) => {
    const [was, is] = [old.get(entry.id), now.get(entry.id)];
    if (was === undefined) return [entry];
    return is === undefined ? [] : [{ ...entry, ...changesOf(was, is) }];
  });
  for (const [at, entry] of after.entries.entries()) {
    const was = old.get(entry.id);
    const isChanged = was === undefined || Object.keys(changesOf(was, entry)).length > 0;
    // A change of what another page took away brings it back.
    if (!isChanged || entries.some(({ id }) => id === entry.id)) continue;
    const behind = entries.findIndex(({ id }) => id === after.entries[at - 1]?.id);
    entries.splice(behind < 0 && at > 0 ? entries.length : behind + 1, 0, entry);
  }
  return { ...kept, entries };
}

const byId = ({ entries }: Manifest): Map<string, ManifestEntry> => new Map(entries.map((one) => [one.id, one]));

/** Fields of `after` that are others than in `before`. */
export function changesOf<T extends object>(before: T, after: T): Partial<T> {
  const was = new Map<string, unknown>(Object.entries(before));
  const changed = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(was.get(name)) !== JSON.stringify(value),
  );
  return Object.fromEntries(changed) as Partial<T>;
}
