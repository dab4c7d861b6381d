import { nanoid, random } from 'nanoid';
import type { Ids } from './ports.ts';

/** 21 URL-safe characters, 126 bits: https://github.com/ai/nanoid. */
export const randomIds: Ids = { next: () => nanoid() };

/** Random UUIDs, version 4 (RFC 9562), also where `crypto.randomUUID` is missing: pages over plain HTTP. */
export const randomUuids: Ids = { next: () => uuidOf(random(16)) };

/** 16 random bytes as a version 4 UUID. */
export function uuidOf(bytes: Uint8Array): string {
  const hex = [...bytes.slice(0, 16)].map((byte, at) => {
    const fixed = at === 6 ? (byte & 0x0f) | 0x40 : at === 8 ? (byte & 0x3f) | 0x80 : byte;
    return fixed.toString(16).padStart(2, '0');
  });
  return hex.join('').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
