/** Programmes and faults of one channel and one day as one text: JSON of short lists, read whole or not at all. */
import { failed } from '#core/errors.ts';
import { FAULT_TYPES } from '../faults/fault.ts';
import { newElement, type GuideElement } from '../read/element.ts';
import type { StoredFault, StoredProgramme } from './guide-records.ts';

export function packProgrammes(programmes: readonly StoredProgramme[]): string {
  return JSON.stringify(programmes.map(({ n, start, stop, element }) => [n, start, stop, packed(element)]));
}

/** Throws AccessionError `invalid` where the text is damaged. */
export function unpackProgrammes(data: string): StoredProgramme[] {
  return rowsOf(data).map((row) => {
    const [n, start, stop, element] = listOf(row);
    if (typeof n !== 'number') throw damaged();
    return {
      n,
      start: numberOrNull(start),
      stop: numberOrNull(stop),
      element: unpacked(element),
    };
  });
}

export function packFaults(faults: readonly StoredFault[]): string {
  return JSON.stringify(
    faults.map(({ type, code, where, channel, start, about, title }) => [
      ...[FAULT_TYPES.indexOf(type), code, where, channel, start, about, title],
    ]),
  );
}

/** Throws AccessionError `invalid` where the text is damaged. */
export function unpackFaults(data: string): StoredFault[] {
  return rowsOf(data).map((row) => {
    const [at, code, where, channel, start, about, title] = listOf(row);
    const type = typeof at === 'number' ? FAULT_TYPES[at] : undefined;
    if (type === undefined || typeof where !== 'string') throw damaged();
    return {
      ...{ type, code: textOrNull(code), where, channel: textOrNull(channel) },
      ...{
        start: numberOrNull(start),
        about: numberOrNull(about),
        title: numberOrNull(title),
      },
    };
  });
}

type Packed = [name: string, text: string, attributes: Readonly<Record<string, string>>, children: Packed[]];

/** What only a check of form asks for (`filled`, `section`) is not kept: the check is over. */
const packed = ({ name, text, attributes, children }: GuideElement): Packed => [
  ...([name, text, attributes, children.map(packed)] as const),
];

function unpacked(value: unknown): GuideElement {
  const [name, text, attributes, children] = listOf(value);
  if (typeof name !== 'string' || typeof text !== 'string' || !isTexts(attributes)) throw damaged();
  return {
    ...newElement(name, attributes),
    text,
    children: listOf(children).map(unpacked),
  };
}

function rowsOf(data: string): unknown[] {
  return listOf(parsed(data));
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    throw damaged();
  }
}

function listOf(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw damaged();
  return value;
}

const isTexts = (value: unknown): value is Record<string, string> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((text) => typeof text === 'string');

function numberOrNull(value: unknown): number | null {
  if (value !== null && typeof value !== 'number') throw damaged();
  return value;
}

function textOrNull(value: unknown): string | null {
  if (value !== null && typeof value !== 'string') throw damaged();
  return value;
}

const damaged = (): Error =>
  failed('invalid', 'What is stored of the guide is damaged.', {
    remedy: 'Import the guide again.',
  });
