/** Which words are likely the verb of a clause. There is no tagger here: forms and a list of common verbs. */
import { keyOf } from '../words/lemma.ts';

const AUXILIARIES = new Set(
  "is are was were be been being am has have had do does did can could may might must shall should will would cannot isn't aren't wasn't weren't hasn't haven't hadn't don't doesn't didn't can't couldn't mustn't shouldn't won't wouldn't".split(
    ' ',
  ),
);

const COMMON =
  'accept add agree allow answer appear apply arrive ask become begin believe belong break bring build buy call carry catch cause change choose claim clear close collect come compare complete conclude confirm consider contain continue cost count cover create cross cut decide decline decrease describe design destroy develop die differ discover draw drive drop earn eat employ end enter exceed expect explain fail fall feed feel fill find finish fit fly follow forbid forget form freeze get give go grow happen have hear help hold improve include increase join keep kill know last lead learn leave let lie live lose love make mark mean measure meet miss move name need observe occur open order own pay perform permit plan play prepare prevent produce promise propose protect prove provide publish pull push put raise reach read receive recommend reduce refuse remain remember remove repair repeat replace reply report require rest restore return reveal rise run save say see seem sell send serve set show shut sink sit sleep spend stand start state stay stop store study suffer suggest support take teach tell test think throw tie touch travel treat try turn use vary visit wait walk want warn wash watch wear weaken weigh win work write'.split(
    ' ',
  );
const verbs = new Set(COMMON.map(keyOf));

/** Forms that are nearly always verbs. */
const PAST = new Set(
  'arose became began bent bit bled blew broke brought built bought caught chose came crept dealt dug drew drank drove ate fell fed felt fought found fled flew forbade forgot froze got gave went grew hung heard hid held kept knew laid led left lent lay lost made meant met paid rode rang rose ran said saw sought sold sent shook shone shot showed shrank sang sank sat slept slid spoke spent spun sprang stood stole stuck struck swore swept swam took taught tore told thought threw understood woke wore won wrote cost cut put let set'.split(
    ' ',
  ),
);

export const isAuxiliary = (lower: string): boolean => AUXILIARIES.has(lower);

/** `lower` in a clause; `before`: the word before it. A noun that could be a verb is none behind an article or adjective mark. */
export function isVerbLike(lower: string, before: string): boolean {
  if (AUXILIARIES.has(lower) || PAST.has(lower)) return true;
  if (
    /^(?:a|an|the|this|these|those|of|in|at|on|for|per|its|their|his|her|our|my|your|no|some|any|every|each)$/.test(
      before,
    )
  )
    return false;
  if (/[a-z]{2}ed$/.test(lower)) return true;
  const key = keyOf(lower);
  return verbs.has(key) && !/(?:ing|er|ion|ment|ly)$/.test(lower);
}

/** A form of `be` with a participle says the clause is passive. */
export const isParticiple = (lower: string): boolean =>
  /(?:ed|en|wn|ught|ought)$/.test(lower) ||
  /^(?:made|kept|held|sent|paid|lost|found|done|built|cut|put|led|left|met|won|read|sold|told|said|set|hung|struck|hidden|worn|torn|born)$/.test(
    lower,
  );
