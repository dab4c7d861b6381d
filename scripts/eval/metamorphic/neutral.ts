/** Changes that say nothing about what the music is: an approved file stays approved, as the same track. */
import type { CaseFile } from '../case.types.ts';
import { safe, tagsOf, two } from '../naming.ts';
import type { Random } from '../random.ts';
import type { Change, Changed, Drop, Source } from './change.types.ts';
import { beside, refoldered, renamed, retagged, someOf } from './texts.ts';
import { draw } from './words.ts';

type OneFile = (file: CaseFile) => CaseFile;

const hasTags = ({ style }: Drop): boolean =>
  style !== 'folder and names' && style !== 'all in the name' && style !== 'pile';
const isNamed = ({ style }: Drop): boolean => style !== 'tags alone';

/** One drop out of it, each chosen file changed in one way. */
function each(drop: Drop, chosen: ReadonlySet<CaseFile>, change: OneFile): Changed {
  return { drops: [drop.files.map((file) => (chosen.has(file) ? change(file) : file))] };
}

const change = (kind: string, apply: Change['apply']): Change => ({ kind, carries: false, apply });

/** A word in any part of some files. */
function word(kind: string, of: (source: Source) => string, fits: (drop: Drop) => boolean = () => true): Change {
  return change(kind, (drop, source) => {
    if (!fits(drop)) return null;
    const { random } = source;
    const put = beside(random, of(source));
    const parts: OneFile[] = [
      ...(isNamed(drop) ? [(file: CaseFile) => renamed(file, put)] : []),
      ...(hasTags(drop)
        ? [(file: CaseFile) => retagged(file, 'title', put), (file: CaseFile) => retagged(file, 'album', put)]
        : []),
    ];
    return each(drop, someOf(random, drop.files), random.pick(parts));
  });
}

const swapCase = (random: Random): ((text: string) => string) =>
  random.pick([
    (text: string) => text.toLowerCase(),
    (text: string) => text.toUpperCase(),
    (text: string) => text.replaceAll(/\p{L}+/gu, (part) => part.charAt(0).toUpperCase() + part.slice(1).toLowerCase()),
  ]);

const repunctuate = (random: Random): ((text: string) => string) =>
  random.pick([
    (text: string) => text.replaceAll(' ', '_'),
    (text: string) => text.replaceAll(/['’`´!?,]/g, ''),
    (text: string) => text.replaceAll("'", '’').replaceAll(' - ', ' – '),
    (text: string) => text.replaceAll(' ', '  '),
    (text: string) => text.replaceAll(/\s+&\s+/g, ' and '),
    (text: string) => `${text}.`,
  ]);

/** The same rewriting of names and tags, of one part or of all. */
function rewritten(drop: Drop, random: Random, write: (text: string) => string): Changed {
  const parts: OneFile[] = [
    (file) => renamed(file, write),
    (file) => retagged(file, 'title', write),
    (file) => retagged(file, 'artist', write),
    (file) => retagged(file, 'album', write),
  ];
  const chosen = random.chance(0.5) ? parts : [random.pick(parts)];
  return each(drop, someOf(random, drop.files), (file) => chosen.reduce((one, part) => part(one), file));
}

/** The folder is called otherwise; where nothing else names the album, only files whose names are all there. */
function foldered(kind: string, of: (drop: Drop, source: Source) => string | null): Change {
  return change(kind, (drop, source) => {
    const name = of(drop, source);
    const bareNames = drop.style === 'folder and names' && (drop.files.length < 4 || !drop.only);
    if (name === null || name === '' || bareNames) return null;
    const at = safe(name);
    const move = (file: CaseFile): CaseFile => {
      const parts = file.path.split('/');
      const kept = parts.slice(-1 - Number(/^CD\d+$/.test(parts.at(-2) ?? '')));
      return { ...file, path: [at, ...kept].join('/') };
    };
    return { drops: [drop.files.map(move)] };
  });
}

/** What people call folders in which anything may be; none is in a list of the matcher's. */
const ANY_FOLDER = [
  ...['Zeug', 'Kram von Oma', 'asdf', 'Roadtrip 2019', 'for Mia', 'old laptop', 'Ferien', 'Trabajo', 'xx1', 'Küche'],
  ...['Bobs Sachen', 'summer party', 'da ascoltare', 'Pour Noël', 'brother', 'CDs of the club', 'wip', '2nd try'],
];

const GUESTS = ['Ruby Nelson', 'DJ Marlow', 'The Brass Section', 'Ivo', 'Clara Wood & Hugo Bell'];

function guest(drop: Drop, { random }: Source): Changed {
  const sign = random.pick(['feat.', 'ft.', 'featuring', 'Feat']);
  const text = `${sign} ${random.pick(GUESTS)}`;
  const behind = random.pick([(one: string) => `${one} (${text})`, (one: string) => `${one} ${text}`]);
  const parts: OneFile[] = [
    (file) => renamed(file, behind),
    (file) => retagged(file, 'title', behind),
    (file) => retagged(file, 'artist', behind),
  ];
  const usable = hasTags(drop) ? (isNamed(drop) ? parts : parts.slice(1)) : parts.slice(0, 1);
  return each(drop, someOf(random, drop.files), random.pick(usable));
}

const drops = (files: readonly CaseFile[][]): Changed => ({ drops: [...files] });

/** A file of another album of the catalog, or of none, laid beside the others. */
function stranger({ files, subject }: Drop, { random, world }: Source): Changed | null {
  const other = world.album(3, 30, ({ album }) => album.artist !== subject.album.artist);
  const [first] = files;
  if (!other || !first) return null;
  const folder = first.path.slice(0, first.path.lastIndexOf('/') + 1);
  const track = random.pick(other.tracks);
  const known = random.chance(0.5);
  const name = known ? `${track.artist} - ${track.title}` : `${random.pick(GUESTS)} - Demo of nothing`;
  const length = known ? track.duration_ms : 60_000 + random.below(300_000);
  const more = { file_id: 'more', path: `${folder}${safe(name)}.mp3`, duration_ms: length ?? null, tags: {} };
  return drops([[...files, more]]);
}

const TAGS = ['title', 'artist', 'album', 'albumartist', 'track', 'tracktotal', 'year'] as const;

function untagged(drop: Drop, { random }: Source): Changed | null {
  if (!hasTags(drop)) return null;
  const gone = random.pick(drop.style === 'tags alone' ? TAGS.slice(2) : TAGS);
  // Without the album's name nothing says which of two editions it is.
  if (gone === 'album' && !(drop.only && drop.files.length >= 4) && drop.style !== 'folders and tags') return null;
  return each(drop, someOf(random, drop.files), (file) => {
    const { [gone]: _gone, ...tags } = file.tags;
    return { ...file, tags };
  });
}

/** One file with the tags of another album's track; its name and length are right. */
function mistagged(drop: Drop, { random, world }: Source): Changed | null {
  const other = world.album(3, 30, ({ album }) => album.artist !== drop.subject.album.artist);
  if (drop.style !== 'folders and tags' || !other) return null;
  const track = random.pick(other.tracks);
  return each(drop, new Set([random.pick(drop.files)]), (file) => ({ ...file, tags: tagsOf(other, track) }));
}

const lengthened = (drop: Drop, of: (milliseconds: number) => number): Changed => ({
  drops: [drop.files.map((file) => ({ ...file, duration_ms: Math.round(of(file.duration_ms ?? 0)) }))],
});

export const NEUTRAL: readonly Change[] = [
  word('quality words', ({ noise, random }) => draw(random, noise.quality)),
  word(
    'edition words',
    ({ noise, random }) => draw(random, noise.edition),
    ({ only, files }) => only && files.length >= 4,
  ),
  change('quality in the folder', (drop, { noise, random }) => {
    const put = beside(random, draw(random, noise.quality));
    return { drops: [drop.files.map((file) => refoldered(file, put))] };
  }),
  change('release group', (drop, { noise, random }) => {
    const group = draw(random, noise.group);
    const year = drop.subject.album.year ?? 2012;
    const form = random.pick([`-WEB-${year}-${group}`, `-${year}-${group}`, `-${group}`, ` [${group}]`]);
    const inFolder = drop.files.some((file) => file.path.includes('/')) && random.chance(0.6);
    const put = (text: string): string => text + form;
    return { drops: [drop.files.map((file) => (inFolder ? refoldered(file, put) : renamed(file, put)))] };
  }),
  change('case', (drop, { random }) => rewritten(drop, random, swapCase(random))),
  change('punctuation', (drop, { random }) => rewritten(drop, random, repunctuate(random))),
  change('copy marks', (drop, { random }) => {
    const mark = random.pick([' (1)', ' (2)', ' - Copy', ' copy', ' - Copy (2)', ' - Kopie']);
    return each(drop, someOf(random, drop.files), (file) => renamed(file, (stem) => stem + mark));
  }),
  change('guests', guest),
  foldered('generic folder', (_, { noise, random }) => draw(random, noise.folder)),
  foldered('folder of any name', (_, { random }) => random.pick(ANY_FOLDER)),
  foldered('folder of the artist', ({ subject }) => subject.album.artist),
  foldered('folder of another album', (drop, { world }) =>
    hasTags(drop)
      ? (world.album(3, 30, ({ album }) => album.artist !== drop.subject.album.artist)?.album.title ?? null)
      : null,
  ),
  change('order', ({ files }, { random }) => drops([random.shuffle(files)])),
  change('one file more', stranger),
  change('one file less', ({ files }, { random }) => {
    const gone = random.below(files.length);
    return files.length < 4 ? null : drops([files.filter((_, at) => at !== gone)]);
  }),
  change('one tag removed', untagged),
  change('one file with wrong tags', mistagged),
  change('lengths up to a second off', (drop, { random }) =>
    lengthened(drop, (length) => length + 2000 * random.next() - 1000),
  ),
  change('one speed', (drop, { random }) => {
    const speed = 1 + (random.chance(0.5) ? 1 : -1) * (0.006 + 0.034 * random.next());
    return drop.files.length < 5 || drop.style === 'tags alone' || drop.style === 'pile'
      ? null
      : lengthened(drop, (length) => length * speed);
  }),
  change('split in two', (drop, { random }) => {
    const { files } = drop;
    if (files.length < 6 || !drop.only) return null;
    const shuffled = random.chance(0.5) ? random.shuffle(files) : files;
    const half = Math.floor(files.length / 2);
    return drops([shuffled.slice(0, half), shuffled.slice(half)]);
  }),
  change('numbers written otherwise', (drop, { random }) => {
    if (!isNamed(drop) || drop.files.some((file) => /CD\d+\/|(?:^|\/)\d+-\d\d/.test(file.path))) return null;
    const form = random.pick([
      (n: number) => `${n}.`,
      (n: number) => `[${two(n)}]`,
      (n: number) => `Track ${two(n)} -`,
    ]);
    if (drop.style === 'all in the name' || drop.style === 'pile') return null;
    return each(drop, new Set(drop.files), (file) =>
      renamed(file, (stem) => stem.replace(/^(\d+)(?: -)? /, (_, digits: string) => `${form(Number(digits))} `)),
    );
  }),
];
