/** Properties set in an XMP packet; everything else in it stays: foreign properties, other languages, the packet's frame. */
import { DOMParser, XMLSerializer, type Document, type Element } from '@xmldom/xmldom';
import { failed } from '#core/errors.ts';

const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
const XML = 'http://www.w3.org/XML/1998/namespace';
export const DC = 'http://purl.org/dc/elements/1.1/';
export const PRISM = 'http://prismstandard.org/namespaces/basic/3.0/';
/** Every version of it names the same properties. */
const PRISM_ANY = /^http:\/\/prismstandard\.org\/namespaces\/basic\/\d\.\d\/$/;

/** Units of UTF-16. */
const LONGEST = 1_000_000;

export interface XmpProperty {
  namespace: typeof DC | typeof PRISM;
  /** `prism:doi`. */
  name: string;
  /** `text`; `title`: the language that stands for all; `list`: in order. */
  form: 'text' | 'title' | 'list';
  values: readonly string[];
}

const EMPTY = `<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="${RDF}"><rdf:Description rdf:about=""/></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;

/** @param packet null, or nothing but its frame: a new one. Throws AccessionError `file_damaged` where it is no XMP. */
export function withProperties(packet: string | null, properties: readonly XmpProperty[]): string {
  const document = parsed(packet === null || !/<[a-z]/i.test(packet) ? EMPTY : packet);
  const rdf = document.getElementsByTagNameNS(RDF, 'RDF').item(0);
  if (rdf === null) throw damaged('it has no RDF');
  for (const property of properties) set(document, rdf, property);
  return new XMLSerializer().serializeToString(document);
}

function parsed(packet: string): Document {
  if (packet.length > LONGEST) throw damaged('it is too long');
  if (/<!(?:DOCTYPE|ENTITY)/i.test(packet)) throw damaged('it declares entities');
  try {
    const onError = (level: string, message: string): void => {
      if (level !== 'warning') throw new Error(message);
    };
    return new DOMParser({ onError }).parseFromString(packet.replace(/\0+$/, '').trim(), 'text/xml');
  } catch (error) {
    throw damaged(error instanceof Error ? error.message : String(error));
  }
}

const damaged = (why: string) => failed('file_damaged', `its XMP packet is damaged (${why.slice(0, 200)})`);

function set(document: Document, rdf: Element, property: XmpProperty): void {
  const { namespace, name, form, values } = property;
  const local = name.slice(name.indexOf(':') + 1);
  const isSame = (uri: string | null): boolean =>
    uri === namespace || (namespace === PRISM && uri !== null && PRISM_ANY.test(uri));
  const descriptions = [...rdf.childNodes].filter(isElement).filter((one) => one.localName === 'Description');
  let kept: Element | null = null;
  for (const description of descriptions) {
    for (const attribute of [...description.attributes])
      if (attribute.localName === local && isSame(attribute.namespaceURI)) description.removeAttributeNode(attribute);
    for (const child of [...description.childNodes].filter(isElement)) {
      if (child.localName !== local || !isSame(child.namespaceURI)) continue;
      if (form === 'title' && kept === null && defaultOf(child) !== null) kept = child;
      else description.removeChild(child);
    }
  }
  if (kept !== null) {
    const item = defaultOf(kept);
    if (item) item.textContent = values[0] ?? '';
    return;
  }
  const home = descriptions[0] ?? rdf.appendChild(document.createElementNS(RDF, 'rdf:Description'));
  home.appendChild(made(document, property));
}

/** Of a list of languages the one that stands for all. */
const defaultOf = (element: Element): Element | null =>
  [...element.getElementsByTagNameNS(RDF, 'li')].find((item) => item.getAttributeNS(XML, 'lang') === 'x-default') ??
  null;

function made(document: Document, { namespace, name, form, values }: XmpProperty): Element {
  const element = document.createElementNS(namespace, name);
  if (form === 'text') {
    element.appendChild(document.createTextNode(values[0] ?? ''));
    return element;
  }
  const list = element.appendChild(document.createElementNS(RDF, form === 'title' ? 'rdf:Alt' : 'rdf:Seq'));
  for (const value of values) {
    const item = document.createElementNS(RDF, 'rdf:li');
    if (form === 'title') item.setAttributeNS(XML, 'xml:lang', 'x-default');
    item.appendChild(document.createTextNode(value));
    list.appendChild(item);
  }
  return element;
}

const isElement = (node: { nodeType: number }): node is Element => node.nodeType === 1;
