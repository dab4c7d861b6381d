/** What speaks for a bare number being an episode, and what against: points, and how a person would say it. */

/** Where a bare number is in its name. */
export interface BarePlace {
  /** A dash with spaces around it is before it. */
  dashed: boolean;
  dashNext: boolean;
  bracketed: boolean;
  /** Technical words, brackets, or the end of the name come next. */
  noiseNext: boolean;
  bracketNext: boolean;
  ends: boolean;
  wordNext: boolean;
  atStart: boolean;
  /** A dot or a dash comes next. */
  stopNext: boolean;
  digits: number;
  padded: boolean;
  /** Several, by a dash or the like. */
  many: boolean;
  year: boolean;
  fractional: boolean;
  /** A letter and a hyphen lead up to it: "Zero-00". */
  glued: boolean;
  /** A year in brackets follows it somewhere: it is of a film's title. */
  yearNext: boolean;
  version: string | null;
  inSeason: boolean;
  fanRelease: boolean;
  hasYear: boolean;
  /** A folder around carries the same number in its name. */
  inFolder: boolean;
}

export interface BareSign {
  points: number;
  /** Part of a sentence: why it is an episode. */
  says: string;
  fits: (place: BarePlace) => boolean;
}

const isApart = ({ dashed, bracketed, ends, noiseNext, bracketNext }: BarePlace): boolean =>
  dashed || bracketed || ends || noiseNext || bracketNext;

export const BARE_SIGNS: readonly BareSign[] = [
  { points: 4, says: 'it stands behind a dash', fits: ({ dashed }) => dashed },
  { points: 3, says: 'it stands alone in brackets', fits: ({ bracketed, atStart }) => bracketed && !atStart },
  { points: 2, says: 'a dash follows it', fits: ({ dashNext }) => dashNext },
  { points: 2.5, says: 'the name ends with it', fits: ({ ends }) => ends },
  { points: 2.5, says: 'technical words follow it', fits: ({ noiseNext, ends }) => noiseNext && !ends },
  {
    points: 2,
    says: 'brackets follow it',
    fits: ({ bracketNext, noiseNext, ends }) => bracketNext && !noiseNext && !ends,
  },
  { points: 2, says: 'it has a leading zero', fits: ({ padded }) => padded },
  { points: 0.5, says: 'it has three digits', fits: ({ digits, year }) => digits >= 3 && !year },
  { points: 3, says: 'a version follows it', fits: ({ version }) => version !== null },
  { points: 2.5, says: 'it spans several', fits: ({ many }) => many },
  {
    points: 2,
    says: 'the name begins with it',
    fits: ({ atStart, bracketed, stopNext, digits }) => atStart && !bracketed && (stopNext || digits > 1),
  },
  {
    points: 0.5,
    says: 'the name begins with it',
    fits: ({ atStart, stopNext, digits }) => atStart && !stopNext && digits === 1,
  },
  { points: 1, says: 'a season folder holds it', fits: ({ inSeason }) => inSeason },
  {
    points: 1,
    says: 'it is the number of a fan release',
    fits: ({ fanRelease, digits, dashed }) => fanRelease && digits > 1 && !dashed,
  },
  { points: 3, says: 'it leads the name', fits: ({ atStart, dashNext }) => atStart && dashNext },
  // Against.
  {
    points: -6,
    says: '',
    fits: ({ yearNext, inSeason, version, padded, dashed, digits }) =>
      yearNext && !inSeason && version === null && !padded && !(dashed && digits > 1),
  },
  { points: -2, says: '', fits: ({ glued }) => glued },
  { points: -3, says: '', fits: ({ fractional, dashed }) => fractional && !dashed },
  // A word of the title follows: "12 Angry Men", "765 Pro".
  { points: -2, says: '', fits: (place) => place.wordNext && !place.atStart && !place.padded && !isApart(place) },
  { points: -1, says: '', fits: (place) => place.wordNext && place.atStart && !place.padded && !isApart(place) },
  {
    points: -1,
    says: '',
    fits: ({ digits, many, fanRelease, inSeason, dashed, atStart }) =>
      digits === 1 && !many && (fanRelease || dashed || (inSeason && !atStart)),
  },
  {
    points: -3,
    says: '',
    fits: ({ digits, many, fanRelease, inSeason, dashed }) =>
      digits === 1 && !many && !fanRelease && !inSeason && !dashed,
  },
  { points: -2.5, says: '', fits: ({ hasYear, dashed }) => hasYear && !dashed },
  { points: -2, says: '', fits: ({ inFolder, dashed }) => inFolder && !dashed },
];
