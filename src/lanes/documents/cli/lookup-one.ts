/** `documents lookup --doi X`: the record of one identifier, from what was answered before or from its sources. */
import type { Cancel } from '#core/ports.ts';
import { createLookup, type LookupAnswer, type LookupPorts } from '#lanes/documents/core/lookup/lookup.ts';
import type { MoreSource } from '#lanes/documents/core/lookup/hosts.ts';
import type { Identifier } from '#lanes/documents/core/lookup/source.ts';

export interface LookupFlags {
  doi?: string;
  isbn?: string;
  arxiv?: string;
  offline?: boolean;
  rescan?: boolean;
  contact?: string;
  also?: readonly MoreSource[];
}

/** Null where none of the three is given. */
export function askedFor({ doi, isbn, arxiv }: LookupFlags): Identifier | null {
  if (doi !== undefined) return { kind: 'doi', value: doi };
  if (isbn !== undefined) return { kind: 'isbn', value: isbn };
  return arxiv === undefined ? null : { kind: 'arxiv', value: arxiv };
}

/** Throws as Lookup.find does. */
export function lookupOne(
  asked: Identifier,
  { offline = false, rescan = false, contact, also: more = [] }: LookupFlags,
  using: Omit<LookupPorts, 'offline' | 'rescan' | 'contact' | 'cancel'> & { cancel: Cancel },
): Promise<LookupAnswer> {
  return createLookup({ ...using, offline, rescan, contact: contact ?? null, more }).find(asked);
}

/** For a terminal: the record as JSON, what is to be heard of it, and where it is from; or why there is none. */
export function lookupLines(answer: LookupAnswer): string[] {
  if (answer.outcome !== 'found') return [`${answer.outcome.replace('_', ' ')}: ${answer.why}`];
  const { source, record, notices, at } = answer;
  return [JSON.stringify(record, null, 2), ...notices, `from ${source}, ${new Date(at).toISOString()}`];
}
