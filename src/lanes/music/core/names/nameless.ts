/** MATCH-100: names of nothing but a track's number, in the words of programs that copy discs: `01 Track 1`, `CD1_Piste_05`. */

/** Words for a track; one of them at least, beside a number, makes a name say nothing (`Untitled 1` is a title). */
const TRACK_WORDS = new Set(
  (
    'track trk tr piste pista titel titelnummer titre spur faixa traccia brano nummer utwor utwór kappale raita spor skladba ' +
    'stopa parça parca morceau canción cancion zeneszám трек дорожка песня композиция トラック 曲 曲目 音轨 트랙 audiotrack'
  ).split(' '),
);
/** Words that stand beside them. */
const BESIDE = new Set(
  (
    'audio cd cda disc disk disque no nr n of von de artist artista artiste interpret künstler album title new neu various ' +
    'artists va song unknown untitled unbekannt unbekannter inconnu desconocido sconosciuto'
  ).split(' '),
);
const TOKEN = /\p{L}+|\d+/gu;
const DISC = /(?:^|[^\p{L}])(?:cd|dis[ck]|disque)[\s_.-]*0*(\d{1,2})(?!\d)/iu;
const TOTAL = /\b(?:of|von|de)[\s_.]*\d{1,3}\s*\)?$/i;

/** The track's number (and disc) where the name says nothing else; null where it says more, or no number. */
export function numberAlone(name: string): { disc: number | null; position: number } | null {
  const tokens = name.toLowerCase().match(TOKEN) ?? [];
  const words = tokens.filter((token) => !/\d/.test(token));
  if (!words.some((word) => TRACK_WORDS.has(word))) return null;
  if (!words.every((word) => TRACK_WORDS.has(word) || BESIDE.has(word))) return null;
  const disc = DISC.exec(name);
  const last = name.replace(TOTAL, '').replace(DISC, ' ').match(/\d+/g)?.at(-1);
  const position = Number(last ?? 0);
  if (last === undefined || last.length > 3 || position === 0) return null;
  return { disc: disc === null ? null : Number(disc[1]), position };
}
