/** A naming template, read once and used for every file. */
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
export type Token = (typeof TOKENS)[number];

export type Piece =
  | { kind: 'text'; text: string }
  | { kind: 'slash' }
  /** `digits`: to which a number is filled up with zeros. */
  | { kind: 'token'; token: Token; digits: number }
  /** Vanishes when one of its tokens has nothing to say. */
  | { kind: 'optional'; pieces: Piece[] };

export interface Style {
  /** Episodes 1 to 3 in one file: `range` S01E01-E03, `each` S01E01E02E03. */
  multi: 'range' | 'each';
  /** Name of the folder of season 0, where the template has a folder of the season alone; null: as the template says. */
  specials: string | null;
}

export interface Template {
  pieces: Piece[];
  style: Style;
}

export interface TemplateError {
  /** From 0, in UTF-16 units of the template. */
  at: number;
  /** What is wrong there, as it is written. */
  token: string;
  /** For a person, with the place. */
  sentence: string;
}
