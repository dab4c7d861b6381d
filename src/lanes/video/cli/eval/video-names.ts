/** Figures of reading names: shares of rows, 0..1. */
import * as v from 'valibot';
import { readJsonLines } from '#cli/json-lines.ts';
import { answerName, NameRowSchema, type NameAnswer, type NameRow } from '../recognize-names.ts';
import { ExpectedSchema, isRightEpisode, isRightTitle, saysEpisode, saysNone } from './video-row.ts';

const RowSchema = v.object({
  ...NameRowSchema.entries,
  source: v.optional(v.string(), ''),
  /** Set where the source's own test ran with settings: such a row is not counted. */
  options: v.optional(v.nullable(v.union([v.string(), v.looseObject({})]))),
  expected: ExpectedSchema,
});
export type LabelledName = v.InferOutput<typeof RowSchema>;

/** Of names that are no videos at all: counted when a data set has no such rows of its own. */
const JUNK = [
  '',
  ' ',
  '...',
  'New folder',
  'untitled',
  'Thumbs.db',
  'desktop.ini',
  '.DS_Store',
  'README.txt',
  'notes',
  'asdfghjkl',
  '🎬🎬🎬',
  'f3a1c09d7be24418a5c0ffee12345678.mkv',
  'aB3dE9fG1hJ7kL2m.mkv',
  '____----____',
  '[]()[]',
  'password.rar',
  'cover.jpg',
  'RARBG_DO_NOT_MIRROR.exe',
  'Torrent downloaded from somewhere.txt',
];

class Share {
  right = 0;
  all = 0;

  count(right: boolean): void {
    this.all += 1;
    if (right) this.right += 1;
  }

  get value(): number {
    return this.all === 0 ? 0 : this.right / this.all;
  }
}

/** Rows of names with what is expected of them. Throws as readJsonLines. */
export const readLabelledNames = (file: string): Promise<LabelledName[]> => readJsonLines(file, RowSchema);

/** Figures by name, with those of each source under `names.<source>.`; `answer`: another reader, to compare. */
export function nameFigures(
  rows: readonly LabelledName[],
  answer: (row: NameRow) => NameAnswer = answerName,
): Record<string, number> {
  const shares = new Map<string, Share>();
  const count = (name: string, source: string, right: boolean): void => {
    for (const key of [`names.${name}`, ...(source === '' ? [] : [`names.${source}.${name}`])]) {
      const share = shares.get(key) ?? new Share();
      share.count(right);
      shares.set(key, share);
    }
  };
  for (const name of ['se', 'title', 'false_episode', 'junk']) shares.set(`names.${name}`, new Share());
  for (const row of rows) {
    const { expected, source, kind } = row;
    const said = answer(row);
    const numbered = said.episodes.length + said.absolute.length > 0;
    if (kind === 'folder') count('season_folder', source, said.season === (expected.season ?? null));
    if (kind === 'extra') {
      count('extra', source, (said.type === 'extra') === (expected.extra === true));
      if (saysNone(expected)) count('false_episode', source, numbered);
    }
    if (kind === 'folder' || kind === 'extra' || (row.options ?? null) !== null) continue;
    if (saysEpisode(expected)) count('se', source, isRightEpisode(expected, said));
    if ((expected.title ?? '') !== '') count('title', source, isRightTitle(expected, said.title));
    if (saysNone(expected)) count('false_episode', source, numbered);
    if (expected.parses === false) count('junk', source, numbered || said.season !== null);
    if ((expected.year ?? null) !== null) count('year', source, said.year === expected.year);
    if ((expected.date ?? null) !== null) count('date', source, said.date === expected.date);
  }
  const junk = shares.get('names.junk');
  if (junk?.all === 0)
    for (const name of JUNK) {
      const said = answer({ id: name, input: name });
      junk.count(said.episodes.length + said.absolute.length > 0 || said.season !== null);
    }
  return Object.fromEntries([...shares].map(([name, share]) => [name, share.value]));
}
