/**
 * Documents by their title, for a person to choose from: one source after the other, until one has this very title.
 * What is found says nothing of a document by itself.
 */
import { distance } from 'fastest-levenshtein';
import { failed } from '#core/errors.ts';
import { foldText } from '#core/text/fold.ts';
import type { Asked, MetadataSource, SourceId, Told, TitleHit } from './source.ts';

export interface TitleCandidate extends TitleHit {
  source: SourceId;
  /** 0 to 1: how alike the titles are. */
  likeness: number;
}

export interface TitleAnswer {
  /** The likest first. */
  candidates: TitleCandidate[];
  /** Why a source gave no answer now, a sentence; null: all that were asked did. */
  later: string | null;
}

interface Asking {
  sources: readonly MetadataSource[];
  contact: string | null;
  ask(source: MetadataSource, question: { identifier: Asked; url: string }): Promise<Told>;
}

/** Letters of a title: fewer say nothing, more are a page. */
const LEAST = 8;
const MOST = 300;
/** Below it is another document; from there on it is the same title, and nobody else is asked. */
const LIKE = 0.6;
const SAME = 0.95;
const SHOWN = 5;

/** Throws AccessionError `invalid` for what is no title, and `cancelled`. */
export async function foundByTitle(title: string, { sources, contact, ask }: Asking): Promise<TitleAnswer> {
  const said = title.replaceAll(/\s+/g, ' ').trim();
  const folded = foldText(said);
  if (folded.length < LEAST || said.length > MOST)
    throw failed('invalid', `A title has ${LEAST} to ${MOST} letters; this one finds nothing.`);
  const found = new Map<string, TitleCandidate>();
  let later: string | null = null;
  for (const { byTitle, ...source } of sources) {
    if (byTitle === undefined) continue;
    const asked: MetadataSource = {
      ...source,
      read(answer) {
        const hits = byTitle.hits(answer);
        return hits === null ? { is: 'garbled' } : { is: 'hits', hits };
      },
    };
    const told = await ask(asked, { identifier: { kind: 'title', value: folded }, url: byTitle.url(said, contact) });
    if ('later' in told) later ??= told.later;
    else if (told.reading.is === 'hits')
      for (const hit of told.reading.hits) {
        const likeness = likenessOf(folded, foldText(hit.record.title));
        const key = `${hit.identifier.kind} ${hit.identifier.value}`;
        if (likeness >= LIKE && !found.has(key)) found.set(key, { ...hit, source: source.id, likeness });
      }
    if ([...found.values()].some(({ likeness }) => likeness >= SAME)) break;
  }
  const candidates = [...found.values()].toSorted((a, b) => b.likeness - a.likeness).slice(0, SHOWN);
  return { candidates, later };
}

/** A title without its subtitle is nearly the whole. Both folded. */
export function likenessOf(a: string, b: string): number {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (long === '') return 0;
  if (short.length >= LEAST * 2 && long.startsWith(`${short} `)) return 0.9;
  return 1 - distance(a, b) / long.length;
}
