/** The key under which forms of a word are compared: `bought` and `buys`, `loss` and `lost`, `draught` and `draws`. */
import { termsOf } from '../../text/words.ts';

/** Base forms, each with the forms and nouns of the same root that its stem does not reach. */
const ROOTS = `
arise arose arisen; awake awoke; bear bore borne; beat beaten; become became; begin began begun beginning; bend bent;
bite bit bitten; bleed bled blood; blow blew blown; break broke broken breakage; breed bred; bring brought; build built building;
burn burnt; buy bought purchase purchased purchasing; catch caught; choose chose chosen choice; cling clung; come came;
creep crept; cut cutting; deal dealt; dig dug; draw drew drawn draught draft; dream dreamt; drink drank drunk;
drive drove driven; eat ate eaten; fall fell fallen; feed fed; feel felt feeling; fight fought; find found; flee fled flight;
fly flew flown; forbid forbade forbidden; forget forgot forgotten; forgive forgave forgiven; freeze froze frozen;
get got gotten; give gave given gift; go went gone; grow grew grown growth; hang hung; have had has; hear heard;
hide hid hidden; hold held; keep kept; know knew known knowledge; lay laid; lead led; leave left; lend lent loan;
lie lay lain; light lit; lose lost loss losses losing; make made; mean meant; meet met meeting; pay paid payment; ride rode ridden;
ring rang rung; rise rose risen; run ran; say said; see saw seen sight; seek sought; sell sold sale; send sent;
shake shook shaken; shine shone; shoot shot; show shown; shrink shrank shrunk; sing sang sung song; sink sank sunk;
sit sat; sleep slept; slide slid; speak spoke spoken speech; spend spent; spin spun; split; spread; spring sprang sprung;
stand stood; steal stole stolen theft; stick stuck; strike struck; strive strove; swear swore sworn; sweep swept; swim swam swum;
take took taken; teach taught; tear tore torn; tell told; think thought; throw threw thrown; understand understood;
wake woke woken; wear wore worn; weave wove woven; win won; wind wound; write wrote written writing; be is am are was were been being;
do does did done; high height heights; long length lengths; wide width; deep depth depths; broad breadth; strong strength;
warm warmth; young youth; true truth; weigh weight; die died death dead; live lives life alive; birth born; marry marriage;
move motion movement; grow growth; decide decision; divide division; receive receipt; believe belief; prove proof; succeed success;
permit permission; admit admission; produce production; reduce reduction; introduce introduction; explode explosion;
describe description; destroy destruction; absorb absorption; solve solution; apply application; analyse analysis analyze;
depart departure; arrive arrival; approve approval; refuse refusal; survive survival; remove removal; propose proposal;
advise advice; lose loss; compare comparison; perform performance; appear appearance; differ difference different;
maintain maintenance; assist assistance; resist resistance; insure insurance; discover discovery; deliver delivery;
injure injury; inquire inquiry; recover recovery; expand expansion; extend extension extent; invade invasion;
conclude conclusion; include inclusion; exclude exclusion; provide provision; revise revision; supervise supervision;
man men; woman women; child children; person people persons; foot feet; tooth teeth; mouse mice; goose geese;
wolf wolves; knife knives; half halves; wife wives; datum data; medium media; criterion criteria; phenomenon phenomena;
analysis analyses; thesis theses; crisis crises; axis axes; index indices; nucleus nuclei; fungus fungi; ox oxen;
good better best; bad worse worst; far further farther furthest farthest; little less least; many more most;
colour color; metre meter; centre center; litre liter; grey gray; programme program; harbour harbor; labour labor; favour favor
`;

const roots = new Map<string, string>();
for (const line of ROOTS.split(';')) {
  const [base, ...forms] = line.trim().split(/\s+/);
  if (base === undefined || base === '') continue;
  const key = stem(base);
  for (const form of [`${base}s`, `${base.replace(/e$/, '')}ed`, `${base.replace(/e$/, '')}ing`, ...forms]) {
    roots.set(form, key);
    if (!roots.has(stem(form))) roots.set(stem(form), key);
  }
}

/** `lower`: without case. What is no word of English letters is its own key. */
export function keyOf(lower: string): string {
  return roots.get(lower) ?? roots.get(stem(lower)) ?? stem(lower);
}

function stem(lower: string): string {
  return termsOf(lower)[0] ?? lower;
}
