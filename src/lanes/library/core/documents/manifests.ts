/**
 * The manifests of documents that lie in a library, as records of its files. A file is found by its content, also after it
 * was written into, or else by the name that the manifest gives it below its own folder.
 */
import * as v from 'valibot';
import {
  MANIFEST_NAME,
  ManifestSchema,
  ManifestStateSchema,
  STATE_NAME,
  type ManifestEntry,
} from '#core/documents/manifest-form.ts';
import { factsIn, merged, metadataOf, type DocumentFacts } from './document-facts.ts';

/** What of a manifest, or of what is kept beside it, is wanted of each document. */
const ReadSchema = v.variant('kind', [
  v.object({
    kind: v.literal('manifest'),
    entries: v.array(
      v.object({
        ...{ id: v.string(), filename: v.string(), doi: v.string(), isbn: v.string(), title: v.string() },
        ...{ authors: v.array(v.string()), publication: v.string(), year: v.nullable(v.number()) },
      }),
    ),
  }),
  v.object({ kind: v.literal('state'), written: v.record(v.string(), v.string()) }),
]);
export type ReadManifest = v.InferOutput<typeof ReadSchema>;

/** What `readManifestFile` made of a file, from its JSON. */
export const keptManifest = (json: string): ReadManifest =>
  v.parse(v.pipe(v.string(), v.parseJson(), ReadSchema), json);

const MANIFEST_TEXT = v.pipe(v.string(), v.parseJson(), ManifestSchema);
const STATE_TEXT = v.pipe(v.string(), v.parseJson(), ManifestStateSchema);

/** Null for any other file, also one of these names that is none. `text` is asked for where the name fits. */
export function readManifestFile(path: string, text: () => string): ReadManifest | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name === MANIFEST_NAME) {
    const read = v.safeParse(MANIFEST_TEXT, text());
    return read.success ? { kind: 'manifest', entries: read.output.entries.map(entryOf) } : null;
  }
  if (name !== STATE_NAME) return null;
  const read = v.safeParse(STATE_TEXT, text());
  return read.success ? { kind: 'state', written: read.output.written } : null;
}

function entryOf({ id, filename, doi, isbn, title, authors, publication, year }: ManifestEntry) {
  return { id, filename, doi, isbn, title, authors, publication, year };
}

export class Manifests {
  readonly #byContent = new Map<string, DocumentFacts>();
  readonly #byName = new Map<string, DocumentFacts>();
  readonly #written = new Map<string, string>();

  /** @param folder the library's folder in which `path` is */
  add(folder: string, path: string, read: ReadManifest): void {
    if (read.kind === 'state') {
      for (const [sha256, id] of Object.entries(read.written)) this.#written.set(sha256, id);
      return;
    }
    const below = path.slice(0, path.lastIndexOf('/') + 1);
    for (const { id, filename, ...facts } of read.entries) {
      this.#byContent.set(id, facts);
      this.#byName.set(keyOf(folder, `${below}${filename}`), facts);
    }
  }

  /** Null where no manifest has it. */
  factsOf(folder: string, path: string, sha256: string): DocumentFacts | null {
    const id = this.#written.get(sha256) ?? sha256;
    return this.#byContent.get(id) ?? this.#byName.get(keyOf(folder, path)) ?? null;
  }

  /** What is known of a file's document, as metadata; `first`: the metadata of its first chunk. */
  told(
    { folder, path, sha256 }: { folder: string; path: string; sha256: string },
    first: Readonly<Record<string, string>>,
  ): Record<string, string> {
    const facts = merged(this.factsOf(folder, path, sha256), factsIn(first));
    return facts === null ? {} : metadataOf(facts);
  }

  /** How files of documents that fit are found. */
  placesOf(fits: (facts: DocumentFacts) => boolean): {
    contents: Set<string>;
    names: { folder: string; path: string }[];
  } {
    const ids = new Set([...this.#byContent].filter(([, facts]) => fits(facts)).map(([id]) => id));
    const written = [...this.#written].filter(([, id]) => ids.has(id)).map(([sha256]) => sha256);
    const names = [...this.#byName]
      .filter(([, facts]) => fits(facts))
      .map(([key]) => ({ folder: key.slice(0, key.indexOf(BETWEEN)), path: key.slice(key.indexOf(BETWEEN) + 1) }));
    return { contents: new Set([...ids, ...written]), names };
  }
}

const BETWEEN = '\n';
const keyOf = (folder: string, path: string): string => `${folder}${BETWEEN}${path}`;
