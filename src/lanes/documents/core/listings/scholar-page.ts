/** Results on a page of Google Scholar, as a browser saved or copied it. */
import { DomUtils, parseDocument } from 'htmlparser2';
import { plainText, webAddress } from '../lookup/plain.ts';
import { listingOf, type Listing } from './listing.ts';

type Tag = NonNullable<ReturnType<typeof DomUtils.findOne>>;
type Inside = Tag['children'][number];

/** `[PDF][P]`, `[BOOK][B]` before a title. */
const LABELS: ReadonlySet<string> = new Set(['gs_ctc', 'gs_ctu', 'gs_ctg', 'gs_ctg2']);
/** A page has ten or twenty; what has more is none. */
const MOST_RESULTS = 1_000;
const DEEPEST = 50;

const has = ({ attribs }: Tag, isWanted: (name: string) => boolean): boolean =>
  (attribs['class'] ?? '').split(/\s+/).some(isWanted);
const isTag = (node: Inside | Tag['parent']): node is Tag => node !== null && 'attribs' in node;
const named =
  (name: string) =>
  (node: Tag): boolean =>
    has(node, (one) => one === name);

/** In the order of the page. */
export function parseScholarPage(html: string): Listing[] {
  const { children } = parseDocument(html, { decodeEntities: true });
  return DomUtils.find((node) => isTag(node) && named('gs_rt')(node), children, true, MOST_RESULTS)
    .filter(isTag)
    .flatMap(resultOf);
}

function resultOf(heading: Tag): Listing[] {
  const inside = around(heading);
  const labels = DomUtils.findAll((node) => has(node, (name) => LABELS.has(name)), heading.children);
  const label = labels.map((node) => textOf(node.children)).join(' ');
  const link = DomUtils.findOne((node) => node.name === 'a', heading.children, true);
  const line = DomUtils.findOne(named('gs_a'), inside, true);
  const pdf = DomUtils.findOne((node) => node.name === 'a' && isPdf(node), inside, true);
  const listing = listingOf({
    kind: /\[(?:BOOK|B)\]/i.test(label) ? 'book' : 'article',
    title: textOf(heading.children, labels),
    ...bylineOf(line === null ? '' : textOf(line.children)),
    pdf_url: pdf === null ? '' : addressOf(pdf),
    source_url: link === null ? '' : addressOf(link),
  });
  return listing.title === '' ? [] : [listing];
}

/** What is within the result that a heading is of. */
function around(heading: Tag): Inside[] {
  let node: Inside | Tag['parent'] = heading;
  for (let up = 0; up < 6 && node !== null; up++, node = node.parent)
    if (isTag(node) && named('gs_r')(node)) return node.children;
  const parent = heading.parent;
  return parent === null ? [] : parent.children;
}

const isPdf = (link: Tag): boolean => /\[PDF\]/i.test(textOf(link.children)) && addressOf(link) !== '';

/** On one line, without what is in `but` and in scripts. */
function textOf(nodes: readonly Inside[], but: readonly Tag[] = [], depth = 0): string {
  const parts = nodes.map((node): string => {
    if ('data' in node && node.type === 'text') return node.data;
    if (!isTag(node) || but.includes(node) || /^(?:script|style)$/.test(node.name)) return '';
    return depth < DEEPEST ? textOf(node.children, but, depth + 1) : '';
  });
  const text = parts.join('');
  return depth === 0 ? text.replaceAll(/\s+/g, ' ').trim() : text;
}

/** Where a link leads; Scholar's own redirect is left out. */
function addressOf({ attribs }: Tag): string {
  const address = webAddress((attribs['href'] ?? '').trim());
  if (!/^https?:\/\/scholar\.google\.[a-z.]+\/scholar_url\?/i.test(address)) return address;
  return webAddress(decoded(/[?&]url=([^&#]*)/.exec(address)?.[1] ?? ''));
}

/** A value of a query as it was meant; as it stands where its escapes are broken. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value.replaceAll('+', ' '));
  } catch {
    return value;
  }
}

/** `A Garcia, B Novak - Journal, 2019 - host`: authors, what it stands in with the year, the host. */
function bylineOf(line: string): { authors: string[]; publication: string; date: string } {
  const [authors = '', ...rest] = plainText(line).split(/\s+[-–]\s+/);
  const last = rest.at(-1) ?? '';
  const isHost = rest.length > 1 || (!DATED.test(last) && /^[\w-]+(?:\.[\w-]+)+$/.test(last));
  const middle = (isHost ? rest.slice(0, -1) : rest).join(' - ');
  const [, publication = middle, date = ''] = DATED.exec(middle) ?? [];
  return { authors: [authors], publication: publication.trim(), date };
}

const DATED = /^(.*?)(?:^|,\s*|\s)(\d{4})$/;
