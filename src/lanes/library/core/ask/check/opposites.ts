/** Words that say the contrary of each other, and words that say the same. Compared by key. */
import { keyOf } from '../words/lemma.ts';

const OPPOSITES = `
rise/fall rise/sink rise/drop increase/decrease increase/reduce increase/decline increase/fall grow/shrink grow/decline grow/fall gain/lose climb/fall climb/drop raise/lower
expand/contract widen/narrow lengthen/shorten strengthen/weaken accelerate/slow improve/worsen warm/cool heat/cool freeze/thaw freeze/melt fill/empty
open/close open/shut begin/end start/stop start/finish start/end arrive/leave arrive/depart come/go enter/leave enter/exit push/pull send/receive give/take buy/sell lend/borrow
win/lose accept/refuse accept/reject allow/forbid permit/forbid allow/prohibit permit/prohibit allow/ban admit/deny confirm/deny confirm/refute support/oppose agree/disagree approve/reject approve/refuse
include/exclude add/remove attach/detach connect/disconnect lock/unlock load/unload build/destroy create/destroy keep/discard keep/throw save/delete remember/forget find/lose hide/show
love/hate like/dislike trust/distrust pass/fail succeed/fail live/die appear/disappear ascend/descend advance/retreat attack/defend employ/dismiss hire/fire
high/low tall/short long/short wide/narrow deep/shallow thick/thin big/small large/small great/small heavy/light strong/weak fast/slow quick/slow hot/cold warm/cold warm/cool wet/dry hard/soft
old/new old/young early/late first/last more/less more/few many/few most/least best/worst good/bad better/worse rich/poor cheap/expensive full/empty clean/dirty bright/dark light/dark
loud/quiet rough/smooth sharp/blunt safe/dangerous right/wrong true/false correct/incorrect positive/negative public/private guilty/innocent legal/illegal possible/impossible present/absent
alive/dead male/female man/woman north/south east/west left/right above/below over/under before/after up/down inside/outside in/out on/off near/far front/back top/bottom forward/backward forwards/backwards
upper/lower maximum/minimum major/minor day/night summer/winter spring/autumn morning/evening inner/outer internal/external majority/minority advantage/disadvantage friend/enemy profit/loss
import/export cause/prevent always/never everyone/nobody everything/nothing all/none with/without until/from larger/smaller higher/lower older/newer older/younger longer/shorter faster/slower stronger/weaker
earlier/later more/fewer largest/smallest highest/lowest oldest/newest longest/shortest fastest/slowest heaviest/lightest earliest/latest greatest/smallest greatest/least odd/even yes/no frequent/rare common/rare
simple/complex easy/difficult easy/hard active/passive optional/mandatory optional/required temporary/permanent dependent/independent reject/adopt adopt/repeal encourage/discourage enable/disable
insured/uninsured paid/unpaid known/unknown able/unable safe/unsafe certain/uncertain stable/unstable usual/unusual equal/unequal happy/unhappy locked/unlocked finished/unfinished changed/unchanged
visible/invisible complete/incomplete perfect/imperfect regular/irregular formal/informal sufficient/insufficient direct/indirect
`;

/** Words of one group may stand for each other. Wide enough for what people write, narrow enough to say the same. */
const SAME = `
say state report note mention remark; show demonstrate reveal; start begin commence; end finish stop; finish complete; rise increase climb grow; fall decrease decline drop sink; close shut; big large great; small little tiny;
buy acquire purchase; get receive obtain; use employ utilise utilize; keep store hold retain; make build construct create produce manufacture; fix repair mend; change alter modify amend; choose select pick; need require; help assist aid;
try attempt; ask request; answer reply respond; live reside dwell; die perish; fast quick rapid; throw discard; person people human; man guy; child kid; doctor physician; car automobile; boat vessel ship; job work; pay fund finance;
cost price; money fund; house home; near close; under below; over above; until till; before prior; after following; old former; first initial; last final; yearly annual; big major; important significant; main chief principal primary;
fill full; part portion share; whole entire; world global; wrong incorrect; right correct; forbid prohibit ban; allow permit let; must shall; carry transport; lead head; chair chairman chairwoman chairperson; teacher instructor; pupil student;
freeze frozen; gather collect; join attach; hurt injure; wound injure; kill slay; rich wealthy; poor impoverished; see observe notice; look watch; find discover; leave depart; come arrive; happen occur; own possess belong; name call; meet encounter;
enough sufficient; wish want desire; fear dread; test try examine check verify; remove delete; add append; error fault mistake; fail failure; break broke; ill sick; speak talk; road street; town city; crown coin; hour hr; photo photograph; picture image; rule regulation;
enter record log; order command; take require; measure gauge; count number; lower reduce decrease; raise lift; raise increase; replace substitute; lie situate locate; stand locate; trip journey voyage; sail navigate; wind gale; captain skipper; staff personnel; summer summertime
`;

/** Words that say next to nothing of their own; a sentence may have them where its quotes have none. */
const LIGHT = new Set(
  (
    'be have do make take give get go come become reach amount stand cost use there here also too then just own such same so still yet ' +
    'happen occur say state report hold lie carry total figure value time way thing fact kind sort type case one other this that it they we i you he she who which what where when how why ' +
    'as at by for from in into of on onto to with upon per via and or but than a an the its their his her our my your these those whose whom ' +
    'well however moreover furthermore additionally meanwhile respectively namely according located called named known found'
  )
    .split(' ')
    .map(keyOf),
);

const opposites = new Map<string, Set<string>>();
for (const pair of OPPOSITES.trim().split(/\s+/)) {
  const [one = '', other = ''] = pair.split('/');
  for (const [a, b] of [
    [one, other],
    [other, one],
  ] as const) {
    // Forms of one root that differ (`more`, `most`) are compared as they are written.
    for (const key of new Set([a, keyOf(a)])) opposites.set(key, new Set([...(opposites.get(key) ?? []), b, keyOf(b)]));
  }
}

const groups = new Map<string, number[]>();
for (const [number, group] of SAME.split(';').entries())
  for (const word of group.trim().split(/\s+/)) {
    const key = keyOf(word);
    groups.set(key, [...(groups.get(key) ?? []), number]);
  }

export const areOpposite = (one: string, other: string): boolean => opposites.get(one)?.has(other) ?? false;

export const saySame = (one: string, other: string): boolean =>
  one === other || (groups.get(one) ?? []).some((group) => groups.get(other)?.includes(group));

export const isLight = (key: string): boolean => LIGHT.has(key);
