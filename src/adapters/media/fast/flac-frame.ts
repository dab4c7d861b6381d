/** One frame of FLAC to its samples: https://www.rfc-editor.org/rfc/rfc9639#section-9 */

export interface FlacShape {
  channels: number;
  /** Of a sample, 4 to 24: more do not fit into the arithmetic here. */
  bits: number;
}

const MOST_BITS = 24;
/** Bits of a sample by the frame's code; 0 stands for what STREAMINFO says. */
const BITS = [0, 8, 12, -1, 16, 20, 24, 32];
/** Channels by their code from 8 on: which of the two is the difference of both. */
const LEFT_SIDE = 8;
const SIDE_RIGHT = 9;
const MID_SIDE = 10;
/** Predictors that need no coefficients in the file. */
const FIXED = [[], [1], [2, -1], [3, -3, 1], [4, -6, 4, -1]];
/** A word that is read ahead may lie behind the frame. Bytes. */
const BEHIND = 8;

/**
 * The channels' samples as whole numbers. Null where it is no frame of this shape, or nothing that can be decoded; its
 * checksums are not looked at.
 */
export function decodeFrame(frame: Uint8Array, shape: FlacShape): Int32Array[] | null {
  if (shape.bits > MOST_BITS) return null;
  const bits = new Bits(frame);
  try {
    const head = readHeader(bits, shape);
    if (head === null) return null;
    const { channels, length } = head;
    const planes: Int32Array[] = [];
    for (let channel = 0; channel < shape.channels; channel += 1) {
      const isSide = channel === (channels === SIDE_RIGHT ? 0 : 1) && channels >= LEFT_SIDE;
      const plane = readSubframe(bits, length, shape.bits + (isSide ? 1 : 0));
      if (plane === null) return null;
      planes.push(plane);
    }
    const [first, second] = planes;
    if (first && second) separate(channels, first, second);
    return planes;
  } catch (error) {
    // Read beyond its end.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Reads from the highest bit of each byte on. Throws RangeError behind the end. */
class Bits {
  readonly view: DataView;
  /** Bits that were read. */
  at = 0;

  constructor(bytes: Uint8Array) {
    const padded = new Uint8Array(bytes.length + BEHIND);
    padded.set(bytes);
    this.view = new DataView(padded.buffer);
  }

  /** The next `count` bits, 0 to 32, as a number from 0 on. */
  read(count: number): number {
    if (count > 16) return this.read(count - 16) * 65_536 + this.read(16);
    if (count === 0) return 0;
    const word = this.view.getUint32(this.at >>> 3) << (this.at & 7);
    this.at += count;
    return word >>> (32 - count);
  }

  readSigned(count: number): number {
    const value = this.read(count);
    return count > 0 && value >= 2 ** (count - 1) ? value - 2 ** count : value;
  }

  /** How many zeros stand before the next one, which is read too. */
  readZeros(): number {
    for (let zeros = 0; ;) {
      const word = this.view.getUint32(this.at >>> 3) << (this.at & 7);
      const found = word === 0 ? 32 - (this.at & 7) : Math.clz32(word);
      zeros += found;
      this.at += found;
      if (word === 0) continue;
      this.at += 1;
      return zeros;
    }
  }
}

/** The code of its channels, and how many samples each has. */
function readHeader(bits: Bits, shape: FlacShape): { channels: number; length: number } | null {
  if (bits.read(15) !== 0x7ffc) return null;
  bits.read(1);
  const [lengthCode, rateCode, channels, bitsCode] = [bits.read(4), bits.read(4), bits.read(4), bits.read(3)];
  bits.read(1);
  // The number of the frame, coded like UTF-8.
  const first = bits.read(8);
  const more = first < 0x80 ? 0 : Math.clz32(~(first << 24)) - 1;
  for (let i = 0; i < more; i += 1) bits.read(8);
  const length = readLength(bits, lengthCode);
  if (rateCode >= 12) bits.read(rateCode === 12 ? 8 : 16);
  bits.read(8);
  const count = channels < LEFT_SIDE ? channels + 1 : 2;
  const said = BITS[bitsCode] || shape.bits;
  return length === 0 || channels > MID_SIDE || count !== shape.channels || said !== shape.bits
    ? null
    : { channels, length };
}

function readLength(bits: Bits, code: number): number {
  if (code === 0) return 0;
  if (code === 1) return 192;
  if (code < 6) return 576 << (code - 2);
  if (code === 6) return bits.read(8) + 1;
  if (code === 7) return bits.read(16) + 1;
  return 256 << (code - 8);
}

function readSubframe(bits: Bits, length: number, size: number): Int32Array | null {
  if (bits.read(1) !== 0) return null;
  const kind = bits.read(6);
  const wasted = bits.read(1) === 0 ? 0 : bits.readZeros() + 1;
  const own = size - wasted;
  if (own < 1) return null;
  const plane = new Int32Array(length);
  if (!readSamples(bits, kind, own, plane)) return null;
  if (wasted > 0) for (let i = 0; i < length; i += 1) plane[i] = (plane[i] ?? 0) << wasted;
  return plane;
}

/** False for a kind that there is not. */
function readSamples(bits: Bits, kind: number, size: number, plane: Int32Array): boolean {
  if (kind === 0) plane.fill(bits.readSigned(size));
  else if (kind === 1) for (let i = 0; i < plane.length; i += 1) plane[i] = bits.readSigned(size);
  else {
    const order = kind >= 32 ? kind - 31 : kind - 8;
    if (order < 0 || order > plane.length || (kind < 32 && order > 4)) return false;
    for (let i = 0; i < order; i += 1) plane[i] = bits.readSigned(size);
    let [coefficients, shift]: [number[], number] = [FIXED[order] ?? [], 0];
    if (kind >= 32) {
      const precision = bits.read(4) + 1;
      shift = bits.readSigned(5);
      if (precision === 16 || shift < 0) return false;
      coefficients = Array.from({ length: order }, () => bits.readSigned(precision));
    }
    if (!readResidual(bits, plane, order)) return false;
    predict(plane, coefficients, shift);
  }
  return true;
}

/** What the predictor was off, from the sample `order` on. */
function readResidual(bits: Bits, plane: Int32Array, order: number): boolean {
  const method = bits.read(2);
  if (method > 1) return false;
  const size = method === 0 ? 4 : 5;
  const parts = 1 << bits.read(4);
  const each = plane.length / parts;
  if (!Number.isInteger(each) || each < order) return false;
  for (let part = 0, at = order; part < parts; part += 1) {
    const end = (part + 1) * each;
    const parameter = bits.read(size);
    if (parameter < (1 << size) - 1) readRice(bits, plane.subarray(at, end), parameter);
    else {
      const plain = bits.read(5);
      for (let i = at; i < end; i += 1) plane[i] = bits.readSigned(plain);
    }
    at = end;
  }
  return true;
}

/** The innermost loop: a count of zeros and `low` bits for each. */
function readRice(bits: Bits, plane: Int32Array, low: number): void {
  const { view } = bits;
  for (let i = 0; i < plane.length; i += 1) {
    const high = bits.readZeros();
    let value = high;
    if (low > 16) value = high * 2 ** low + bits.read(low);
    else if (low > 0) {
      const { at } = bits;
      value = ((high << low) | ((view.getUint32(at >>> 3) << (at & 7)) >>> (32 - low))) >>> 0;
      bits.at = at + low;
    }
    plane[i] = (value >>> 1) ^ -(value & 1);
  }
}

/** Adds to each sample what those before it say of it. Numbers of 53 bits hold every sum exactly. */
function predict(plane: Int32Array, coefficients: number[], shift: number): void {
  const order = coefficients.length;
  const factors = Float64Array.from(coefficients);
  const divisor = 2 ** shift;
  for (let i = order; i < plane.length; i += 1) {
    let sum = 0;
    for (let j = 0; j < order; j += 1) sum += (factors[j] ?? 0) * (plane[i - 1 - j] ?? 0);
    plane[i] = (plane[i] ?? 0) + Math.floor(sum / divisor);
  }
}

/** Two channels of which one is stored as their difference become left and right, in place. */
function separate(channels: number, first: Int32Array, second: Int32Array): void {
  for (let i = 0; i < first.length; i += 1) {
    const [a, b] = [first[i] ?? 0, second[i] ?? 0];
    if (channels === LEFT_SIDE) second[i] = a - b;
    else if (channels === SIDE_RIGHT) first[i] = a + b;
    else if (channels === MID_SIDE) {
      const sum = 2 * a + (b & 1);
      first[i] = (sum + b) >> 1;
      second[i] = (sum - b) >> 1;
    }
  }
}
