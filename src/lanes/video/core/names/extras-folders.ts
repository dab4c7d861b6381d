/** What folders of bonus material are called, in the languages that names are seen in (VIDEO-31, VIDEO-151). */

const EXTRAS =
  /^(?:ekstramateriale?|extramateriale?|bonusmaterial|dodatki|zwiastuny?|kulissen|hinter[\s._-]*den[\s._-]*kulissen|escenas[\s._-]*eliminadas|(?:material|conte[úu]do|contenidos?)[\s._-]*extra|photo[\s._-]*gallery|inside[\s._-]*the[\s._-]*episodes?|openings?|endings?|メニュー|(?:dvd|bd|blu-?ray)[\s._-]*(?:extras?|bonus)|extras?|bonus(?:es|material)?|bonus[\s._-]+(?:material|features?|disc|dvd)|features?|featurettes?|behind[\s._-]*the[\s._-]*scenes?|bts|deleted(?:[\s._-]*(?:and[\s._-]*extended[\s._-]*)?scenes?)?|interviews?|scenes?|samples?|proofs?|screens(?:hots)?|trailers?|teasers?|promos?|shorts?|clips?|others?|misc|making[\s._-]*of|gag[\s._-]*reels?|bloopers?|outtakes?|commentar(?:y|ies)|backdrops|theme[\s._-]*(?:music|videos?|songs?)|special[\s._-]*features?|music[\s._-]*videos?|nc|ncop(?:[\s._&+-]*nced)?|nced|op|ed|op[\s._&+-]*ed|creditless|pv|pvs|cms?|cm[\s._&+-]*pv|pv[\s._&+-]*cm|menus?|previews?|iv|mv|scans?|cds?|ost|soundtracks?|wallpapers?|bk|booklets?|fonts?|zusatzmaterial|zugabe|extra[sş]?|en[\s._-]*coulisses|coulisses|bandes?[\s._-]*annonces?|contenido[\s._-]*extra|tras[\s._-]*(?:las[\s._-]*)?c[aá]maras|contenuti[\s._-]*(?:speciali|extra)|дополнительно|допы|доп[\s._-]*материалы|бонусы?|экстра|трейлеры?|фильм[\s._-]*о[\s._-]*фильме|удал[её]нные[\s._-]*сцены|за[\s._-]*кадром|интервью|花絮|幕后(?:花絮)?|幕後(?:花絮)?|预告片?|預告片?|片花|特典|特典映像|映像特典|予告|メイキング|特典ディスク|ノンクレジット(?:op|ed)?|부가\s*영상|예고편?|메이킹|비하인드|인터뷰)$/iu;

/** A season beside the word: `Season 1 Extras`, `S01 - Extras`, `Extras Season 1`. */
const OF_A_SEASON =
  /^(?:season|series|staffel|saison|temporada|stagione|sezon|сезон|s)[\s._-]*\d{1,2}[\s._-]+|[\s._-]+(?:season|staffel|saison|temporada|stagione|sezon|сезон)[\s._-]*\d{1,2}$/iu;

/** The name of a folder, or one of the names joined in it, is one of bonus material's. */
export function isExtrasFolder(name: string): boolean {
  return EXTRAS.test(name) || EXTRAS.test(name.replace(OF_A_SEASON, ''));
}
