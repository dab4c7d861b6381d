/** VIDEO-50..VIDEO-57: names for the episodes of a folder, and for what follows them. */
import type { FillOptions, Values } from '#core/naming/fill-template.ts';
import {
  parsePieces,
  splitNames,
  tokensOf,
  type Piece,
  type TemplateError,
  type TokenSet,
} from '#core/naming/parse-template.ts';
import { planNames, type Leader, type NamePlan } from '#core/naming/plan-names.ts';
import { extensionOf, stemOf } from '#core/plan/plan-path.ts';
import type { FolderReading, RecognisedFile } from '../folder-reading.ts';
import { absoluteNumbers, type PlacedEpisode, type Show } from '../show-catalog.ts';
import { TOKENS, type Style, type Token } from './presets.ts';

const EPISODE_TOKENS: TokenSet<Token> = {
  names: TOKENS.filter((token) => token !== 'ext'),
  numbers: new Set(['season', 'episode', 'absolute', 'part', 'year', 'version']),
  telling: new Set(['episode', 'absolute', 'date', 'title', 'name']),
  sameName: 'The template gives every episode the same name: it needs {episode}, {absolute}, {date} or {title}.',
  cut: [
    ['title', "episode's title"],
    ['name', 'former name'],
    ['show', "show's name"],
  ],
};

export interface Template {
  pieces: Piece<Token>[];
  style: Style;
}

export type ParsedTemplate = { ok: true; template: Template } | { ok: false; error: TemplateError };

/** Reads a template; says what is wrong with it, and where, instead of throwing. A missing `{ext}` is added. */
export function parseTemplate(text: string, style: Style = { multi: 'range', specials: null }): ParsedTemplate {
  const parsed = parsePieces(text, EPISODE_TOKENS);
  return parsed.ok ? { ok: true, template: { pieces: parsed.pieces, style } } : parsed;
}

/** How the engine fills a template in this style. */
export function fillOptions({ multi, specials }: Style): FillOptions<Token> {
  return {
    tokens: EPISODE_TOKENS,
    multi,
    folders: (token, value) => (token === 'season' && value === 0 ? specials : null),
  };
}

export interface NamingOptions {
  /** For absolute numbers and air dates that the files' names do not say. */
  show?: Show | null;
  /**
   * The picked folder is the show's own, so that a first folder of the template which only names the show is left out;
   * false for a folder of many shows. Default true.
   */
  inShowFolder?: boolean;
  /** Paths of the folder beside those of the reading: no file is given their name. */
  others?: readonly string[];
}

type Named = Pick<FolderReading, 'show' | 'files'>;

/** Names for the episodes of a reading and for what follows them. Nothing is invented: what lacks a number has a problem. */
export function planEpisodeNames(reading: Named, template: Template, options: NamingOptions = {}): NamePlan {
  const isOfOneShow = reading.files.every((file) => file.show === undefined);
  const from = (options.inShowFolder ?? true) && isOfOneShow && namesShowOnly(template) ? 1 : 0;
  const followers = Map.groupBy(reading.files, ({ belongs_to }) => belongs_to);
  const counted = options.show ? absoluteNumbers(options.show) : [];
  const known = new Map(counted.map((one) => [`${one.season}x${one.episode}`, one]));
  const leaders = reading.files
    .filter((file) => file.class === 'episode')
    .map((file): Leader<Token> => ({
      path: file.path,
      values: valuesOf(file, reading, known),
      why: file.reasons.slice(0, 1),
      companions: (followers.get(file.path) ?? []).map(({ path }) => path),
    }));
  const files = new Map(reading.files.map((file) => [file.path, file]));
  return planNames(
    leaders,
    template.pieces,
    { ...fillOptions(template.style), from },
    {
      paths: [...files.keys(), ...(options.others ?? [])],
      rankOf: (path) => rankOf(files.get(path)),
      same: 'it is the same episode',
    },
  );
}

/** The first folder says the show, perhaps its year, and nothing else. */
function namesShowOnly({ pieces }: Template): boolean {
  const [first = [], ...others] = splitNames(pieces);
  const tokens = tokensOf(first);
  return others.length > 0 && tokens.includes('show') && tokens.every((token) => token === 'show' || token === 'year');
}

/** Two of one confidence: the later version, as the names say it. */
function rankOf(file: RecognisedFile | undefined): number {
  return (file?.confidence ?? 0) + (file?.reading.version ?? 1) / 1000;
}

function valuesOf(
  { path, season, episodes, title, part, reading, show: own }: RecognisedFile,
  { show: ofFolder }: Named,
  counted: ReadonlyMap<string, PlacedEpisode>,
): Values<Token> {
  const show = own ?? ofFolder;
  const known = own ? [] : episodes.flatMap((episode) => counted.get(`${season}x${episode}`) ?? []);
  const absolute = known.map((one) => one.absolute).filter((number) => number !== null);
  return {
    show: show.title,
    year: show.year,
    season,
    episode: episodes,
    absolute: absolute.length === episodes.length ? absolute : reading.absolute,
    title,
    date: reading.date ?? known[0]?.air_date ?? null,
    part,
    quality: qualityOf(path),
    version: reading.version,
    name: stemOf(path),
    ext: extensionOf(path),
  };
}

/** `1080p`, `2160p`: as the name says it. */
function qualityOf(path: string): string | null {
  const found =
    /(?<!\d)(?:\d{3,4}x)?(480|540|576|720|1080|1440|2160)([pi]?)(?![\dp])|(?<![a-z])(4k|uhd)(?![a-z])/i.exec(
      stemOf(path),
    );
  if (found === null) return null;
  return found[3] === undefined ? `${found[1]}${found[2] === '' ? 'p' : (found[2] ?? 'p').toLowerCase()}` : '2160p';
}
