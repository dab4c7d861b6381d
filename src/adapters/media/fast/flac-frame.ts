/** CRC-16 of FLAC frames (polynomial 0x8005, not reflected): decoders of browsers do not look at it. */

/** Four tables, so that four bytes cost four look-ups and no shifts between them. */
const TABLES = makeTables();

/** True when the frame's last two bytes are the checksum of those before them. */
export function isWholeFrame(frame: Uint8Array): boolean {
  const [t0, t1, t2, t3] = TABLES;
  const end = frame.length - 2;
  if (end < 4) return false;
  let crc = 0;
  let at = 0;
  for (; at + 4 <= end; at += 4) {
    crc =
      (t3[((crc >> 8) ^ (frame[at] ?? 0)) & 255] ?? 0) ^
      (t2[(crc ^ (frame[at + 1] ?? 0)) & 255] ?? 0) ^
      (t1[frame[at + 2] ?? 0] ?? 0) ^
      (t0[frame[at + 3] ?? 0] ?? 0);
  }
  for (; at < end; at += 1) crc = ((crc << 8) & 0xffff) ^ (t0[(crc >> 8) ^ (frame[at] ?? 0)] ?? 0);
  return crc === (frame[end] ?? 0) * 256 + (frame[end + 1] ?? 0);
}

function makeTables(): [Uint16Array, Uint16Array, Uint16Array, Uint16Array] {
  const first = Uint16Array.from({ length: 256 }, (_, byte) => {
    let crc = byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? (crc << 1) ^ 0x8005 : crc << 1;
    return crc & 0xffff;
  });
  const next = (table: Uint16Array): Uint16Array => table.map((crc) => ((crc << 8) & 0xffff) ^ (first[crc >> 8] ?? 0));
  const second = next(first);
  const third = next(second);
  return [first, second, third, next(third)];
}
