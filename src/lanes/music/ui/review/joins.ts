/** Which questions of several drops are one: those about one album that is not in the catalog. Pure. */
import type { MusicReview, MusicTypes } from '#lanes/music/core/types.ts';
import type { Review } from '#core/job/review.ts';
import type { Joins } from '#ui/review/joined.ts';

const folded = (text: string): string => text.normalize('NFKC').toLowerCase().split(/\s+/).join(' ').trim();

export const joins: Joins<Review<MusicTypes['review']>> = {
  // Without an artist, one title may be several albums.
  about({ kind, detected: { album, artist } }: Pick<MusicReview, 'kind' | 'detected'>) {
    return kind === 'no_match' && album && artist ? JSON.stringify([folded(album), folded(artist)]) : null;
  },
  question: ({ question }, count) => question.replace(/\(\d+ tracks?\)(?=\. )/, `(${count} tracks, of several drops)`),
};
