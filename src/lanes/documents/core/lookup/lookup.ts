/**
 * The record of an identifier, from the sources that may have it, one after the other:
 *
 *   DOI    Crossref, on 404 DataCite, on 404 doi.org
 *   ISBN   OpenLibrary, then Google Books, also where the first is down
 *   arXiv  DataCite (arXiv's DOIs), then arXiv's own feed, also where the first is down
 *   where they are switched on: a DOI that all of them lack also OpenAlex, then PubMed
 *
 *   kept and fresh? --no--> ask, in the host's turn --answer--> record | missing | another's | garbled
 *                              ^                                                            |
 *                              +---- five times: no answer, 429, 5xx, garbled --------------+--> later
 */
import { failed, messageOf } from '#core/errors.ts';
import { delayMs, retryAfter, type Random } from '#core/sync/connection.ts';
import type { Cancel } from '#core/ports.ts';
import { isbn10, isbn13 } from '../identify/isbn.ts';
import { foundByTitle, type TitleAnswer } from './by-title.ts';
import { isFresh, keyOf, type AnswerCache, type KeptAnswer } from './cache.ts';
import type { LookupHost, MoreSource } from './hosts.ts';
import { HostManners, type Waiting } from './manners.ts';
import type { DocumentRecord } from '#core/documents/record.ts';
import type { Asked, Identifier, MetadataSource, RawAnswer, Reading, SourceId, Told } from './source.ts';
import { arxivFeed } from './sources/arxiv-feed.ts';
import { crossref } from './sources/crossref.ts';
import { datacite } from './sources/datacite.ts';
import { doiOrg } from './sources/doi-org.ts';
import { googleBooks } from './sources/google-books.ts';
import { openalex } from './sources/openalex.ts';
import { openlibrary } from './sources/openlibrary.ts';
import { pubmed } from './sources/pubmed.ts';

const RETRIES = 5;
/** A host that wants more patience than this is asked another time. Milliseconds. */
const PATIENCE_MS = 600_000;

interface Way {
  sources: readonly MetadataSource[];
  /** The next one is asked also where the one before gives no answer: each knows all of them. */
  whenDown: boolean;
}

const WAYS: Readonly<Record<Identifier['kind'], Way>> = {
  doi: { sources: [crossref, datacite, doiOrg], whenDown: false },
  isbn: { sources: [openlibrary, googleBooks], whenDown: true },
  arxiv: { sources: [datacite, arxivFeed], whenDown: true },
};

const MORE: Readonly<Record<MoreSource, MetadataSource>> = { openalex, pubmed };
const SOURCES = [...new Set(Object.values(WAYS).flatMap(({ sources }) => sources)), ...Object.values(MORE)];

/** One request over the wire. Throws AccessionError where no answer came. */
export interface MetadataWire {
  /** `about`: whom this asks for what, for who asks by another. */
  get(url: string, accept: string, about: { source: SourceId; identifier: Asked }): Promise<RawAnswer>;
}

export interface LookupPorts extends Waiting {
  wire: MetadataWire;
  cache: AnswerCache;
  random: Random;
  cancel: Cancel;
  /** Nothing goes over the wire. */
  offline?: boolean;
  /** What is kept is asked anew. */
  rescan?: boolean;
  /** Why a host cannot be asked from here, a sentence; null: it can. */
  outOfReach?: (host: LookupHost, identifier: Asked) => string | null;
  /** A person's mail address, for sources that want to know who asks. */
  contact?: string | null;
  /** Sources that are asked beside the usual ones. */
  more?: readonly MoreSource[];
}

export type LookupAnswer =
  | {
      outcome: 'found';
      source: SourceId;
      record: DocumentRecord;
      notices: string[];
      /** When the source said so (milliseconds). */
      at: number;
    }
  | { outcome: 'not_found'; source: null; why: string }
  /** Tried again another time: nothing is known of it now. */
  | { outcome: 'later'; source: null; why: string }
  | { outcome: 'refused'; source: null; why: string };

export interface Lookup {
  /** Throws AccessionError `invalid` for what is no identifier, and `cancelled`. */
  find(identifier: Identifier): Promise<LookupAnswer>;
  /** Documents that may bear this title, for a person to choose from. Throws AccessionError `invalid`, and `cancelled`. */
  byTitle(title: string): Promise<TitleAnswer>;
}

export interface RelayedLookup extends Lookup {
  /** What one source says, as it came or as it is kept. Throws AccessionError `invalid`, and `cancelled`. */
  raw(source: SourceId, identifier: Identifier): Promise<KeptAnswer | { later: string }>;
}

export function createLookup(ports: LookupPorts): RelayedLookup {
  const hosts = new Map<string, HostManners>();
  const inHand = new Map<string, Promise<LookupAnswer>>();
  const mannersOf = ({ host, gapMs }: MetadataSource): HostManners => {
    const known = hosts.get(host) ?? new HostManners(gapMs, ports);
    hosts.set(host, known);
    return known;
  };

  const more = (): MetadataSource[] => (ports.more ?? []).map((id) => MORE[id]);

  async function find(identifier: Identifier): Promise<LookupAnswer> {
    const { sources: usual, whenDown } = WAYS[identifier.kind];
    const sources = identifier.kind === 'doi' ? [...usual, ...more()] : usual;
    let later: string | null = null;
    for (const source of sources) {
      const question = source.question(identifier, ports.contact ?? null);
      if (question === null) continue;
      const told = await ask(source, question);
      if ('later' in told) {
        later ??= told.later;
        if (whenDown) continue;
        break;
      }
      const { reading, at } = told;
      if (reading.is === 'record')
        return { outcome: 'found', source: source.id, record: reading.record, notices: reading.notices, at };
      if (reading.is === 'another')
        return { outcome: 'refused', source: null, why: `${source.host} answered with another one: ${reading.of}.` };
    }
    if (later !== null) return { outcome: 'later', source: null, why: later };
    const asked = sources.map(({ host }) => host).join(', ');
    return { outcome: 'not_found', source: null, why: `Nobody has it: ${asked} were asked.` };
  }

  async function ask(source: MetadataSource, question: { identifier: Asked; url: string }): Promise<Told> {
    const key = keyOf(source.host, question.identifier);
    const kept = await ports.cache.get(key);
    const said = kept === null ? null : readingOf(source, kept, question.identifier);
    const isUsed = (by: KeptAnswer, reading: Reading): boolean =>
      ports.offline === true || (ports.rescan !== true && isFresh(by, reading, ports.clock.now()));
    if (kept !== null && said !== null && said.is !== 'garbled' && isUsed(kept, said))
      return { reading: said, at: kept.at };
    if (ports.offline === true) return { later: `${source.host} was never asked, and nothing is asked offline.` };
    const told = await overTheWire(source, question, key);
    // A record that is older than it should be is better than none.
    return 'later' in told && kept !== null && said?.is === 'record' ? { reading: said, at: kept.at } : told;
  }

  async function overTheWire(
    source: MetadataSource,
    { identifier, url }: { identifier: Asked; url: string },
    key: string,
  ): Promise<Told> {
    const manners = mannersOf(source);
    for (let attempt = 1; ; attempt++) {
      if (manners.restMs() > PATIENCE_MS) return { later: `${source.host} wants to be asked later.` };
      const away = ports.outOfReach?.(source.host, identifier) ?? null;
      if (away !== null) return { later: away };
      const told = await manners.inTurn(async (): Promise<Told | { leadsTo: string }> => {
        if (ports.cancel.aborted) throw failed('cancelled', 'The look-up was cancelled.');
        const answer = await answerOf(source, url, identifier);
        if ('why' in answer) return resting(manners, attempt, undefined, answer.why);
        manners.learn(answer);
        const leadsTo = isSuccess(answer.status) ? (source.leadsTo?.(answer) ?? null) : null;
        if (leadsTo !== null) return { leadsTo };
        const reading = readingOf(source, answer, identifier);
        const at = ports.clock.now();
        if (reading === null && !isPassing(answer.status))
          return { later: `${source.host} answered ${answer.status}.` };
        if (reading === null || reading.is === 'garbled') {
          const what = reading === null ? `answered ${answer.status}` : 'gave no answer of its own';
          return resting(manners, attempt, retryAfter(answer.headers['retry-after'], at), `${source.host} ${what}.`);
        }
        if (reading.is !== 'another') await ports.cache.put(key, { ...answer, at });
        return { reading, at };
      });
      if ('leadsTo' in told) {
        const { leadsTo: _once, ...there } = source;
        return overTheWire(there, { identifier, url: told.leadsTo }, key);
      }
      if (!('again' in told) || attempt > RETRIES) return told;
    }
  }

  async function answerOf(
    { id, host, accept }: MetadataSource,
    url: string,
    identifier: Asked,
  ): Promise<RawAnswer | { why: string }> {
    try {
      return await ports.wire.get(url, accept, { source: id, identifier });
    } catch (error) {
      return { why: `${host} did not answer: ${messageOf(error)}` };
    }
  }

  /** The host is left alone for as long as it asks, or longer each time. */
  function resting(manners: HostManners, attempt: number, asked: number | undefined, later: string): Told {
    manners.hold(delayMs(asked, attempt, ports.random));
    return { later, again: true };
  }

  async function raw(source: MetadataSource, identifier: Identifier): Promise<KeptAnswer | { later: string }> {
    const question = source.question(identifier, ports.contact ?? null);
    if (question === null) return { later: `${source.host} knows no such identifiers.` };
    const told = await ask(source, question);
    if ('later' in told) return { later: told.later };
    // What is about another document is not kept.
    const kept = await ports.cache.get(keyOf(source.host, question.identifier));
    return kept ?? { later: `${source.host} answered with another one.` };
  }

  const rawInHand = new Map<string, Promise<KeptAnswer | { later: string }>>();
  return {
    async find(identifier) {
      const asked = normal(identifier);
      const key = `${asked.kind} ${asked.value}`;
      const running = inHand.get(key) ?? find(asked).finally(() => inHand.delete(key));
      inHand.set(key, running);
      return running;
    },
    byTitle: (title) =>
      foundByTitle(title, { sources: [crossref, ...more(), openlibrary], contact: ports.contact ?? null, ask }),
    async raw(id, identifier) {
      const asked = normal(identifier);
      const source = SOURCES.find((one) => one.id === id);
      if (source === undefined) return { later: `There is no source "${id}".` };
      const key = `${id} ${asked.kind} ${asked.value}`;
      const running = rawInHand.get(key) ?? raw(source, asked).finally(() => rawInHand.delete(key));
      rawInHand.set(key, running);
      return running;
    },
  };
}

/** Null: a status that is no answer about the document. */
function readingOf(source: MetadataSource, answer: RawAnswer | KeptAnswer, asked: Asked): Reading | null {
  const { status, headers } = answer;
  if (isSuccess(status)) return source.read(answer, asked);
  const isPage = (headers['content-type'] ?? '').includes('text/html');
  if (status === 404 || status === 410)
    return isPage && source.saysByPage !== true ? { is: 'garbled' } : { is: 'missing' };
  // doi.org: the agency has no record in this form.
  return status === 406 && source.saysByPage === true ? { is: 'missing' } : null;
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** Whether asking again may help. */
const isPassing = (status: number): boolean => status === 408 || status === 425 || status === 429 || status >= 500;

/** In the form in which sources are asked. Throws AccessionError `invalid`. */
function normal({ kind, value }: Identifier): Identifier {
  const text = value.trim();
  const asked =
    kind === 'doi'
      ? (/^10\.\d{4,9}(?:\.\d+)*\/\S+$/.exec(text.toLowerCase())?.[0] ?? null)
      : kind === 'isbn'
        ? (isbn13(text) ?? isbn10(text))
        : (/^(?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[a-z]{2})?\/\d{7})(?=v\d+$|$)/.exec(text.toLowerCase())?.[0] ?? null);
  if (asked === null) throw failed('invalid', `"${text.slice(0, 100)}" is no ${NAMES[kind]}.`);
  return { kind, value: asked };
}

const NAMES = { doi: 'DOI', isbn: 'ISBN', arxiv: 'number of arXiv' } as const;
