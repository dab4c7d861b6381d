/** Writes channels and programmes as XMLTV has them: valid by its document type, times in UTC. */
import { isPlaceholder } from '../faults/title-words.ts';
import { XMLTV } from '../read/dtd.ts';
import { isBlank, newElement, type GuideElement } from '../read/element.ts';
import type { Fill } from '../repair/mend-guide.ts';
import type { Zone } from '../times/local-time.ts';
import { readAnyTime } from '../times/read-iso-time.ts';
import { readTime } from '../times/read-time.ts';

/** What stands for a title where a programme has none at all: the document type wants one. */
const NO_TITLE = 'Untitled';

/** The beginning of a document, up to the first programme. `channels`: each id once. */
export function headOf(attributes: Readonly<Record<string, string>>, channels: readonly GuideElement[]): string {
  const tv = cleaned({ ...newElement('tv', attributes) }) ?? newElement('tv', {});
  const lines = channels.map((channel) => written(channel, '  '));
  return `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE tv SYSTEM "xmltv.dtd">\n<tv${attributesOf(tv)}>\n${lines.join('')}`;
}

export const TAIL = '</tv>\n';

/** A channel as the document type has it: without a name it has its id. Null: it has no id. */
export function channelToWrite(channel: GuideElement): GuideElement | null {
  const id = channel.attributes['id'];
  if (id === undefined) return null;
  const hasName = channel.children.some(({ name, text }) => name === 'display-name' && !isBlank(text));
  const named = { ...newElement('display-name', {}), text: id };
  const children = channel.children.filter(({ name, text }) => name !== 'display-name' || !isBlank(text));
  return cleaned({ ...channel, children: hasName ? children : [named, ...children] });
}

/** A channel that is declared again: what only the second has is the first's, too. */
export function channelsTogether(one: GuideElement, other: GuideElement): GuideElement {
  const has = ({ name, text, attributes }: GuideElement): boolean =>
    one.children.some(
      (child) => child.name === name && child.text === text && child.attributes['src'] === attributes['src'],
    );
  return { ...one, children: [...one.children, ...other.children.filter((child) => !has(child))] };
}

/** A programme as it is written, with what was filled; null: it has no start that can be read, or no channel. */
export function programmeText(programme: GuideElement, fills: readonly Fill[], zone: Zone | null): string | null {
  const { start = '', stop, channel } = programme.attributes;
  const begins = readAnyTime(start, zone);
  if (begins === null || channel === undefined) return null;
  const ends = stop === undefined ? null : readAnyTime(stop, zone);
  const attributes: Record<string, string> = {};
  for (const [name, value] of Object.entries(programme.attributes)) {
    if (name === 'start') attributes['start'] = timeText(begins);
    else if (name === 'stop') {
      // One that is none, or before the start, is left out: players take the next start.
      if (ends !== null && ends >= begins) attributes['stop'] = timeText(ends);
    } else if (name === 'pdc-start' || name === 'vps-start') {
      const instant = readTime(value, zone).instant;
      attributes[name] = instant === null ? value : timeText(instant);
    } else attributes[name] = value;
  }
  const filled = { ...programme, attributes, children: withFills(programme.children, fills) };
  const titles = filled.children.filter(({ name, text }) => name === 'title' && !isBlank(text));
  const others = filled.children.filter(({ name }) => name !== 'title');
  const children = [...(titles.length > 0 ? titles : [{ ...newElement('title', {}), text: NO_TITLE }]), ...others];
  const clean = cleaned({ ...filled, children });
  return clean === null ? null : written(clean, '  ');
}

/** The children with what was filled in place of what is empty or says nothing. */
export function withFills(
  children: readonly GuideElement[],
  fills: readonly Pick<Fill, 'field' | 'value'>[],
): GuideElement[] {
  let result = [...children];
  for (const { field, value } of fills) {
    const made = (attributes: Readonly<Record<string, string>>): GuideElement => ({
      ...newElement(field, attributes),
      text: value,
    });
    if (field === 'title') {
      const lang = children.find(({ name }) => name === 'title')?.attributes['lang'];
      result = [
        made(lang === undefined ? {} : { lang }),
        ...result.filter(({ name, text }) => name !== 'title' || !(isBlank(text) || isPlaceholder(text))),
      ];
    } else if (field === 'date') result = [...result.filter(({ name }) => name !== 'date'), made({})];
    else
      result = [...result.filter(({ name, text }) => name !== field || !isBlank(text)), made({ system: 'xmltv_ns' })];
  }
  return result;
}

/** What of an element is valid: known parts in their order, as often as they may be. Null: what it must have is missing. */
function cleaned(element: GuideElement): GuideElement | null {
  const rule = XMLTV.get(element.name);
  if (rule === undefined) return null;
  const attributes: Record<string, string> = {};
  for (const [name, { required, values }] of rule.attributes) {
    const value = element.attributes[name];
    if (value !== undefined && (values === null || values.includes(value.trim()))) attributes[name] = value;
    else if (required) return null;
  }
  const { content } = rule;
  const clean = (child: GuideElement): GuideElement[] => {
    const kept = cleaned(child);
    return kept === null ? [] : [kept];
  };
  if (content.kind === 'empty') return { ...newElement(element.name, attributes) };
  if (content.kind === 'text') return { ...newElement(element.name, attributes), text: element.text };
  if (content.kind === 'mixed') {
    const children = element.children.filter(({ name }) => content.children.has(name)).flatMap(clean);
    return { ...newElement(element.name, attributes), text: element.text, children };
  }
  const children: GuideElement[] = [];
  for (const [place, name] of content.names.entries()) {
    const count = content.counts[place] ?? '*';
    const kept = element.children.filter((child) => child.name === name).flatMap(clean);
    if (kept.length === 0 && (count === '1' || count === '+')) return null;
    children.push(...(count === '1' || count === '?' ? kept.slice(0, 1) : kept));
  }
  return { ...newElement(element.name, attributes), children };
}

function written(element: GuideElement, indent: string): string {
  const head = `${indent}<${element.name}${attributesOf(element)}`;
  if (element.children.length === 0)
    return element.text === '' ? `${head}/>\n` : `${head}>${escaped(element.text)}</${element.name}>\n`;
  if (XMLTV.get(element.name)?.content.kind === 'mixed') {
    const inside = element.children.map((child) => written(child, '').trimEnd()).join('');
    return `${head}>${escaped(element.text)}${inside}</${element.name}>\n`;
  }
  const inside = element.children.map((child) => written(child, `${indent}  `)).join('');
  return `${head}>\n${inside}${indent}</${element.name}>\n`;
}

const attributesOf = ({ attributes }: GuideElement): string =>
  Object.entries(attributes)
    .map(
      ([name, value]) =>
        ` ${name}="${escaped(value)
          .replace(/"/g, '&quot;')
          .replace(/[\t\n]/g, (blank) => `&#${blank.charCodeAt(0)};`)}"`,
    )
    .join('');

const escaped = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/\r/g, '&#13;');

/** `20260310070000 +0000` */
export const timeText = (instant: number): string =>
  `${new Date(instant).toISOString().replace(/[-:T]|\.\d+Z$/g, '')} +0000`;
