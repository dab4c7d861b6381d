/**
 * Which documents of a folder may be the same one though their bytes differ: those that name the same identifier, and
 * copies that were saved anew, whose first pages say the same. A person decides; nothing is left out by it.
 */
import { foldText } from '#core/text/fold.ts';
import type { IdentifiedPdf } from '../pdf/identify-pdf.ts';
import type { Proposal } from './propose.ts';

/** Words in a row that are compared as one. */
const SHINGLE = 5;
/** Shingles of two texts that are shared, of all that they have, from which they are one text. */
const SAME = 0.8;
/** A text of fewer shingles says too little. */
const LEAST = 30;
/** Shingles of a text that are kept: those of the smallest hashes, which are the same ones of the same text. */
const KEPT = 200;

interface Known {
  path: string;
  identifiers: ReadonlySet<string>;
  shingles: ReadonlySet<number>;
}

/** What was seen of a folder, file after file. */
export class Doubles {
  readonly #known: Known[] = [];

  /** The first file that may be the same one, as a sentence; null: none. The document is known from now on. */
  seen(path: string, identified: IdentifiedPdf): string | null {
    const { doi, arxiv, isbn } = identified;
    // Chapters of one book name its ISBN, and are not the same.
    const own = doi ?? arxiv ?? (isbn.length === 1 ? (isbn[0] ?? null) : null);
    const now: Known = {
      path,
      identifiers: new Set(own === null ? [] : [own]),
      shingles: shinglesOf(identified.front),
    };
    const same = this.#known.find(({ shingles }) => likeness(shingles, now.shingles) >= SAME);
    const named = this.#known.find(({ identifiers }) => own !== null && identifiers.has(own));
    this.#known.push(now);
    if (same !== undefined)
      return `Its first pages say the same as those of "${same.path}": it may be a copy saved anew.`;
    return named === undefined ? null : `"${named.path}" names ${own ?? ''}, too: they may be the same document.`;
  }
}

/** What may be there twice is never written without a person's word. */
export const withDouble = (proposal: Proposal, said: string | null): Proposal =>
  said === null
    ? proposal
    : {
        ...proposal,
        sure: proposal.sure === 'strong' ? 'unsure' : proposal.sure,
        reasons: [...proposal.reasons, said],
      };

function shinglesOf(text: string): Set<number> {
  const words = foldText(text).split(' ');
  const all = new Set<number>();
  for (let i = 0; i + SHINGLE <= words.length; i++) all.add(hashOf(words.slice(i, i + SHINGLE).join(' ')));
  return new Set([...all].toSorted((a, b) => a - b).slice(0, KEPT));
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** Of the smallest hashes that both have together, those that are in both. */
function likeness(a: ReadonlySet<number>, b: ReadonlySet<number>): number {
  if (a.size < LEAST || b.size < LEAST) return 0;
  const smallest = [...new Set([...a, ...b])].toSorted((x, y) => x - y).slice(0, Math.max(a.size, b.size));
  return smallest.filter((hash) => a.has(hash) && b.has(hash)).length / smallest.length;
}
