/** A GeoTIFF: where it lies, and what its values are like. Read are strips and tiles, plain or by DEFLATE, one value or more a pixel. */
import { failed } from '../../errors.ts';
import { inflate } from './inflate.ts';
import { wrong } from './json-forms.ts';

/** Pixels times values of one. */
const MOST_VALUES = 50_000_000;
const SIZES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8];

export const isTiff = (bytes: Uint8Array): boolean =>
  (bytes[0] === 0x49 && bytes[1] === 0x49 && bytes[2] === 42) ||
  (bytes[0] === 0x4d && bytes[1] === 0x4d && bytes[3] === 42);

export interface Raster {
  width: number;
  height: number;
  bands: { min: number; max: number; mean: number; sd: number; count: number; missing: number }[] | null;
  /** Why there is nothing to say of the values. */
  unread: string | null;
  /** EPSG; null: it says none. */
  code: number | null;
  /** Corners in its own coordinates; null: it says none. */
  corners: [x: number, y: number][] | null;
}

export function readGeoTiff(bytes: Uint8Array): Raster {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const little = bytes[0] === 0x49;
  const tags = tagsOf(data, little);
  const one = (tag: number, usual: number): number => tags.get(tag)?.[0] ?? usual;
  const [width, height] = [one(256, 0), one(257, 0)];
  if (width < 1 || height < 1) throw wrong('the TIFF has no size');
  const { bands, unread } = valuesOf(bytes, data, little, tags, { width, height });
  return {
    width,
    height,
    bands,
    unread,
    code: codeOf(tags.get(34_735) ?? []),
    corners: cornersOf(tags, width, height),
  };
}

type Tags = ReadonlyMap<number, number[]>;

function tagsOf(data: DataView, little: boolean): Tags {
  const tags = new Map<number, number[]>();
  const at = data.getUint32(4, little);
  if (at + 2 > data.byteLength) throw wrong('the TIFF is cut');
  const count = data.getUint16(at, little);
  if (at + 2 + count * 12 > data.byteLength) throw wrong('the TIFF is cut');
  for (let i = 0; i < count; i++) {
    const entry = at + 2 + i * 12;
    const [tag, type, length] = [
      data.getUint16(entry, little),
      data.getUint16(entry + 2, little),
      data.getUint32(entry + 4, little),
    ];
    const size = SIZES[type] ?? 0;
    const from = size * length <= 4 ? entry + 8 : data.getUint32(entry + 8, little);
    if (size === 0 || from + size * length > data.byteLength) continue;
    tags.set(
      tag,
      Array.from({ length }, (_, j) => numberAt(data, from + j * size, type, little)),
    );
  }
  return tags;
}

function numberAt(data: DataView, at: number, type: number, little: boolean): number {
  switch (type) {
    case 3:
      return data.getUint16(at, little);
    case 4:
      return data.getUint32(at, little);
    case 8:
      return data.getInt16(at, little);
    case 9:
      return data.getInt32(at, little);
    case 11:
      return data.getFloat32(at, little);
    case 12:
      return data.getFloat64(at, little);
    case 5:
      return data.getUint32(at, little) / data.getUint32(at + 4, little);
    default:
      return type === 6 ? data.getInt8(at) : data.getUint8(at);
  }
}

/** Keys by fours: which, where it stands (0: here), how many, what. */
function codeOf(keys: readonly number[]): number | null {
  const known = new Map<number, number>();
  for (let at = 4; at + 3 < keys.length; at += 4) if (keys[at + 1] === 0) known.set(keys[at] ?? 0, keys[at + 3] ?? 0);
  const code = known.get(3072) ?? known.get(2048);
  return code === undefined || code === 32_767 ? null : code;
}

function cornersOf(tags: Tags, width: number, height: number): Raster['corners'] {
  const matrix = tags.get(34_264);
  const [scale, tie] = [tags.get(33_550), tags.get(33_922)];
  const place = (column: number, row: number): [number, number] | null => {
    if (matrix !== undefined && matrix.length >= 8) {
      const [a = 0, b = 0, , d = 0, e = 0, f = 0, , h = 0] = matrix;
      return [a * column + b * row + d, e * column + f * row + h];
    }
    if (scale === undefined || tie === undefined) return null;
    const [sx = 1, sy = 1] = scale;
    const [i = 0, j = 0, , x = 0, y = 0] = tie;
    return [x + (column - i) * sx, y - (row - j) * sy];
  };
  const corners = [place(0, 0), place(width, 0), place(width, height), place(0, height)];
  return corners.every((corner) => corner !== null) ? corners : null;
}

function valuesOf(
  bytes: Uint8Array,
  data: DataView,
  little: boolean,
  tags: Tags,
  { width, height }: { width: number; height: number },
): Pick<Raster, 'bands' | 'unread'> {
  const one = (tag: number, usual: number): number => tags.get(tag)?.[0] ?? usual;
  const [bits, samples, packing, form, predictor] = [one(258, 1), one(277, 1), one(259, 1), one(339, 1), one(317, 1)];
  const refuse = (unread: string): Pick<Raster, 'bands' | 'unread'> => ({ bands: null, unread });
  if (![1, 8, 32_946].includes(packing)) return refuse(`its values are packed in a way that is not read (${packing})`);
  if (predictor !== 1) return refuse('its values are written as differences, which is not read');
  if (![8, 16, 32, 64].includes(bits)) return refuse(`its values have ${bits} bits`);
  if (one(284, 1) !== 1 && samples > 1) return refuse('its bands lie apart');
  if (width * height * samples > MOST_VALUES) throw failed('tool_limit', `file: has more than ${MOST_VALUES} values`);
  const tiled = tags.has(322);
  const [offsets, counts] = tiled ? [tags.get(324), tags.get(325)] : [tags.get(273), tags.get(279)];
  if (offsets === undefined || counts === undefined) return refuse('it does not say where its values are');
  const [blockWidth, blockHeight] = tiled
    ? [one(322, width), one(323, height)]
    : [width, Math.min(one(278, height), height)];
  const across = Math.ceil(width / blockWidth);
  const missing = noData(data, tags);
  const sums = Array.from({ length: samples }, () => ({ min: Infinity, max: -Infinity, sum: 0, squares: 0, count: 0, missing: 0, first: NaN })); // prettier-ignore
  const size = bits / 8;
  offsets.forEach((offset, at) => {
    const packed = bytes.subarray(offset, offset + (counts[at] ?? 0));
    const body = packing === 1 ? packed : inflate(packed.subarray(2), blockWidth * blockHeight * samples * size + 64);
    const block = new DataView(body.buffer, body.byteOffset, body.byteLength);
    const [left, top] = [(at % across) * blockWidth, Math.floor(at / across) * blockHeight];
    for (let row = 0; row < blockHeight && top + row < height; row++)
      for (let column = 0; column < blockWidth && left + column < width; column++)
        for (let band = 0; band < samples; band++) {
          const from = ((row * blockWidth + column) * samples + band) * size;
          const stats = sums[band];
          if (stats === undefined || from + size > body.length) throw wrong('the TIFF is cut');
          const value = sampleAt(block, from, bits, form, little);
          if (!Number.isFinite(value) || value === missing) {
            stats.missing += 1;
            continue;
          }
          if (stats.count === 0) stats.first = value;
          const off = value - stats.first;
          stats.min = Math.min(stats.min, value);
          stats.max = Math.max(stats.max, value);
          stats.sum += off;
          stats.squares += off * off;
          stats.count += 1;
        }
  });
  const bands = sums.map(({ min, max, sum, squares, count, missing: none, first }) => ({
    ...{ min, max, count, missing: none, mean: first + sum / count },
    sd: Math.sqrt(Math.max(0, (squares - (sum * sum) / count) / Math.max(1, count - 1))),
  }));
  return bands.some(({ count }) => count === 0) ? refuse('it has no values') : { bands, unread: null };
}

/** GDAL writes it as text. */
function noData(_data: DataView, tags: Tags): number | null {
  const text = tags.get(42_113);
  return text === undefined
    ? null
    : Number(
        String.fromCharCode(...text)
          .replace(/\0.*$/s, '')
          .trim(),
      );
}

function sampleAt(block: DataView, at: number, bits: number, form: number, little: boolean): number {
  if (form === 3) return bits === 64 ? block.getFloat64(at, little) : block.getFloat32(at, little);
  if (bits === 8) return form === 2 ? block.getInt8(at) : block.getUint8(at);
  if (bits === 16) return form === 2 ? block.getInt16(at, little) : block.getUint16(at, little);
  return form === 2 ? block.getInt32(at, little) : block.getUint32(at, little);
}
