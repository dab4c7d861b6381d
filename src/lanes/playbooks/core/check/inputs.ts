/** Which files a step reads (PB-20). */
import { PlaybookFault } from '../faults.ts';
import { patternOf, type Pattern, type Piece } from '../files/globs.ts';
import { insideRoot } from '../files/paths.ts';
import { checkInputType } from '../files/contents.ts';
import type { ReadFiles } from '../run/ports.ts';
import { expandTemplate, type Scope } from '../tokens/expand.ts';
import { onlyToken, parseTemplate } from '../tokens/parse.ts';
import { byCodePoints, isList, printed, type Value } from '../value.ts';

export type Wanted = { kind: 'path'; path: string } | { kind: 'pattern'; pattern: Pattern };

/** Files of one step. */
const MOST_FILES = 10_000;

/** What one text of `input` asks for. Throws PlaybookFault. */
export function wantedOf(text: string, scope: Scope): Wanted[] {
  const template = parseTemplate(text);
  if (onlyToken(template) !== null) {
    const value = expandTemplate(template, scope);
    return (isList(value) ? value : [value]).map((one) => plain(printed(one)));
  }
  const pieces: Piece[] = template.parts.map((part) => {
    if (part.kind === 'text') return { text: part.text, literal: false };
    const value: Value = expandTemplate({ parts: [part] }, scope);
    return { text: printed(value), literal: value !== part.source };
  });
  const pattern = patternOf(pieces);
  if (pattern === null) return [plain(pieces.map(({ text: piece }) => piece).join(''))];
  // Out of the root it never matches; said so, it is no surprise.
  const normal = insideRoot(pattern.said);
  if (!pattern.said.split('/').includes('..')) return [{ kind: 'pattern', pattern }];
  const inside = patternOf([{ text: normal, literal: false }]);
  return [inside === null ? plain(normal) : { kind: 'pattern', pattern: { ...inside, said: pattern.said } }];
}

const plain = (path: string): Wanted => ({ kind: 'path', path: insideRoot(path) });

/** What a step writes, as far as it is known before it runs. */
export interface Written {
  step: string;
  /** The path, or one like it where the units decide. */
  path: string;
  /** Paths that it may come to; null: this one alone. */
  like: RegExp | null;
}

export const isWritten = (wanted: Wanted, { path, like }: Written): boolean =>
  wanted.kind === 'pattern' ? wanted.pattern.matches(path) : wanted.path === path || like?.test(wanted.path) === true;

/** Paths in their order, each once. Throws PlaybookFault `input_missing`, `input_empty`, `input_type`, `too_large`. */
export async function pathsOf(
  wanted: readonly Wanted[],
  files: ReadFiles,
  { allowEmpty }: { allowEmpty: boolean },
): Promise<string[]> {
  const paths = new Set<string>();
  for (const one of wanted) {
    if (one.kind === 'path') {
      if (!(await files.isThere(one.path)))
        throw new PlaybookFault('input_missing', one.path, `There is no file "${one.path}" below the root folder.`);
      checkInputType(one.path);
      paths.add(one.path);
      atMost(paths.size, one.path);
      continue;
    }
    const { pattern } = one;
    const hits = (await files.list(pattern.base)).filter((path) => pattern.matches(path)).sort(byCodePoints);
    if (hits.length === 0 && !allowEmpty)
      throw new PlaybookFault('input_empty', pattern.said, `No file fits "${pattern.said}".`);
    for (const hit of hits) {
      checkInputType(hit);
      paths.add(hit);
    }
    atMost(paths.size, pattern.said);
  }
  return [...paths];
}

function atMost(files: number, said: string): void {
  if (files > MOST_FILES)
    throw new PlaybookFault('too_large', said, `The step reads more than ${MOST_FILES} files, with "${said}".`);
}
