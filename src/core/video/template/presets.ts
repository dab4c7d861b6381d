/** VIDEO-52: templates as the three media servers ask for them. */
import type { Style } from './template.types.ts';

export interface Preset {
  id: 'plex' | 'jellyfin' | 'kodi';
  label: string;
  template: string;
  style: Style;
}

/**
 * Plex: `Show (2010)/Season 01/Show (2010) - s01e01-e02 - Title - pt1.mkv`, specials in `Specials` or `Season 00`.
 * Jellyfin: `Show (2010)/Season 01/Show S01E01-E02 Part 1.mkv`, specials in `Season 00`.
 * Kodi: folders are not read; of `S01E01-E03` it takes the first and the third only, so each number is written out.
 */
export const PRESETS: readonly Preset[] = [
  {
    id: 'plex',
    label: 'Plex',
    template:
      '{show}[ ({year})]/Season {season:00}/{show}[ ({year})] - s{season:00}e{episode:00}[ - {title}][ - pt{part}]{ext}',
    style: { multi: 'range', specials: 'Specials' },
  },
  {
    id: 'jellyfin',
    label: 'Jellyfin',
    template: '{show}[ ({year})]/Season {season:00}/{show} S{season:00}E{episode:00}[ - {title}][ Part {part}]{ext}',
    style: { multi: 'range', specials: 'Season 00' },
  },
  {
    id: 'kodi',
    label: 'Kodi',
    template: '{show}[ ({year})]/Season {season:00}/{show} S{season:00}E{episode:00}[ - {title}][ - part{part}]{ext}',
    style: { multi: 'each', specials: 'Specials' },
  },
];
