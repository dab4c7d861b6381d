/** How people and programs name what they keep. */
import type { FileTags } from '#core/media.ts';
import type { Random } from './random.ts';
import type { Subject, Track } from './world.ts';

export const two = (n: number): string => String(n).padStart(2, '0');
export const safe = (name: string): string => name.replaceAll(/[/\\:*?"<>|]/g, '_');
export const tagsOf = ({ album, tracks }: Subject, track: Track): FileTags => ({
  title: track.title,
  artist: track.artist,
  album: album.title,
  albumartist: album.artist,
  track: track.position,
  tracktotal: tracks.filter((one) => one.disc === track.disc).length,
  ...(album.year ? { year: album.year } : {}),
});
export const latin = ({ album, tracks }: Subject): boolean =>
  /^[\p{Script=Latin}\P{L}]+$/u.test(album.title + album.artist + tracks.map((one) => one.title).join(''));
export const foreign = (subject: Subject): boolean =>
  !/[A-Za-z]/.test(subject.album.title) &&
  /\p{L}/u.test(subject.album.title) &&
  subject.tracks.every((one) => !/[A-Za-z]{4}/.test(one.title));

export const folders = (subject: Subject, random: Random): string => {
  const { title, artist, year } = subject.album;
  return safe(
    random.pick(
      [
        `${artist} - ${title} (${year})`,
        `${title}`,
        `[${year}] ${title}`,
        `${artist} - ${title} [FLAC]`,
        `${artist}/${title}`,
      ].map((one) => one.replaceAll('/', '⁄')),
    ),
  ).replaceAll('⁄', '/');
};
