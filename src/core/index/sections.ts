/**
 * The container of an index: named typed arrays in one buffer, so that opening one is making views.
 *
 *   magic (8 bytes) | length of the head (u32) | head: JSON { version, note, sections } | sections, 8-byte aligned |
 *   sum of all that (u32) | 0 (u32)
 *
 * Versions: 1 first released form. 2 keeps every field of a record as it came. A reader of another version refuses, the file is then built anew.
 */
import * as v from 'valibot';
import { decodeUtf8, encodeUtf8 } from '#core/utf8.ts';
import { AccessionError, failed } from '#core/errors.ts';

/** The arrays by the names of their types. */
export interface Arrays {
  u8: Uint8Array;
  u16: Uint16Array;
  u32: Uint32Array;
  f32: Float32Array;
}

export type TypeName = keyof Arrays;
export type TypedArray = Arrays[TypeName];

const MAGIC = 'ACCINDEX';
/** Of the container and what is in it, where what is in it has no version of its own. */
const INDEX_FORMAT = 2;
const TYPES = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, f32: Float32Array } as const;
const TYPE_NAMES = ['u8', 'u16', 'u32', 'f32'] as const;
/** The numbers as an array of this type. */
export const arrayOf = (type: TypeName, values: Uint32Array): TypedArray => {
  const Type: new (values: Uint32Array) => TypedArray = TYPES[type];
  return new Type(values);
};
const VIEWS: { [Type in TypeName]: (buffer: ArrayBuffer, at: number, length: number) => Arrays[Type] } = {
  u8: (buffer, at, length) => new Uint8Array(buffer, at, length),
  u16: (buffer, at, length) => new Uint16Array(buffer, at, length),
  u32: (buffer, at, length) => new Uint32Array(buffer, at, length),
  f32: (buffer, at, length) => new Float32Array(buffer, at, length),
};

const HeadSchema = v.object({
  version: v.number(),
  /** What the caller wants to know without reading the rest. */
  note: v.unknown(),
  sections: v.array(
    v.object({
      name: v.string(),
      type: v.picklist(TYPE_NAMES),
      offset: v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.multipleOf(8)),
      length: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
    }),
  ),
});
type Head = v.InferOutput<typeof HeadSchema>;

const typeOf = (array: TypedArray): TypeName => TYPE_NAMES.find((type) => array instanceof TYPES[type]) ?? 'u8';
const aligned = (offset: number): number => (offset + 7) & ~7;

/** The pieces of a file in order: written one after the other they are the container. No copy of the arrays is made. */
export function packSections(
  sections: ReadonlyMap<string, TypedArray>,
  note: unknown,
  version = INDEX_FORMAT,
): Uint8Array[] {
  const head: Head = { version, note, sections: [] };
  let offset = 0;
  for (const [name, array] of sections) {
    head.sections.push({ name, type: typeOf(array), offset, length: array.length });
    offset = aligned(offset + array.byteLength);
  }
  const text = encodeUtf8(JSON.stringify(head));
  const start = aligned(12 + text.length);
  const front = new Uint8Array(start);
  front.set(encodeUtf8(MAGIC));
  new DataView(front.buffer).setUint32(8, text.length, true);
  front.set(text, 12);
  const out: Uint8Array[] = [front];
  for (const array of sections.values()) {
    const whole = array.byteLength & ~7;
    out.push(new Uint8Array(array.buffer, array.byteOffset, whole));
    if (whole === array.byteLength) continue;
    const rest = new Uint8Array(8);
    rest.set(new Uint8Array(array.buffer, array.byteOffset + whole, array.byteLength - whole));
    out.push(rest);
  }
  const trailer = new Uint8Array(TRAILER);
  new DataView(trailer.buffer).setUint32(0, out.reduce(sumOf, 0), true);
  out.push(trailer);
  return out;
}

const TRAILER = 8;

/** Goes on with a sum over bytes, a multiple of four: finds what a disk or a torn write does, not what a person does. */
function sumOf(before: number, bytes: Uint8Array): number {
  const own = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  const words = new Uint32Array(own.buffer, own.byteOffset, own.byteLength >> 2);
  let sum = before;
  for (let i = 0; i < words.length; i++) sum = (Math.imul(sum, 31) + (words[i] as number)) | 0;
  return sum >>> 0;
}

export interface Sections {
  note: unknown;
  view<Type extends TypeName>(name: string, type: Type): Arrays[Type];
}

/** Views on a container. Throws AccessionError `storage_failed` where it is none, is cut, or is of another version. */
export function openSections(buffer: ArrayBuffer, version = INDEX_FORMAT): Sections {
  const head = readHead(buffer, version);
  const end = buffer.byteLength - TRAILER;
  const start = aligned(12 + new DataView(buffer).getUint32(8, true));
  const byName = new Map(head.sections.map((section) => [section.name, section]));
  return {
    note: head.note,
    view(name, type) {
      const section = byName.get(name);
      if (!section || section.type !== type) throw broken(`it has no section "${name}"`);
      const at = start + section.offset;
      if (at + section.length * TYPES[type].BYTES_PER_ELEMENT > end) throw broken('it is cut');
      return VIEWS[type](buffer, at, section.length);
    },
  };
}

function readHead(buffer: ArrayBuffer, version: number): Head {
  if (buffer.byteLength < 12 || decodeUtf8(new Uint8Array(buffer, 0, 8)) !== MAGIC) throw broken('it is none');
  const length = new DataView(buffer).getUint32(8, true);
  if (12 + length > buffer.byteLength) throw broken('it is cut');
  const head = parseHead(decodeUtf8(new Uint8Array(buffer, 12, length)));
  if (head === null) throw broken('its head is damaged');
  if (head.version !== version) throw broken(`it is of version ${head.version}`);
  const end = buffer.byteLength - TRAILER;
  const sum = buffer.byteLength % 8 === 0 ? new DataView(buffer).getUint32(end, true) : null;
  if (sum === null || sum !== sumOf(0, new Uint8Array(buffer, 0, end))) throw broken('it is cut or damaged');
  return head;
}

function parseHead(text: string): Head | null {
  try {
    const outcome = v.safeParse(HeadSchema, JSON.parse(text));
    return outcome.success ? outcome.output : null;
  } catch {
    return null;
  }
}

function broken(why: string): AccessionError {
  return failed('storage_failed', `The index cannot be read: ${why}.`);
}
