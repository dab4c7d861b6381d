/** Changing parts of names and tags. */
import type { CaseFile } from '../case.types.ts';
import type { Random } from '../random.ts';

type Part = 'title' | 'album' | 'artist';

/** The name without folder and ending changed. */
export function renamed(file: CaseFile, change: (stem: string) => string): CaseFile {
  const slash = file.path.lastIndexOf('/') + 1;
  const dot = file.path.lastIndexOf('.');
  return { ...file, path: file.path.slice(0, slash) + change(file.path.slice(slash, dot)) + file.path.slice(dot) };
}

/** The innermost folder that is none of a disc changed; a file without a folder stays. */
export function refoldered(file: CaseFile, change: (folder: string) => string): CaseFile {
  const parts = file.path.split('/');
  const at = parts.findLastIndex((part, n) => n < parts.length - 1 && !/^CD\d+$/.test(part));
  if (at < 0) return file;
  return { ...file, path: parts.map((part, n) => (n === at ? change(part) : part)).join('/') };
}

export function retagged(file: CaseFile, part: Part, change: (text: string) => string): CaseFile {
  const text = file.tags[part];
  return text === undefined ? file : { ...file, tags: { ...file.tags, [part]: change(text) } };
}

/** One, some or all of the files, each choice as likely. */
export function someOf(random: Random, files: readonly CaseFile[]): ReadonlySet<CaseFile> {
  const shuffled = random.shuffle(files);
  const count = random.pick([1, 1 + random.below(files.length), files.length]);
  return new Set(shuffled.slice(0, count));
}

/** A word beside a text as it is found in names: in brackets, behind a dash, or bare. */
export function beside(random: Random, word: string): (text: string) => string {
  const form = random.below(5);
  return (text) =>
    [`${text} (${word})`, `${text} [${word}]`, `${text} - ${word}`, `${text} {${word}}`, `${text} ${word}`][form] ??
    text;
}
