import type { FileEvidence } from '../evidence/evidence.ts';
import type { FileMatch, GroupMatch } from '../match/match.types.ts';
import type { Phrase } from '../questions/phrase.ts';
import type { Doubt } from './doubt.ts';

/** A short name of a text: two FNV-1a hashes of 32 bits, as 16 hex digits. To tell apart, never to trust. */
function shortHash(text: string): string {
  return [0x811c9dc5, 0x01000193].map((seed) => fnv1a(text, seed)).join('');
}

function fnv1a(text: string, seed: number): string {
  let hash = seed;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, '0');
}

/** AGENT-2: the same files, kind and options are the same doubt, in whatever order they come. */
export function doubtKey(kind: string, fileIds: readonly string[], optionIds: readonly string[]): string {
  const sorted = (ids: readonly string[]): string => [...ids].sort().join('\n');
  return `${kind}-${shortHash(`${kind}\n\n${sorted(fileIds)}\n\n${sorted(optionIds)}`)}`;
}

export interface DoubtFacts {
  kind: Doubt['kind'];
  batch_id: string;
  group: GroupMatch;
  /** The first leads. */
  files: { evidence: FileEvidence; match: FileMatch }[];
  text: Phrase;
  context: Doubt['context'];
  threshold: number;
  said: readonly string[];
}

/** What the matcher is not sure of, with all that the agent may know about it. */
export function makeDoubt(facts: DoubtFacts): Doubt {
  const { group, files, kind } = facts;
  const tracks = kind === 'track' ? (files[0]?.match.options ?? []) : [];
  const albums = kind === 'track' ? [] : group.options;
  const ids = files.map(({ evidence }) => evidence.file_id);
  const options = [...tracks.map((option) => option.track_id), ...albums.map((option) => option.album_id)];
  const decided = kind === 'track' && group.verdict === 'matched' ? group.album_id : null;
  const of = decided === null ? undefined : group.options.find((option) => option.album_id === decided);
  return {
    key: doubtKey(kind, ids, options),
    kind,
    batch_id: facts.batch_id,
    group_id: group.group_id,
    file_ids: ids,
    files: files.map(({ evidence }) => evidence),
    detected: {
      album: group.detected.album,
      artist: group.detected.artist,
      year: group.detected.year,
      title: files.length === 1 ? (files[0]?.match.detected.title ?? null) : null,
    },
    albums,
    tracks,
    album: of ? { id: of.album_id, title: of.title, artist: of.artist } : null,
    why: whyOf(files.map(({ match }) => match)),
    question: facts.text.question,
    reasoning: facts.text.reasoning,
    context: facts.context,
    threshold: facts.threshold,
    said: [...facts.said],
  };
}

/** The matcher's vetoes, those of most files first, at most four. */
function whyOf(files: readonly FileMatch[]): string {
  const counts = new Map<string, number>();
  for (const file of files) {
    for (const reason of file.reasons) {
      if (reason.kind !== 'veto') continue;
      const label = reason.label.replace(/^veto: /, '');
      counts.set(label, (counts.get(label) ?? 0) + 1);
    }
  }
  const labels = [...counts].sort((a, b) => b[1] - a[1]).map(([label]) => label);
  return labels.slice(0, 4).join('; ');
}
