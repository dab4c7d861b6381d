/** What XMLTV allows, of version 1.3: which element holds what, and with which attributes. */

/** `1` exactly one, `?` at most one, `+` at least one, `*` any number. */
export type Count = '1' | '?' | '+' | '*';

export type Content =
  | { kind: 'empty' }
  | { kind: 'text' }
  /** Text, and among it these elements. */
  | { kind: 'mixed'; children: ReadonlySet<string> }
  /** No text: these elements in this order. */
  | { kind: 'sequence'; names: readonly string[]; counts: readonly Count[]; places: ReadonlyMap<string, number> };

export interface AttributeRule {
  required: boolean;
  /** Null: any text. */
  values: readonly string[] | null;
}

export interface ElementRule {
  content: Content;
  attributes: ReadonlyMap<string, AttributeRule>;
}

const EMPTY: Content = { kind: 'empty' };
const TEXT: Content = { kind: 'text' };
const PERSON: Content = { kind: 'mixed', children: new Set(['image', 'url']) };

/** `title+ desc* date?` */
function sequence(written: string): Content {
  const names: string[] = [];
  const counts: Count[] = [];
  for (const word of written.split(/\s+/)) {
    const [, name = '', count = ''] = /^([a-z-]+)([?+*]?)$/.exec(word) ?? [];
    names.push(name);
    counts.push(count === '?' || count === '+' || count === '*' ? count : '1');
  }
  return { kind: 'sequence', names, counts, places: new Map(names.map((name, place) => [name, place])) };
}

/** `src! width units!=seconds|hours`: `!` is required. */
function attributes(written: string): ReadonlyMap<string, AttributeRule> {
  const rules = new Map<string, AttributeRule>();
  for (const word of written.split(' ')) {
    const [, name = '', required = '', values] = /^([a-z-]+)(!?)(?:=(.*))?$/.exec(word) ?? [];
    if (name !== '') rules.set(name, { required: required === '!', values: values?.split('|') ?? null });
  }
  return rules;
}

const rule = (content: Content, written = ''): ElementRule => ({ content, attributes: attributes(written) });

const PROGRAMME = `title+ sub-title* desc* credits? date? category* keyword* language? orig-language? length? icon* url*
  country* episode-num* video? audio? previously-shown? premiere? last-chance? new? subtitles* rating* star-rating*
  review* image*`;

const CREDITS = [
  ...['director', 'actor', 'writer', 'adapter', 'producer', 'composer', 'editor', 'presenter', 'commentator', 'guest'],
];

export const XMLTV: ReadonlyMap<string, ElementRule> = new Map<string, ElementRule>([
  [
    'tv',
    rule(
      sequence('channel* programme*'),
      'date source-info-url source-info-name source-data-url generator-info-name generator-info-url',
    ),
  ],
  ['channel', rule(sequence('display-name+ icon* url*'), 'id!')],
  ['display-name', rule(TEXT, 'lang')],
  ['icon', rule(EMPTY, 'src! width height')],
  ['url', rule(TEXT, 'system')],
  ['programme', rule(sequence(PROGRAMME), 'start! stop pdc-start vps-start showview videoplus channel! clumpidx')],
  ...['title', 'sub-title', 'desc', 'category', 'keyword', 'language', 'orig-language', 'country'].map(
    (name) => [name, rule(TEXT, 'lang')] as const,
  ),
  ['credits', rule(sequence(CREDITS.map((name) => `${name}*`).join(' ')))],
  ...CREDITS.map((name) => [name, rule(PERSON, name === 'actor' ? 'role guest=no|yes' : '')] as const),
  ['date', rule(TEXT)],
  ['length', rule(TEXT, 'units!=seconds|minutes|hours')],
  ['episode-num', rule(TEXT, 'system')],
  ['video', rule(sequence('present? colour? aspect? quality?'))],
  ['audio', rule(sequence('present? stereo?'))],
  ...['present', 'colour', 'aspect', 'quality', 'stereo', 'value'].map((name) => [name, rule(TEXT)] as const),
  ['previously-shown', rule(EMPTY, 'start channel')],
  ['premiere', rule(TEXT, 'lang')],
  ['last-chance', rule(TEXT, 'lang')],
  ['new', rule(EMPTY)],
  ['subtitles', rule(sequence('language?'), 'type=teletext|onscreen|deaf-signed')],
  ['rating', rule(sequence('value icon*'), 'system')],
  ['star-rating', rule(sequence('value icon*'), 'system')],
  ['review', rule(TEXT, 'type!=text|url source reviewer lang')],
  ['image', rule(TEXT, 'type=poster|backdrop|still|person|character size=1|2|3 orient=P|L system')],
]);
