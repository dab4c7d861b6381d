import { ascii } from './headers/bytes.ts';

/** The type by content: what tags say about their pictures is often wrong. Null when it is no picture we know. */
export function pictureType(bytes: Uint8Array): PictureType | null {
  if (ascii(bytes, 0, 3) === '\xff\xd8\xff') return 'image/jpeg';
  if (ascii(bytes, 0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png';
  if (ascii(bytes, 0, 4) === 'GIF8') return 'image/gif';
  return ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 4) === 'WEBP' ? 'image/webp' : null;
}

export type PictureType = 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp';
