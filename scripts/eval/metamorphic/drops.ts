/** Albums and piles as people have them: six ways of naming and tagging, from the catalog's own rows. */
import type { CaseFile } from '../case.types.ts';
import { safe, tagsOf, two } from '../naming.ts';
import type { Random } from '../random.ts';
import type { Subject, Track, World } from '../world.ts';
import type { Drop, Style } from './change.types.ts';

const STYLES: readonly [Style, number][] = [
  ['folders and tags', 0.35],
  ['pile', 0.05],
  ['tags', 0.2],
  ['folder and names', 0.15],
  ['all in the name', 0.15],
  ['tags alone', 0.1],
];

/** An album of 3 to 30 tracks with lengths, in one of the ways. */
export function drawDrop(world: World, random: Random, number: number): Drop | null {
  const style = styleOf(random);
  const subject =
    style === 'pile'
      ? pileOf(world, random)
      : world.album(3, 30, ({ tracks }) => tracks.every((track) => track.duration_ms !== null));
  if (!subject) return null;
  const many = style !== 'pile' && new Set(subject.tracks.map((track) => track.disc)).size > 1;
  const files = subject.tracks.map((track, at): CaseFile => {
    const length = Math.max(1000, Math.round((track.duration_ms ?? 0) + 300 * random.normal()));
    return { file_id: `d${number}-${at}`, duration_ms: length, ...write(style, subject, track, many) };
  });
  return { subject, style, files, only: isOnly(subject, world) };
}

/** One track each of several albums, under no album's name. */
function pileOf(world: World, random: Random): Subject | null {
  const tracks = Array.from({ length: 4 + random.below(12) }, () => {
    const subject = world.album(3, 30, ({ tracks: of }) => of.every((track) => track.duration_ms !== null));
    return subject ? [random.pick(subject.tracks)] : [];
  }).flat();
  const [first] = world.albums;
  const names = new Set(tracks.map(({ artist, title }) => `${artist} ${title}`));
  if (!first || names.size < tracks.length) return null;
  return { album: { ...first.album, id: 'pile', title: '', artist: '', is_compilation: true }, tracks };
}

function styleOf(random: Random): Style {
  let left = random.next();
  return STYLES.find(([, share]) => (left -= share) < 0)?.[0] ?? 'folders and tags';
}

function write(style: Style, subject: Subject, track: Track, many: boolean): Pick<CaseFile, 'path' | 'tags'> {
  const { album } = subject;
  const [artist, title, song] = [safe(album.artist), safe(album.title), safe(track.title)];
  const tags = { ...tagsOf(subject, track), ...(many ? { disc: track.disc ?? 1 } : {}) };
  const disc = many ? `CD${track.disc}/` : '';
  const place = `${many ? `${track.disc}-` : ''}${two(track.position)}`;
  switch (style) {
    case 'folders and tags':
      return {
        path: `${artist}/${title}${album.year ? ` (${album.year})` : ''}/${disc}${two(track.position)} - ${song}.flac`,
        tags,
      };
    case 'tags':
      return { path: `${place} ${song}.mp3`, tags };
    case 'folder and names':
      return { path: `${artist} - ${title}/${disc}${two(track.position)} - ${song}.mp3`, tags: {} };
    case 'all in the name':
      return { path: `${safe(track.artist)} - ${title} - ${place} - ${song}.mp3`, tags: {} };
    case 'pile':
      return { path: `${safe(track.artist)} - ${song}.mp3`, tags: {} };
    case 'tags alone':
      return { path: `rip/${disc}track${two(track.position)}.mp3`, tags };
  }
}

const bare = (title: string): string =>
  title
    .replaceAll(/[([{].*?[)\]}]/g, '')
    .trim()
    .toLowerCase();

function isOnly({ album, tracks }: Subject, world: World): boolean {
  if (tracks.some((track) => world.equals(track).length > 0)) return false;
  const name = bare(album.title);
  return world.albums.every(
    ({ album: other }) => other.id === album.id || other.artist !== album.artist || bare(other.title) !== name,
  );
}
