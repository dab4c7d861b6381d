/**
 * Words that change what a clause says: negation, quantity, modality and doubt, cause, condition. Each belongs to a class;
 * words of one class say the same.
 */

export type CueKind = 'negation' | 'quantifier' | 'hedge' | 'cause' | 'condition';

export interface Cue {
  kind: CueKind;
  /** `negation`, `all`, `possible`, ... */
  group: string;
}

/** Group: phrases. A phrase of several words comes before its parts. */
const TABLE: readonly (readonly [CueKind, string, string])[] = [
  [
    'negation',
    'not',
    "not|no|never|none|nobody|nothing|neither|nor|nowhere|cannot|without|hardly|scarcely|barely|seldom|rarely|lack|lacks|lacked|lacking|no longer|instead of|rather than|fail to|fails to|failed to|failing to|refuse to|refuses to|refused to|unable|impossible|ain't",
  ],
  [
    'quantifier',
    'all',
    'all|every|everybody|everyone|everything|always|each|both|at all times|entire|entirely|whole|wholly|completely|fully|without exception|any time|at any time|invariably|throughout',
  ],
  ['quantifier', 'any', 'any|anybody|anyone|anything|whatever|whoever'],
  [
    'quantifier',
    'most',
    'most|mostly|mainly|largely|majority|chiefly|predominantly|more than half|usually|generally|typically|normally|often|frequently|commonly',
  ],
  [
    'quantifier',
    'some',
    'some|somebody|someone|something|several|various|sometimes|occasionally|partly|partially|in part|a few|at times',
  ],
  ['quantifier', 'many', 'many|much|numerous|a lot of|lots of|plenty of'],
  ['quantifier', 'few', 'few|fewer|little|minority'],
  ['quantifier', 'half', 'half of|half the'],
  ['quantifier', 'only', 'only|solely|exclusively|alone|merely|nothing but'],
  [
    'quantifier',
    'about',
    'about|approximately|roughly|around|nearly|almost|circa|close to|or so|estimated|just under|just over',
  ],
  ['quantifier', 'least', 'at least|minimum of|no less than|no fewer than|not less than|or more'],
  ['quantifier', 'at most', 'at most|up to|maximum of|no more than|not more than|or less|or fewer|at maximum|limit of'],
  [
    'quantifier',
    'more than',
    'more than|over|above|greater than|larger than|higher than|in excess of|exceeding|exceed|exceeds|exceeded|beyond|longer than|older than',
  ],
  ['quantifier', 'less than', 'less than|fewer than|under|below|lower than|smaller than|shorter than|younger than'],
  ['quantifier', 'within', 'within'],
  ['quantifier', 'exactly', 'exactly|precisely'],
  ['quantifier', 'again', 'twice|double|doubled|half as|thrice|triple|tripled'],
  [
    'hedge',
    'possible',
    'may|might|could|possibly|perhaps|maybe|possible|potentially|potential|conceivably|can|able to',
  ],
  [
    'hedge',
    'probable',
    'probably|likely|presumably|apparently|seemingly|seem|seems|seemed|appear to|appears to|appeared to|tend to|tends to|tended to|unlikely|doubt|doubts|doubtful|uncertain|unclear',
  ],
  [
    'hedge',
    'belief',
    'believe|believes|believed|think|thinks|thought|suspect|suspects|suspected|assume|assumes|assumed|guess|guesses|guessed|speculate|speculates|speculated|suppose|supposes|supposed|suggest|suggests|suggested|hypothesise|hypothesize|hypothesised|hypothesized|hypothesis|opinion|in our view|in my view|expect|expects|expected|hope|hopes|hoped|fear|fears|feared|imagine|wonder',
  ],
  [
    'hedge',
    'claim',
    'claim|claims|claimed|argue|argues|argued|allege|alleges|alleged|allegedly|reportedly|supposedly|conclude|concludes|concluded|propose|proposes|proposed|rumour|rumoured|said to|according to|infer|infers|inferred|estimate|estimates|indicate|indicates|indicated',
  ],
  [
    'hedge',
    'must',
    'must|have to|has to|had to|shall|required|requires|require|need to|needs to|needed to|obliged|mandatory|compulsory|obligatory|is to|are to|was to|were to',
  ],
  ['hedge', 'should', 'should|ought|recommended|recommend|recommends|advised|advisable'],
  ['hedge', 'will', 'will|going to|plan to|plans to|planned|planned to|intend|intends|intended|about to|scheduled'],
  ['hedge', 'would', 'would'],
  [
    'cause',
    'cause',
    'because|because of|due to|owing to|thanks to|caused|causes|cause|causing|caused by|lead to|leads to|led to|leading to|result in|results in|resulted in|resulting in|result from|results from|resulted from|as a result|as a consequence|consequently|therefore|thus|hence|so that|explain|explains|explained|explaining|responsible for|reason|reasons|bring about|brings about|brought about|trigger|triggers|triggered|driven by|attributed to|attributable to|on account of|thereby|why|prompted|induce|induces|induced|owed to|stem from|stems from|stemmed from',
  ],
  [
    'condition',
    'if',
    'if|provided that|provided|as long as|in case|in the event|whenever|on condition|only when|only if|assuming',
  ],
  [
    'condition',
    'unless',
    'unless|except|except for|excepting|apart from|other than|with the exception|save for|excluding|but not|aside from',
  ],
];

interface Phrase {
  words: readonly string[];
  cue: Cue;
}

const phrases = new Map<string, Phrase[]>();
for (const [kind, group, list] of TABLE)
  for (const phrase of list.split('|')) {
    const words = phrase.split(' ');
    const first = words[0] ?? '';
    phrases.set(first, [...(phrases.get(first) ?? []), { words, cue: { kind, group } }]);
  }
for (const list of phrases.values()) list.sort((a, b) => b.words.length - a.words.length);

/** All cues that begin at a word; `length`: how many words each takes. The longest phrases alone. */
export function cuesAt(words: readonly string[], at: number): { cues: Cue[]; length: number } {
  const word = words[at] ?? '';
  const found = (phrases.get(word) ?? []).filter((phrase) =>
    phrase.words.every((one, next) => words[at + next] === one),
  );
  const length = found[0]?.words.length ?? 0;
  const cues = found.filter((phrase) => phrase.words.length === length).map(({ cue }) => cue);
  if (/n't$/.test(word)) {
    cues.push({ kind: 'negation', group: 'not' });
    const modal = /^(?:ca|could|mus|must|should|wo|would|might|may)/.exec(word)?.[0];
    const group =
      modal === undefined
        ? null
        : modal.startsWith('mus')
          ? 'must'
          : modal === 'should'
            ? 'should'
            : modal === 'wo'
              ? 'will'
              : modal === 'would'
                ? 'would'
                : 'possible';
    if (group !== null) cues.push({ kind: 'hedge', group });
  }
  return { cues, length: Math.max(length, cues.length > 0 ? 1 : 0) };
}
