/** A Shapefile: `.shp` (geometry), `.dbf` (its table), `.prj` (its coordinates), `.cpg` (its letters). */
import { decodeUtf8 } from '../../utf8.ts';
import { codeOfWkt } from './crs.ts';
import { BY_WKT } from './grids.ts';
import { feature, polygonsOf, type Geometry, type Position } from './features.ts';
import { wrong, type Read } from './json-forms.ts';

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

export interface ShapeFiles {
  name: string;
  shp: Uint8Array;
  dbf: Uint8Array | null;
  prj: string | null;
  cpg: string | null;
}

export function readShapes({
  name,
  shp,
  dbf,
  prj,
  cpg,
}: ShapeFiles): Read['layers'][number] & { code: number | null; wkt: string | null } {
  const shapes = geometriesOf(shp);
  const rows = dbf === null ? [] : rowsOf(dbf, /utf-?8|65001/i.test(cpg ?? 'utf-8'));
  return {
    name,
    ...{ code: prj === null ? null : (codeOfWkt(prj) ?? BY_WKT), wkt: prj },
    features: shapes.map((geometry, at) => feature(geometry, rows[at] ?? {})),
  };
}

function geometriesOf(shp: Uint8Array): (Geometry | null)[] {
  const data = viewOf(shp);
  if (shp.length < 100 || data.getInt32(0) !== 9994) throw wrong('the .shp is none');
  const shapes: (Geometry | null)[] = [];
  let at = 100;
  while (at + 12 <= shp.length) {
    const end = at + 8 + data.getInt32(at + 4) * 2;
    if (end > shp.length || end <= at + 8) throw wrong('the .shp is cut');
    shapes.push(geometryOf(data, at + 8, end));
    at = end;
  }
  if (at < shp.length) throw wrong('the .shp is cut');
  return shapes;
}

function geometryOf(data: DataView, at: number, end: number): Geometry | null {
  const kind = data.getInt32(at, true) % 10;
  const position = (from: number): Position => [data.getFloat64(from, true), data.getFloat64(from + 8, true)];
  if (kind === 0) return null;
  if (kind === 1) return { type: 'Point', coordinates: position(at + 4) };
  const many = (from: number, count: number): Position[] => {
    if (count < 0 || from + count * 16 > end) throw wrong('the .shp is broken');
    return Array.from({ length: count }, (_, i) => position(from + i * 16));
  };
  if (kind === 8) return { type: 'MultiPoint', coordinates: many(at + 40, data.getInt32(at + 36, true)) };
  if (kind !== 3 && kind !== 5)
    throw wrong(`the .shp has shapes of kind ${data.getInt32(at, true)}, which are not read`);
  const [parts, count] = [data.getInt32(at + 36, true), data.getInt32(at + 40, true)];
  if (parts < 0 || at + 44 + parts * 4 > end) throw wrong('the .shp is broken');
  const all = many(at + 44 + parts * 4, count);
  const starts = Array.from({ length: parts }, (_, i) => data.getInt32(at + 44 + i * 4, true));
  const lines = starts.map((start, i) => all.slice(start, starts[i + 1] ?? count));
  if (kind === 5) return polygonsOf(lines, -1);
  const [only] = lines;
  return lines.length === 1 && only !== undefined
    ? { type: 'LineString', coordinates: only }
    : { type: 'MultiLineString', coordinates: lines };
}

/** dBASE: a line a record, blanks around values; one that is marked `*` was removed. */
function rowsOf(dbf: Uint8Array, isUtf8: boolean): Record<string, unknown>[] {
  const data = viewOf(dbf);
  if (dbf.length < 32) throw wrong('the .dbf is none');
  const [count, header, width] = [data.getUint32(4, true), data.getUint16(8, true), data.getUint16(10, true)];
  const text = (from: number, length: number): string => {
    const bytes = dbf.subarray(from, from + length);
    return (isUtf8 ? decodeUtf8(bytes) : Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')).replace(
      /\0.*$/s,
      '',
    );
  };
  const fields: { name: string; type: string; length: number }[] = [];
  for (let at = 32; at + 32 <= header && dbf[at] !== 13; at += 32)
    fields.push({ name: text(at, 11).trim(), type: text(at + 11, 1), length: dbf[at + 16] ?? 0 });
  if (width === 0 || header + count * width > dbf.length + 1) throw wrong('the .dbf is cut');
  return Array.from({ length: count }, (_, i) => {
    let at = header + i * width + 1;
    return Object.fromEntries(
      fields.map(({ name, type, length }) => {
        const said = text(at, length).trim();
        at += length;
        return [name, valueOf(type, said)];
      }),
    );
  });
}

function valueOf(type: string, said: string): unknown {
  if (said === '' || /^\*+$/.test(said)) return null;
  if (type === 'N' || type === 'F') return Number.isFinite(Number(said)) ? Number(said) : null;
  if (type === 'L') return /^[yt]$/i.test(said) ? true : /^[nf]$/i.test(said) ? false : null;
  if (type === 'D' && /^\d{8}$/.test(said)) return `${said.slice(0, 4)}-${said.slice(4, 6)}-${said.slice(6)}`;
  return said;
}
