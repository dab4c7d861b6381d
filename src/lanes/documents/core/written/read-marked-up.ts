/**
 * What HTML and XML say of a document, and what a person reads in them, in one pass:
 *
 *   head of HTML (citation_*, Dublin Core, PRISM, JSON-LD), article-meta of JATS, teiHeader of TEI -> said
 *   what is seen, without lists of references of XML -> text
 */
import { Parser } from 'htmlparser2';
import { saidByLinkedData } from './linked-data.ts';
import type { Said, SaidName } from './said.ts';

export interface MarkedUp {
  said: Said[];
  text: string;
}

/** Names of `<meta>`, in small letters, without what stands before them. */
const META: ReadonlyMap<string, SaidName> = new Map([
  ['citation_doi', 'doi'],
  ['bepress_citation_doi', 'doi'],
  ['prism.doi', 'doi'],
  ['citation_arxiv_id', 'arxiv'],
  ['citation_isbn', 'isbn'],
  ['citation_title', 'title'],
  ['dc.title', 'title'],
  ['citation_author', 'author'],
  ['dc.creator', 'author'],
  ['citation_journal_title', 'publication'],
  ['prism.publicationname', 'publication'],
  ['citation_publication_date', 'date'],
  ['citation_date', 'date'],
  ['dc.date', 'date'],
  ['citation_pdf_url', 'pdf_url'],
]);
/** Properties that hold any identifier. */
const ANY = new Set(['dc.identifier', 'dc.identifier.doi', 'prism.url', 'dc.source']);

/** Never seen by a reader, or of others: of HTML and of XML. */
const UNSEEN = new Set(['script', 'style', 'template', 'noscript']);
const OTHERS = new Set(['ref-list', 'listbibl', 'related-article', 'related-object', 'sub-article', 'response']);
const META_XML = new Set(['article-meta', 'book-meta', 'journal-meta', 'teiheader']);
const SAYING = /^(?:article-id|book-id|idno|isbn|article-title|book-title|title|journal-title|name|persname|year)$/;
/** As deep as anything of a paper is. */
const DEEP = 200;
const BLOCKS =
  /^(?:p|div|h[1-6]|li|tr|br|title|section|article|sec|abstract|head|article-title|contrib|pub-date|aff|td|ab)$/;
/** Signs of the text: more is a book, and its front and end are what counts. */
const MOST = 2_000_000;

/** @param xml tags are told apart by their case, and need not be of HTML */
export function readMarkedUp(source: string, xml: boolean): MarkedUp {
  const said: Said[] = [];
  const open: { name: string; attributes: Record<string, string>; text: string }[] = [];
  let [text, linked] = ['', ''];
  let unseen = 0;
  let others = 0;
  const say = (name: SaidName, value: string, where: string): void => {
    const clean = value.replaceAll(/\s+/g, ' ').trim();
    if (clean !== '') said.push({ name, value: clean, words: `${where}: ${clean.slice(0, 200)}` });
  };
  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        const name = tag.toLowerCase().replace(/^.*:/, '');
        open.push({ name, attributes, text: '' });
        if (UNSEEN.has(name) && !xml) unseen++;
        if (xml && OTHERS.has(name)) others++;
        if (BLOCKS.test(name)) text += '\n';
        if (name === 'meta' && !xml) sayMeta(attributes, say);
      },
      ontext(part) {
        const here = open.at(-1);
        if (here?.name === 'script' && /ld\+json/i.test(here.attributes['type'] ?? '')) linked += part;
        for (const one of open.slice(-6)) if (one.text.length < 2_000) one.text += part;
        if (unseen === 0 && others === 0 && text.length < MOST && here?.name !== 'title') text += part;
        else if (here?.name === 'title' && (xml || others === 0)) text += xml ? part : '';
      },
      onclosetag() {
        const gone = open.pop();
        if (gone === undefined) return;
        const { name } = gone;
        if (UNSEEN.has(name) && !xml) unseen--;
        if (BLOCKS.test(name)) text += '\n';
        if (name === 'script' && linked !== '') {
          for (const one of saidByLinkedData(linked)) say(one.name, one.value, 'JSON-LD');
          linked = '';
        }
        // What is around costs as much as it is deep: only of elements that say something.
        if (xml && others === 0 && SAYING.test(name))
          sayXml(gone, new Set(open.slice(-DEEP).map((one) => one.name)), say);
        if (xml && OTHERS.has(name)) others--;
      },
    },
    { decodeEntities: true, xmlMode: xml, lowerCaseTags: !xml },
  );
  parser.end(source);
  return { said, text: text.replaceAll(/[ \t]+/g, ' ').replaceAll(/\n\s*\n+/g, '\n\n') };
}

type Say = (name: SaidName, value: string, where: string) => void;

function sayMeta({ name, property, content }: Record<string, string>, say: Say): void {
  const key = (name ?? property ?? '').toLowerCase().replace(/^dcterms\./, 'dc.');
  const known = META.get(key);
  if (known !== undefined) say(known, content ?? '', key);
  else if (ANY.has(key)) {
    const value = content ?? '';
    say(/isbn/i.test(value) ? 'isbn' : /arxiv/i.test(value) ? 'arxiv' : 'doi', value, key);
  }
}

/** What stands in the metadata of JATS, BITS or TEI. */
function sayXml(
  { name, attributes, text }: { name: string; attributes: Record<string, string>; text: string },
  around: ReadonlySet<string>,
  say: Say,
): void {
  if (![...META_XML].some((one) => around.has(one))) return;
  const kind = (attributes['pub-id-type'] ?? attributes['book-id-type'] ?? attributes['type'] ?? '').toLowerCase();
  const isId = name === 'article-id' || name === 'book-id' || name === 'idno';
  if (isId && (kind === 'doi' || kind === 'isbn' || kind === 'arxiv')) say(kind, text, `${name} ${kind}`);
  if (name === 'isbn') say('isbn', text, name);
  const isTitle = name === 'article-title' || name === 'book-title' || (name === 'title' && around.has('titlestmt'));
  if (isTitle) say('title', text, name);
  if (name === 'journal-title') say('publication', text, name);
  if (name === 'name' && around.has('contrib')) say('author', nameOf(text), 'contrib');
  if (name === 'persname' && around.has('author')) say('author', text, 'author');
  if (name === 'year' && around.has('pub-date')) say('date', text, 'pub-date');
}

/** `Garcia` and `Ana` on lines of their own, the surname first as JATS has it. */
function nameOf(text: string): string {
  const [surname = '', ...given] = text.trim().split(/\s*\n\s*/);
  return `${given.join(' ')} ${surname}`.trim();
}
