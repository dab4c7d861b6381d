/** Whether an element, with all that is in it, is as XMLTV's document type says. */
import { XMLTV, type Content, type ElementRule } from './dtd.ts';
import { isBlank, type GuideElement } from './element.ts';

export const FORM_CODES = ['order', 'unknown', 'attribute', 'missing', 'repeated', 'nesting'] as const;
export type FormCode = (typeof FORM_CODES)[number];

/** Adds to `found` what is not valid in the element. */
export function validate(element: GuideElement, found: Set<FormCode>): void {
  const rule = XMLTV.get(element.name);
  if (rule === undefined) found.add('unknown');
  else {
    validateAttributes(element.attributes, rule, found);
    validateContent(element, rule.content, found);
  }
  for (const child of element.children) validate(child, found);
}

/** Of the attributes alone, as for `tv`, whose content streams by. */
export function validateAttributes(
  attributes: Readonly<Record<string, string>>,
  rule: ElementRule,
  found: Set<FormCode>,
): void {
  let required = 0;
  for (const name in attributes) {
    const known = rule.attributes.get(name);
    if (known === undefined) {
      found.add('attribute');
      continue;
    }
    if (known.required) required++;
    // XML takes blanks off a value out of a list before it is compared.
    if (known.values !== null && !known.values.includes((attributes[name] ?? '').trim())) found.add('attribute');
  }
  for (const { required: isRequired } of rule.attributes.values()) if (isRequired) required--;
  if (required < 0) found.add('attribute');
}

function validateContent(element: GuideElement, content: Content, found: Set<FormCode>): void {
  if (content.kind === 'sequence') {
    if (element.section || !isBlank(element.text)) found.add('nesting');
    validateSequence(element, content, found);
    return;
  }
  if (content.kind === 'empty' && element.filled) found.add('nesting');
  for (const { name } of element.children)
    if (XMLTV.has(name) && !(content.kind === 'mixed' && content.children.has(name))) found.add('nesting');
}

function validateSequence(
  { children }: GuideElement,
  { counts, places }: Content & { kind: 'sequence' },
  found: Set<FormCode>,
): void {
  const seen = new Uint32Array(counts.length);
  let furthest = 0;
  for (const { name } of children) {
    const place = places.get(name);
    if (place === undefined) {
      // One that nobody knows says so itself.
      if (XMLTV.has(name)) found.add('nesting');
      continue;
    }
    if (place < furthest) found.add('order');
    else furthest = place;
    seen[place] = (seen[place] ?? 0) + 1;
  }
  for (let place = 0; place < counts.length; place++) {
    const count = counts[place];
    const times = seen[place] ?? 0;
    if (times === 0 && (count === '1' || count === '+')) found.add('missing');
    if (times > 1 && (count === '1' || count === '?')) found.add('repeated');
  }
}
