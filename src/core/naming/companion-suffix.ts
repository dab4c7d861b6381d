/** VIDEO-55: what a companion's name says beside that of the file it follows: language, forced, thumb; and its extension. */
import { extensionOf, stemOf } from '../plan/plan-path.ts';
import { safeValue } from './safe-name.ts';

/** Words of languages that players know by a code. */
const LANGUAGES: Record<string, string> = {
  english: 'en',
  german: 'de',
  deutsch: 'de',
  french: 'fr',
  francais: 'fr',
  français: 'fr',
  spanish: 'es',
  espanol: 'es',
  español: 'es',
  italian: 'it',
  italiano: 'it',
  portuguese: 'pt',
  portugues: 'pt',
  português: 'pt',
  dutch: 'nl',
  polish: 'pl',
  polski: 'pl',
  russian: 'ru',
  русский: 'ru',
  turkish: 'tr',
  türkçe: 'tr',
  swedish: 'sv',
  danish: 'da',
  norwegian: 'no',
  finnish: 'fi',
  czech: 'cs',
  hungarian: 'hu',
  greek: 'el',
  hebrew: 'he',
  arabic: 'ar',
  japanese: 'ja',
  日本語: 'ja',
  korean: 'ko',
  한국어: 'ko',
  chinese: 'zh',
  简体: 'zh-Hans',
  简中: 'zh-Hans',
  繁體: 'zh-Hant',
  繁体: 'zh-Hant',
  繁中: 'zh-Hant',
  vietnamese: 'vi',
  thai: 'th',
  indonesian: 'id',
  ukrainian: 'uk',
  romanian: 'ro',
};
const TAG =
  /^(?:[a-z]{2,3}(?:-(?:[a-z]{2}|[a-z]{4}|\d{3}))?|chs|cht|sc|tc|gb|big5|jpsc|jptc|scjp|tcjp|forced|default|sdh|cc|hi|full|signs|songs|commentary|dub|sub|ost|lyrics|karaoke)$/i;
/** Two or three letters at the end of a title are a language only where they are one. */
const CODES = new Set(
  (
    'ar bg ca cs da de el en es et eu fa fi fr gl he hi hr hu id is it ja jp ko kr lt lv ms nb nl nn no pl pt ro ru sk sl sr sv th tr uk vi zh cn tw ' +
    'ara bul cat cze ces dan ger deu gre ell eng spa est fin fre fra heb hin hrv hun ind ice ita jpn jap kor lit lav may nor dut nld pol por rum ron rus slo slv srp swe tha tur ukr vie chi zho chs cht sc tc gb'
  ).split(' '),
);
const WORDS = new Set(
  'forced default sdh cc full signs songs commentary dub ost lyrics karaoke big5 jpsc jptc scjp tcjp zh-hans zh-hant'.split(
    ' ',
  ),
);

/** To be put behind the leader's new stem: `.en.forced.srt`, `-thumb.jpg`, `.nfo`. */
export function companionSuffix(companion: string, leads: string): string {
  const [own, leader] = [stemOf(companion).normalize('NFC'), stemOf(leads).normalize('NFC')];
  const extension = extensionOf(companion);
  if (own.toLowerCase().startsWith(leader.toLowerCase())) {
    const rest = own.slice(leader.length);
    return (/^\s/.test(rest) ? ' ' : '') + safeValue(rest).text + extension;
  }
  return (
    tags(own)
      .map((tag) => `.${tag}`)
      .join('') + extension
  );
}

/** The tags at the end of a name that does not begin as its leader's. */
function tags(stem: string): string[] {
  const words = stem.split(/[\s._[\]()]+/).filter((word) => word !== '');
  const found: string[] = [];
  // The first word is the name's own, unless a number is before it: `2_English`.
  while (words.length > 0) {
    const word = words.pop() ?? '';
    const small = word.toLowerCase();
    const tag = LANGUAGES[small] ?? (isTag(small) ? word : null);
    if (tag === null || (words.length === 0 && LANGUAGES[small] === undefined && !CODES.has(small))) break;
    found.unshift(tag);
  }
  return found;
}

function isTag(word: string): boolean {
  if (WORDS.has(word) || CODES.has(word)) return true;
  return TAG.test(word) && word.includes('-') && CODES.has(word.split('-')[0] ?? '');
}
