/** MATCH-107: what a person said of some files of an album, said of others that are in the same doubt. */
import type { AlbumFit } from './album-fit.ts';
import type { GroupMatch, MatchContext } from './match.types.ts';

/** How much less of a group an album may explain than the best one does, 0..1. */
const NEARLY = 0.1;

/**
 * The album that a person chose for other files where these were in doubt between the same albums; null where nobody did,
 * answers differ, or the album explains these files less than another one does.
 */
export function settledAlbum(
  group: GroupMatch,
  fits: readonly AlbumFit[],
  chosen: MatchContext['chosenAlbums'] = [],
): string | null {
  if (group.verdict !== 'ask_album') return null;
  const [first, second] = group.options.map(({ album_id }) => album_id);
  if (first === undefined || second === undefined) return null;
  const answers = chosen.filter(({ over }) => over?.includes(first) === true && over.includes(second));
  const albums = new Set(answers.map(({ album_id }) => album_id));
  const [album] = albums;
  const [best] = fits;
  const fit = fits.find((one) => one.album.album.id === album);
  if (album === undefined || albums.size > 1 || !best || !fit) return null;
  const isOffered = group.options.some(({ album_id }) => album_id === album);
  const explains = fit.matched >= best.matched * (1 - NEARLY) && fit.durationShare >= best.durationShare - NEARLY;
  return isOffered && explains ? album : null;
}
