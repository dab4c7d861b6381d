/** Words that say that an identifier is another work's: one that is corrected, answered, continued. */
import { LABEL } from './surroundings.ts';

/** In any line of the sentence before it. */
const OTHER =
  /\b(?:correct(?:s|ed) (?:the |this )?article|original (?:article|publication|paper|version)|(?:the )?article (?:has been |was )?(?:corrected|retracted)|supersed(?:es|ed by)|companion (?:article|paper)|preceding (?:article|paper)|previous (?:article|paper|version)|earlier (?:article|paper|version)|related (?:article|paper)|see also|this (?:article|paper) (?:relates|refers) to|(?:the )?(?:following|above) (?:article|paper)|in the article by|(?:article|paper|notice|note) (?:corrects|retracts|updates|replaces|amends)|version of record|published version|(?:chapters?(?: \w{1,5})?|parts? of (?:this|the|chapter)[^.\n]{0,40}) (?:has|have|had|was|were|is|are) (?:been )?(?:previously )?(?:published|submitted|accepted|adapted|based)|(?:chapters?|parts?|sections?)(?: (?:\w{1,5}|of (?:this|the)[^.\n]{0,40}))? (?:appeare?d|appears|is published|was published)(?: earlier| before| first)?(?: in| as)|(?:results|findings|ergebnisse|teile|parties|résultats|resultados)\b[^.\n]{0,60}(?:(?:were|was|have been|wurden|sind|fueron)\b|ont été )[^.\n]{0,60}(?:published|reported|presented|veröffentlicht|erschienen|publiée?s|publicados)|(?:recent|above) (?:paper|note)|companion paper|cover:)\b/i;
/** What titles say, too ("Response to heat"): on its own line, or with a title or an author behind it. */
const ANSWERS = String.raw`\b(?:correct(?:s|ed|ion) (?:of|to|for)|corrigendum (?:to|for)|erratum (?:to|for|in)|retract(?:s|ed|ion) (?:of|the)|(?:retraction|correction|corrigendum|erratum|addendum|expression of concern)(?: note)? (?:to|for|on)|comment(?:ary)? on|reply to|response to|rejoinder to|translat(?:ion of|ed from)|supplement to|protocol|editorial on|refers? to)\b`;
const ANSWER = new RegExp(ANSWERS, 'i');
const ANSWER_NAMED = new RegExp(String.raw`${ANSWERS}[^]{0,90}?(?:["“‘«]|\bby\b|\bthe (?:article|paper))`, 'i');

/** `sentence`: that before the identifier, or what heads it. In a notice any line of it says whose it is. */
export function isOfOtherWork(
  sentence: string,
  { isNotice, isHeading }: { isNotice: boolean; isHeading: boolean },
): boolean {
  if (OTHER.test(sentence)) return true;
  if (isHeading) return false;
  if (ANSWER_NAMED.test(sentence)) return true;
  if (isNotice) return ANSWER.test(sentence);
  const above = sentence.replace(LABEL, '').trimEnd();
  return ANSWER.test(above.slice(above.lastIndexOf('\n') + 1));
}
