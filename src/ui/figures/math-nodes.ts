/** MathML as nodes of the page: elements of MathML alone, with attributes that only say how it looks. */
const MATHML = 'http://www.w3.org/1998/Math/MathML';
const REACHING = /^(?:on|href|src|xlink|style|class|id)/i;

/** None where it is no MathML. */
export function mathNodes(mathml: string): Node[] {
  const { documentElement: root } = new DOMParser().parseFromString(mathml, 'application/xml');
  return root.localName === 'math' ? [copied(root)] : [];
}

function copied(node: Element): Element {
  const made = document.createElementNS(MATHML, node.localName);
  for (const { name, value } of node.attributes)
    if (!REACHING.test(name) && !name.includes(':')) made.setAttribute(name, value);
  for (const child of node.childNodes) {
    if (child instanceof Element) {
      // The TeX that it was made of is for copying, not for reading aloud.
      if (child.namespaceURI === MATHML && !child.localName.startsWith('annotation')) made.append(copied(child));
    } else if (child instanceof Text) made.append(document.createTextNode(child.data));
  }
  return made;
}
