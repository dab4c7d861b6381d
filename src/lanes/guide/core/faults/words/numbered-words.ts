/** Words for an item, a programme and an episode: with a number and nothing else they are no title. */
import { withoutAccents } from './fold.ts';

const WORDS: readonly string[] = [
  // Items
  'item items element eintrag élément elemento item artikel pozycja položka položku tétel öğe элемент пункт елемент elementti στοιχείο פריט عنصر आइटम รายการที่ mục アイテム 항목 项目 項目',
  // Programmes
  'programme program prog show broadcast event programm sendung beitrag émission programa emisión espacio transmisión emissão programma trasmissione uitzending programmet sändning udsendelse sending ohjelma lähetys audycja emisja pořad vysílání relácia műsor adás emisiune yayın',
  'программа передача програма предаване emisija oddaja εκπομπή πρόγραμμα laida programa raidījums pārraide saade þáttur emissió saioa emision תוכנית תכנית برنامج برنامه پروگرام कार्यक्रम प्रोग्राम অনুষ্ঠান நிகழ்ச்சி รายการ acara siaran rancangan programa palabas 番組 プログラム 节目 節目 프로그램 방송 бағдарлама нэвтрүүлэг გადაცემა ծրագիր',
  // Episodes
  'episode episodes eps epi ep épisode épisodes épis episodio episódio episodios episódios capitulo capítulo cap puntata episodi folge folgen flg aflevering afl odcinek odcinki odc epizoda epizóda díl dil diel časť avsnitt afsnit episoden jakso osa rész epizód bölüm blm episodul επεισόδιο επ',
  'серия серии серий серія сер эпизод эпизоды епізод еп выпуск випуск вып епизода епизод део seriya serija vypusk الحلقة حلقة פרק ตอนที่ ตอน tập episod þáttur capítol sērija epizode epizodas serija episodi قسمت قسط एपिसोड भाग कड़ी পর্ব এপিসোড எபிசோட் பகுதி ఎపిసోడ్ എപ്പിസോഡ് სერია ეპიზოდი սերիա atala pennod eagrán epizodul epizodi nastavak nadaljevanje del vuoro エピソード 에피소드 剧集 kabanata yugto бөлім анги серыя',
];

const words = [
  ...new Set(
    WORDS.flatMap((line) => line.split(' '))
      .filter((word) => word !== '')
      .map(withoutAccents),
  ),
].sort((a, b) => b.length - a.length);

const WORD = `(?:${words.join('|')})`;
const NUMBER = '\\p{Nd}{1,6}(?:\\s?(?:/|von|of|sur|de|di|van|z|из|з)\\s?\\p{Nd}{1,6})?';
const SIGN = '(?:#|№|nr\\.?|no\\.?|n°|nº|num(?:mer|ber|ero)?\\.?|n\\.|номер|numéro)';
/** How a number is made the so-many-th: 7th, 7., 7e, 7-я. */
const TH = '(?:\\.|st|nd|rd|th|e|er|eme|ere|de|ste|o|a|ª|º|\\.?-?(?:я|и|а|ша|га|та|ма))?';
const COUNTED = '(?:[一二三四五六七八九十百零〇]{1,5}|\\p{Nd}{1,5})';

/** In Chinese and Japanese, and in Korean, the word stands behind its number, mostly with a sign before it. */
const EAST = `第\\s*${COUNTED}\\s*[話话回集期章夜幕部]|${COUNTED}\\s*[話话集回]`;
const KOREAN = `(?:${withoutAccents('제')}\\s*)?${COUNTED}\\s*(?:${['회', '화', '부'].map(withoutAccents).join('|')})`;

const NUMBERED = new RegExp(
  `^(?:${WORD}\\.?[\\s:._-]*${SIGN}?\\s*${NUMBER}|${NUMBER}${TH}[\\s._-]*${WORD}|${EAST}|${KOREAN})$`,
  'u',
);

/** Nothing but such a word with its number: `Folge 12`, `7. díl`, `第7話`. */
export const isNumberedOnly = (title: string): boolean =>
  NUMBERED.test(
    withoutAccents(title)
      .replace(/^[\s\p{P}\p{S}]+(?=[\p{L}\p{N}])|(?<=[\p{L}\p{N}])[\s\p{P}\p{S}]+$/gu, '')
      .replace(/\s+/g, ' '),
  );
