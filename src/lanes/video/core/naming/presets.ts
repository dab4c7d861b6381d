/** VIDEO-50, VIDEO-52: what names of episodes are made of, and templates as the three media servers ask for them. */
export const TOKENS = [
  'show',
  'year',
  'season',
  'episode',
  'absolute',
  'title',
  'date',
  'part',
  'quality',
  'version',
  'name',
  'ext',
] as const;
export type Token = Exclude<(typeof TOKENS)[number], 'ext'>;

export interface Style {
  /** Episodes 1 to 3 in one file: `range` S01E01-E03, `each` S01E01E02E03. */
  multi: 'range' | 'each';
  /** Name of the folder of season 0, where the template has a folder of the season alone; null: as the template says. */
  specials: string | null;
}

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
