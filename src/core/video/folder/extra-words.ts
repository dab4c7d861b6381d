/** VIDEO-31: words by which names of a show's folder call themselves extras, in the languages that names are seen in. */
export type ExtraWord = 'sure' | 'perhaps';

/** No title of an episode: marks of releases. */
const SURE =
  /(?:^|[^\p{L}])(?:nc[\s._-]?(?:op|ed)|creditless|textless|clean[\s._-](?:opening|ending|op|ed)|ノンクレジット|ノンテロップ)|(?:^|[^\p{L}\p{N}])(?:pv|cm|menu|sample|rarbg)[\s._-]*\d{0,2}(?=$|[^\p{L}\p{N}])|-(?:behindthescenes|deleted|featurette|interview|scene|short|trailer|other)\d{0,2}$/iu;
/** Some episode may be called so: they count where nothing speaks against it. */
const PERHAPS =
  /(?:^|[^\p{L}])(?:making[\s._-]of|behind[\s._-]?the[\s._-]?scenes|inside[\s._-]the[\s._-]episode|commentary|music[\s._-]videos?|photo[\s._-]gallery|picture[\s._-]drama|deleted[\s._-]scenes?|gag[\s._-]reel|bloopers?|outtakes?|featurettes?|interviews?|trailers?|teasers?|promos?|previews?|sneak[\s._-]peek|opening|ending|op[\s._-]?\d{0,2}|ed[\s._-]?\d{0,2}|bonus|extras?|hinter[\s._-]den[\s._-]kulissen|verpatzte[\s._-]szenen|bande[\s._-]annonce|b[êe]tisier|en[\s._-]coulisses|d[ée]tr[áa]s[\s._-]de[\s._-](?:las[\s._-])?c[áa]maras|tomas[\s._-]falsas|dietro[\s._-]le[\s._-]quinte|zwiastun|трейлер|тизер|анонс|фильм[\s._-]о[\s._-]фильме|как[\s._-]снимали|неудачные[\s._-]дубли|за[\s._-]кадром|удал[её]нные[\s._-]сцены|интервью)(?![\p{L}])|花絮|幕后|幕後|预告|預告|片花|主题曲|主題曲|片头|片頭|片尾|采访|採訪|制作特辑|メイキング|予告|映像特典|特典|インタビュー|座談会|次回|예고|메이킹|인터뷰|비하인드|하이라이트|精彩片段|精彩集锦|制作花絮|导演剪辑访谈/iu;

/** What the text, without the show's title, says of itself; null where nothing. */
export function extraWordIn(text: string): ExtraWord | null {
  const plain = text.normalize('NFKC');
  return SURE.test(plain) ? 'sure' : PERHAPS.test(plain) ? 'perhaps' : null;
}

/** Nothing but such words: "The Interview" may be an episode's title, "Bloopers" and "Cast Interviews 2" are none. */
export function isOnlyExtraWords(text: string): boolean {
  const rest = text
    .normalize('NFKC')
    .replace(new RegExp(PERHAPS.source, 'giu'), ' ')
    .replace(/(?<!\p{L})(?:official|cast|crew|season|teaser|audio|video|with|and)(?!\p{L})/giu, ' ');
  return !/\p{L}/u.test(rest);
}
