/** Why files are in doubt, in plain words: for one question about several files that are in the same doubt. */
import type { FileMatch } from '../match/match.types.ts';

/** Doubts beyond these are in the trace. */
const MOST_DOUBTS = 2;

/** Vetoes of a file by kind, sorted: files of the same are in the same doubt. `''`: nothing but too little evidence. */
export function doubtKinds(file: FileMatch): string {
  return [...new Set((file.why?.vetoes ?? []).map(({ kind }) => kind))].sort().join(' ');
}

/** REVIEW-21: `their lengths are 4 to 9 s longer than in the catalog`; no final stop. */
export function doubtOf(files: readonly FileMatch[]): string {
  const kinds = [...new Set(files.flatMap((file) => (file.why?.vetoes ?? []).map(({ kind }) => kind)))];
  const phrases = kinds.map((kind) => SAID[kind]?.(files) ?? labelsOf(files, kind));
  const distinct = [...new Set(phrases)].slice(0, MOST_DOUBTS);
  return distinct.length === 0 ? 'the evidence is not enough to be sure' : distinct.join(', and ');
}

const SAID: Readonly<Record<string, (files: readonly FileMatch[]) => string>> = {
  length: lengthsOff,
  recording: () => 'their lengths differ throughout, as those of another recording do',
  untimed: () => 'there is no length to compare',
  artist: () => 'they name another artist',
  version: versions,
  twin: () => 'another album fits as well',
  title: () => "their titles differ from the catalog's",
  lengths_alone: () => 'nothing but their lengths speaks for it',
  other_album: () => 'they name another album',
  stray: () => 'the rest of the batch is elsewhere',
  rival: () => 'another free track fits as well',
  alone: () => 'nothing but their titles speaks for it',
};

function lengthsOff(files: readonly FileMatch[]): string {
  const offs = files.flatMap((file) => file.why?.pair.off ?? []);
  const sizes = offs.map((off) => Math.round(Math.abs(off)));
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  const range = least === most ? `${most} s` : `${least} to ${most} s`;
  if (offs.every((off) => off > 0)) return `their lengths are ${range} longer than in the catalog`;
  if (offs.every((off) => off < 0)) return `their lengths are ${range} shorter than in the catalog`;
  return `their lengths are off by ${range}`;
}

function versions(files: readonly FileMatch[]): string {
  const extra = [...new Set(files.flatMap((file) => file.why?.pair.version_extra ?? []))];
  if (extra.length > 0) return `they say ${extra.join(', ')}, the catalog does not`;
  const missing = [...new Set(files.flatMap((file) => file.why?.pair.version_missing ?? []))];
  return `the catalog says ${missing.join(', ')}, they do not`;
}

function labelsOf(files: readonly FileMatch[], kind: string): string {
  const labels = files.flatMap((file) => (file.why?.vetoes ?? []).filter((veto) => veto.kind === kind));
  return [...new Set(labels.map(({ label }) => label))].slice(0, MOST_DOUBTS).join(', ');
}
