/**
 * Symbols of a file from what a query captured of its syntax tree. Nesting is by ranges, so that nothing walks the tree:
 *
 *   matches -> symbols by range -> parents, qualified names -> documentation, access -> chunks
 */
import type { Chunk } from '#core/ingest/chunk.ts';
import type { SourceText } from '#core/ingest/source-text.ts';
import { Leads } from './leads.ts';
import { lastName, type LanguageRules, type SymbolFacts, type SymbolType } from './rules.ts';
import type { SyntaxCapture, SyntaxMatch } from './syntax.ts';

type Kind = SymbolType | 'object' | 'pair' | 'package' | 'filespace' | 'access' | 'promoted' | 'again' | 'static';

interface Found {
  kind: Kind;
  start: number;
  end: number;
  nameStart: number;
  nameEnd: number;
  owner: string | null;
  pattern: number;
}

/** A symbol with what it stands in. */
interface Placed extends Found {
  type: SymbolType;
  name: string;
  fullName: string;
  parent: Placed | null;
  /** The access that was said last before it. */
  section: string | null;
  /** The access that was said last within it, so far. */
  current: string | null;
}

interface Captured {
  found: Found[];
  wraps: SyntaxCapture[];
  /** Comments and decorators. */
  before: SyntaxCapture[];
  /** Where the names of symbols with a docstring begin. */
  documented: Set<number>;
}

/** Not one that is made at run time (`f"..."`), nor bytes. */
const DOCSTRING = /^[ru]?["']/i;

/** What has methods instead of functions. */
const WITH_METHODS = new Set<SymbolType>(['class', 'interface', 'struct', 'record', 'enum', 'scope']);
const NAMED_TYPES = new Set<Kind>(['class', 'interface', 'struct', 'record', 'enum']);

/** The symbols of a file as chunks, in its order. */
export function outline(source: SourceText, matches: readonly SyntaxMatch[], rules: LanguageRules): Chunk[] {
  const captured = sortOut(source, matches);
  const leads = new Leads(source, captured.wraps, captured.before);
  const chunks: Chunk[] = [];
  // All of them first: what comes later may say the access of what was before.
  for (const symbol of [...place(source, captured.found, rules)]) {
    const chunk = chunkOf(source, symbol, leads, rules, captured.documented);
    if (chunk) chunks.push(chunk);
  }
  return chunks;
}

function sortOut(source: SourceText, matches: readonly SyntaxMatch[]): Captured {
  const captured: Captured = { found: [], wraps: [], before: [], documented: new Set() };
  const byName = new Map<number, Found>();
  for (const { pattern, captures } of matches) {
    let symbol: SyntaxCapture | undefined;
    let owner: SyntaxCapture | undefined;
    let [nameStart, nameEnd, documents] = [-1, -1, false];
    for (const capture of captures) {
      const { name, start, end } = capture;
      if (name === 'name') {
        if (nameStart < 0) nameStart = start;
        nameEnd = end;
      } else if (name === 'owner') owner = capture;
      else if (name === 'doc') documents = DOCSTRING.test(source.content.slice(start, start + 3));
      else if (name === 'wrap') captured.wraps.push(capture);
      else if (name === 'comment' || name === 'lead') captured.before.push(capture);
      else if (name === 'access') captured.found.push(foundAt('access', capture, start, end, pattern));
      else if (!name.startsWith('_')) symbol = capture;
    }
    if (nameStart < 0) continue;
    if (documents) captured.documented.add(nameStart);
    if (!symbol) continue;
    const before = byName.get(nameStart);
    if (before && before.pattern <= pattern) continue;
    const found = foundAt(symbol.name as Kind, symbol, nameStart, nameEnd, pattern);
    if (owner) found.owner = source.content.slice(owner.start, owner.end);
    byName.set(nameStart, found);
  }
  captured.found.push(...byName.values());
  stretchFilespaces(source, captured.found);
  captured.found.sort((a, b) => a.start - b.start || b.end - a.end || a.nameStart - b.nameStart);
  return captured;
}

function foundAt(
  kind: Kind,
  { start, end }: SyntaxCapture,
  nameStart: number,
  nameEnd: number,
  pattern: number,
): Found {
  return { kind, start, end, nameStart, nameEnd, owner: null, pattern };
}

/** A namespace without braces goes on to the next of its kind, or to the end. */
function stretchFilespaces(source: SourceText, found: readonly Found[]): void {
  const spaces = found.filter(({ kind }) => kind === 'filespace').toSorted((a, b) => a.start - b.start);
  for (const [i, space] of spaces.entries()) {
    const until = spaces[i + 1]?.start ?? source.content.length;
    space.end = source.trimmed(space.start, until)?.[1] ?? until;
  }
}

function* place(source: SourceText, found: readonly Found[], rules: LanguageRules): Generator<Placed> {
  const open: Placed[] = [];
  const placedAll: Placed[] = [];
  /** Of a package that is named once for the whole file. */
  let all: Placed | null = null;
  for (const one of found) {
    while ((open.at(-1)?.end ?? Infinity) <= one.start) open.pop();
    const raw = source.content.slice(one.nameStart, one.nameEnd);
    const around = parentOf(open, one) ?? all;
    if (one.kind === 'access') {
      const section = rules.sectionOf?.(raw) ?? null;
      if (around && section !== null) around.current = section;
      const said = rules.namedAccessOf?.(raw) ?? null;
      if (said !== null)
        for (const one of placedAll)
          if (one.parent === around && said.names.includes(one.name) && said.owned === (one.owner !== null))
            one.section = said.access;
      continue;
    }
    const name = rules.nameOf ? rules.nameOf(raw) : raw;
    if (name === '' || isNone(one, name, around)) continue;
    const placed = placedIn(one, name, around, rules);
    if (one.kind === 'package') all = placed;
    else open.push(placed);
    placedAll.push(placed);
    yield placed;
  }
}

/** A property of an object that is only handed on, and a function that is called so already. */
function isNone({ kind }: Found, name: string, around: Placed | null): boolean {
  if (kind === 'pair') return around?.kind !== 'object' && around?.kind !== 'pair';
  return kind === 'again' && around?.name === name;
}

/** The nearest symbol around it. A type that only names another (`typedef struct A { } B`) holds nothing of that one. */
function parentOf(open: readonly Placed[], one: Found): Placed | null {
  for (let i = open.length - 1; i >= 0; i--) {
    const around = open[i];
    if (!around || around.end < one.end) continue;
    // Two names of one declaration (`int a, b;`); of `namespace a::b` the second stands in the first.
    if (around.start === one.start && around.end === one.end && one.kind !== 'namespace') continue;
    if (around.type === 'type' && NAMED_TYPES.has(one.kind)) continue;
    return around;
  }
  return null;
}

function placedIn(one: Found, said: string, around: Placed | null, rules: LanguageRules): Placed {
  const { separator } = rules;
  const isStatic = around?.kind === 'static';
  const isPassed = isStatic || (one.kind === 'promoted' && around?.type === 'method');
  const holder = isPassed ? around.parent : around;
  const owner = ownerOf(one, said, rules);
  const parent = owner === '' ? holder : ownerIn(one, owner, holder, rules);
  const type = typeOf(one.kind, parent, rules);
  // A scope may be named by its whole way (`a.b = { ... }`); a namespace is called by it.
  const hasWay = type === 'scope' || (rules.namesOwners === true && owner !== '');
  const name = hasWay ? lastName(said, separator) : said;
  const placed: Placed = {
    ...one,
    type,
    name,
    parent,
    fullName: type === 'scope' ? said : name,
    section: one.owner === null ? (around?.current ?? null) : null,
    current: null,
  };
  if (isStatic) placed.owner ??= '';
  if (parent && one.kind !== 'package')
    placed.fullName = parent.fullName + (rules.separatorOf?.(factsOf(placed)) ?? separator) + placed.fullName;
  return placed;
}

/** The qualified name of what a symbol says that it belongs to; '' where it says nothing. */
function ownerOf({ owner, kind }: Found, said: string, rules: LanguageRules): string {
  if (owner !== null) return rules.ownerOf ? rules.ownerOf(owner) : owner;
  const at = rules.namesOwners === true && kind !== 'namespace' ? said.lastIndexOf(rules.separator) : -1;
  return at < 0 ? '' : said.slice(0, at);
}

/** What a symbol belongs to that says so itself; it stands in the namespace that the symbol stands in. */
function ownerIn(one: Found, owner: string, around: Placed | null, { separator }: LanguageRules): Placed {
  let space = around;
  while (space && space.type !== 'namespace') space = space.parent;
  const fullName = space ? space.fullName + separator + owner : owner;
  const name = lastName(owner, separator);
  return { ...one, kind: 'scope', type: 'scope', name, fullName, parent: space, section: null, current: null };
}

function typeOf(kind: Kind, parent: Placed | null, rules: LanguageRules): SymbolType {
  if (kind === 'package' || kind === 'filespace') return 'namespace';
  if (kind === 'object' || kind === 'access' || kind === 'static') return 'scope';
  if (kind === 'pair' || kind === 'promoted') return 'property';
  if (kind === 'again') return 'function';
  const hasMethods =
    parent !== null &&
    (WITH_METHODS.has(parent.type) || (rules.namespaceMethods === true && parent.type === 'namespace'));
  return kind === 'function' && hasMethods ? 'method' : kind;
}

function factsOf({ type, name, parent, section, owner }: Placed): Omit<SymbolFacts, 'head'> {
  return { type, name, within: parent?.type ?? null, section, owned: owner !== null };
}

function chunkOf(
  source: SourceText,
  symbol: Placed,
  leads: Leads,
  rules: LanguageRules,
  documented: ReadonlySet<number>,
): Chunk | null {
  const { type, parent, nameStart, name, fullName } = symbol;
  if (type === 'scope') return null;
  const from = leads.wrapStart(symbol, parent && parent.start < symbol.start ? parent.start : -1);
  const { start, comments } = leads.leadStart(from);
  const metadata: Record<string, string> = { nameLine: String(source.lineAt(nameStart)) };
  if (rules.accessOf) {
    const head = withoutDetails(source.content.slice(from, Math.max(from, nameStart)));
    const access = rules.accessOf({ ...factsOf(symbol), head });
    if (access !== null) metadata['accessibility'] = access;
  }
  const { doc } = rules;
  const isDocumented =
    documented.has(nameStart) || (doc !== undefined && comments.some((comment) => doc.test(comment)));
  metadata[rules.grammar === 'csharp' ? 'hasXmlDoc' : 'hasDoc'] = String(isDocumented);
  const parentSymbol = parent === null || parent.type === 'namespace' ? null : parent.name;
  return source.chunk(start, symbol.end, { type, name, parent: parentSymbol, fullName, metadata });
}

/** Without what is in brackets and strings: arguments of attributes say nothing of the symbol. */
function withoutDetails(head: string): string {
  if (head.length < 12) return head;
  return head.replaceAll(/"[^"\n]*"|'[^'\n]*'|\([^()]*\)|\[[^[\]]*\]|\/\*.*?\*\/|\/\/[^\n]*/gs, ' ');
}
