/** The documents of a library: what is known of each file, and a question of which some words are about that. */
import type { Candidate } from '../search/candidates.ts';
import type { FilePlace, LibraryIndex } from '../search/library-index.ts';
import type { Passage } from '../search/passage.types.ts';
import { passagesAround, type SearchOptions } from '../search/search.ts';
import { readAsked } from './asked-documents.ts';
import { byYear, factsIn, merged, metadataOf, type DocumentFacts } from './document-facts.ts';
import { Manifests, readManifestFile } from './manifests.ts';

export interface AskedLibrary {
  /** What is looked for in the texts; '' where documents alone are asked for. */
  words: string;
  /** Which files may answer. */
  options: Pick<SearchOptions, 'allows'>;
  /** The beginnings of the documents that are asked for, the newest first. */
  beginnings(k: number): Passage[];
  /** A passage with what is known of its document. */
  told(passage: Passage): Passage;
}

/** @param folderOf the folder of a segment, where the index is of several */
export function askedOf(index: LibraryIndex, question: string, folderOf: FolderOf = noFolder): AskedLibrary {
  const documents = documentsOf(index, folderOf);
  const { words, fits } = readAsked(question);
  const allows = fits === null ? documents.shows : documents.fitting(fits);
  return {
    words,
    options: allows === null ? {} : { allows },
    beginnings: (k) => (fits === null ? [] : documents.beginnings(fits, k)),
    told(passage) {
      const facts = documents.factsOf(passage.place);
      return facts === null ? passage : { ...passage, metadata: { ...passage.metadata, ...metadataOf(facts) } };
    },
  };
}

type FolderOf = (segment: number) => string;
const noFolder: FolderOf = () => '';

/** An index is never changed. */
const known = new WeakMap<LibraryIndex, LibraryDocuments>();

function documentsOf(index: LibraryIndex, folderOf: FolderOf): LibraryDocuments {
  const own = known.get(index) ?? new LibraryDocuments(index, folderOf);
  known.set(index, own);
  return own;
}

class LibraryDocuments {
  readonly #index: LibraryIndex;
  readonly #folderOf: FolderOf;
  readonly #manifests = new Manifests();
  /** Manifests and what is kept beside them: they are about other files. */
  readonly #hidden = new Set<string>();
  readonly #facts = new Map<string, DocumentFacts | null>();

  constructor(index: LibraryIndex, folderOf: FolderOf) {
    this.#index = index;
    this.#folderOf = folderOf;
    for (const { segment, file, kept, of } of index.files()) {
      if (kept.binary) continue;
      const read = readManifestFile(kept.path, () => of.text(kept));
      if (read === null) continue;
      this.#manifests.add(folderOf(segment), kept.path, read);
      this.#hidden.add(keyOf({ segment, file }));
    }
  }

  /** Whether a file may be shown; null: all may. */
  get shows(): ((place: FilePlace) => boolean) | null {
    return this.#hidden.size === 0 ? null : (place) => !this.#hidden.has(keyOf(place));
  }

  fitting(fits: (facts: DocumentFacts) => boolean): (place: FilePlace) => boolean {
    const answers = new Map<string, boolean>();
    return (place) => {
      const key = keyOf(place);
      let answer = answers.get(key);
      if (answer === undefined) {
        const facts = this.factsOf(place);
        answers.set(key, (answer = facts !== null && fits(facts)));
      }
      return answer;
    };
  }

  factsOf(place: FilePlace): DocumentFacts | null {
    const key = keyOf(place);
    let facts = this.#facts.get(key);
    if (facts === undefined) this.#facts.set(key, (facts = this.#read(place)));
    return facts;
  }

  #read({ segment, file }: FilePlace): DocumentFacts | null {
    const of = this.#index.parts[segment]?.segment;
    const kept = of?.files[file];
    if (of === undefined || kept === undefined || kept.binary) return null;
    const own = kept.chunks === 0 ? null : factsIn(of.chunk(kept.firstChunk).metadata);
    return merged(this.#manifests.factsOf(this.#folderOf(segment), kept.path, kept.sha256), own);
  }

  beginnings(fits: (facts: DocumentFacts) => boolean, k: number): Passage[] {
    const found: { facts: DocumentFacts; candidate: Candidate }[] = [];
    for (const { segment, file, kept } of this.#index.files()) {
      const facts = this.factsOf({ segment, file });
      if (facts === null || kept.pieces === 0 || !fits(facts)) continue;
      found.push({ facts, candidate: { segment, file, piece: kept.firstPiece, score: 0 } });
    }
    const first = found.sort((a, b) => byYear(a.facts, b.facts)).slice(0, k);
    return passagesAround(
      this.#index,
      first.map(({ candidate }) => candidate),
      k,
    );
  }
}

const keyOf = ({ segment, file }: FilePlace): string => `${segment} ${file}`;
