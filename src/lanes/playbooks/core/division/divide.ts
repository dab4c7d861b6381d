/** Contents of files, or an answer, made into units (PB-22 to PB-24). */
import { PlaybookFault } from '../faults.ts';
import { fieldOf, isList, isMapping, type Mapping, type Value } from '../value.ts';
import { nameParts } from '../files/paths.ts';
import type { Frame } from '../tokens/scopes.ts';
import type { Division, Level } from './parse.ts';

export interface InputFile {
  path: string;
  content: Value;
}

/** Units of one step. */
export const MOST_UNITS = 100_000;

interface Part {
  value: Value;
  file: string | null;
  /** The part above it in the same level: nodes of a tree. */
  above: Part | null;
}

const wrong = (where: string, what: string): PlaybookFault =>
  new PlaybookFault('division_type', where, `"${where}" cannot be divided: ${what}.`);

/** The unit of a file. */
export function fileUnit({ path, content }: InputFile): Mapping {
  return { path, ...nameParts(path), content };
}

/** Without a division: the content, of several files the list of contents. */
export function wholeUnit(files: readonly InputFile[]): Frame {
  const [only] = files;
  if (only !== undefined && files.length === 1) return { value: only.content, i: 0, file: only.path, parent: null };
  return { value: files.map(({ content }) => content), i: 0, file: null, parent: null };
}

/** Throws PlaybookFault `division_type`, `too_large`. */
export function divideFiles(files: readonly InputFile[], division: Division): Frame[] {
  const [first = [], ...inner] = division;
  const count = { units: 0 };
  const whole = wholeUnit(files);
  const starts: Part[] =
    first[0]?.kind === 'file'
      ? files.map((file) => ({ value: fileUnit(file), file: file.path, above: null }))
      : files.length === 0
        ? []
        : [{ value: whole.value, file: whole.file, above: null }];
  const levels = first[0]?.kind === 'file' ? first.slice(1) : first;
  // A file's unit is divided by its content.
  let frames = framesOf(starts, levels, first[0]?.kind === 'file', null, count);
  let ofFiles = first[0]?.kind === 'file' && levels.length === 0;
  for (const group of inner) {
    const within = ofFiles;
    frames = frames.flatMap((frame) =>
      framesOf([{ value: frame.value, file: frame.file, above: null }], group, within, frame, count),
    );
    ofFiles = false;
  }
  return frames;
}

function framesOf(
  starts: readonly Part[],
  levels: readonly Level[],
  ofFiles: boolean,
  parent: Frame | null,
  count: { units: number },
): Frame[] {
  let parts: Part[] = [...starts];
  for (const [at, level] of levels.entries())
    parts = parts.flatMap((part) => {
      const value = ofFiles && at === 0 && isMapping(part.value) ? (part.value['content'] ?? null) : part.value;
      return divided({ ...part, value }, level, part.file ?? 'the input');
    });
  count.units += parts.length;
  if (count.units > MOST_UNITS)
    throw new PlaybookFault('too_large', 'input', `There are more than ${MOST_UNITS} units.`);
  const made = new Map<Part, Frame>();
  return parts.map((part, i) => {
    const above = part.above === null ? undefined : made.get(part.above);
    const frame = { value: part.value, i, file: part.file, parent: above ?? parent };
    made.set(part, frame);
    return frame;
  });
}

function divided(part: Part, level: Level, where: string): Part[] {
  const below = (value: Value): Part => ({ value, file: part.file, above: null });
  switch (level.kind) {
    case 'file':
      return [part];
    case 'array':
      return arrayIn(part.value, level.path, where).map(below);
    case 'rows': {
      if (!isList(part.value) || !part.value.every(isMapping)) throw wrong(where, 'it holds no rows');
      return part.value.map(below);
    }
    case 'lines': {
      if (typeof part.value !== 'string') throw wrong(where, 'it is no text');
      return linesOf(part.value).map(below);
    }
    case 'tree':
      return nodesOf(part, level.key, where);
  }
}

export const linesOf = (text: string): string[] => text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '');

function arrayIn(value: Value, path: readonly string[], where: string): Value[] {
  let current: Value | undefined = value;
  for (const key of path) current = isMapping(current) ? fieldOf(current, key) : undefined;
  if (isList(current)) return current;
  throw wrong(where, path.length === 0 ? 'it holds no array' : `it holds no array "${path.join('.')}"`);
}

/** Every node, the parent before its children. A mapping at the top holds the first nodes in that field. */
function nodesOf(part: Part, key: string, where: string): Part[] {
  const roots = isList(part.value) ? part.value : arrayIn(part.value, [key], where);
  const nodes: Part[] = [];
  // A stack, not calls: trees may be deep.
  const stack = roots.toReversed().map((value): Part => ({ value, file: part.file, above: null }));
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    nodes.push(node);
    if (nodes.length > MOST_UNITS)
      throw new PlaybookFault('too_large', where, `There are more than ${MOST_UNITS} units.`);
    const children = isMapping(node.value) ? (fieldOf(node.value, key) ?? null) : null;
    if (children === null) continue;
    if (!isList(children)) throw wrong(where, `"${key}" of a node is no array`);
    const above = node;
    for (const value of children.toReversed()) stack.push({ value, file: part.file, above });
  }
  return nodes;
}

/** An answer as the outputs that it holds. Throws PlaybookFault `division_type`. */
export function divideAnswer(answer: Value, level: Level | null): Frame[] {
  if (level === null) return [{ value: answer, i: 0, file: null, parent: null }];
  return framesOf([{ value: answer, file: null, above: null }], [level], false, null, { units: 0 });
}
