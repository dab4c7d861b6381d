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
  readonly #hidden: PerFile<true>;
  readonly #facts: PerFile<DocumentFacts | null>;

  constructor(index: LibraryIndex, folderOf: FolderOf) {
    this.#index = index;
    this.#folderOf = folderOf;
    [this.#hidden, this.#facts] = [perFile(index), perFile(index)];
    for (const { segment, file, kept, of } of index.files()) {
      if (kept.binary) continue;
      const read = readManifestFile(kept.path, () => of.text(kept));
      if (read === null) continue;
      this.#manifests.add(folderOf(segment), kept.path, read);
      this.#hidden.set({ segment, file }, true);
    }
  }

  /** Whether a file may be shown; null: all may. */
  get shows(): ((place: FilePlace) => boolean) | null {
    return this.#hidden.isEmpty() ? null : (place) => this.#hidden.get(place) === undefined;
  }

  fitting(fits: (facts: DocumentFacts) => boolean): (place: FilePlace) => boolean {
    const answers = perFile<boolean>(this.#index);
    return (place) => {
      let answer = answers.get(place);
      if (answer === undefined) {
        const facts = this.factsOf(place);
        answers.set(place, (answer = facts !== null && fits(facts)));
      }
      return answer;
    };
  }

  factsOf(place: FilePlace): DocumentFacts | null {
    let facts = this.#facts.get(place);
    if (facts === undefined) this.#facts.set(place, (facts = this.#read(place)));
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

/** Something of each file, by its place: asked for every piece that a question meets, it makes nothing new. */
interface PerFile<T> {
  get(place: FilePlace): T | undefined;
  set(place: FilePlace, value: T): void;
  isEmpty(): boolean;
}

function perFile<T>({ parts }: LibraryIndex): PerFile<T> {
  const kept: Map<number, T>[] = parts.map(() => new Map<number, T>());
  return {
    get: ({ segment, file }) => kept[segment]?.get(file),
    set: ({ segment, file }, value) => void kept[segment]?.set(file, value),
    isEmpty: () => kept.every((one) => one.size === 0),
  };
}
