/** A GeoPackage: tables of features with geometries as WKB behind a header of their own. */
import { feature, type Geometry, type Position } from './features.ts';
import { wrong, type Read } from './json-forms.ts';
import { SqliteFile } from './sqlite-file.ts';

export function readGeoPackage(
  bytes: Uint8Array,
): { name: string; code: number; features: Read['layers'][number]['features'] }[] {
  const file = new SqliteFile(bytes);
  const organizations = new Map<unknown, number>();
  for (const row of file.table('gpkg_spatial_ref_sys'))
    organizations.set(row['srs_id'], Number(row['organization_coordsys_id']));
  const columns = [...file.table('gpkg_geometry_columns')];
  if (columns.length === 0) throw wrong('the GeoPackage has no tables of features');
  return columns.map(({ table_name, column_name, srs_id }) => {
    const [table, column] = [String(table_name), String(column_name)];
    const features = Array.from(file.table(table), ({ [column]: shape, ...properties }) =>
      feature(shape instanceof Uint8Array ? geometryOf(shape) : null, withoutBytes(properties)),
    );
    return { name: table, code: organizations.get(srs_id) ?? Number(srs_id), features };
  });
}

const withoutBytes = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value instanceof Uint8Array ? `${value.length} bytes` : value]),
  );

/** `GP`, version, flags, reference, an envelope, WKB. */
function geometryOf(bytes: Uint8Array): Geometry | null {
  if (bytes[0] !== 0x47 || bytes[1] !== 0x50) throw wrong('a geometry of the GeoPackage is none');
  const flags = bytes[3] ?? 0;
  if ((flags & 0x10) !== 0) return null;
  const envelope = [0, 32, 48, 48, 64][(flags >> 1) & 7];
  if (envelope === undefined) throw wrong('a geometry of the GeoPackage is broken');
  return new Wkb(bytes, 8 + envelope).geometry(0);
}

class Wkb {
  readonly #data: DataView;
  #at: number;
  #little = true;

  constructor(bytes: Uint8Array, at: number) {
    this.#data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#at = at;
  }

  geometry(depth: number): Geometry {
    if (depth > 20 || this.#at + 5 > this.#data.byteLength) throw wrong('a geometry is broken');
    this.#little = this.#data.getUint8(this.#at) === 1;
    this.#at += 1;
    const said = this.#count();
    const kind = (said & 0xffff) % 1000;
    const more = Math.floor((said & 0xffff) / 1000);
    const dimensions =
      2 + (more === 3 || (said & 0xc0000000) === (0xc0000000 | 0) ? 2 : more > 0 || said > 0xffff ? 1 : 0);
    const position = (): Position => {
      const all = Array.from({ length: dimensions }, () => this.#number());
      return all.slice(0, more === 2 ? 2 : 3);
    };
    const line = (): Position[] => this.#many(position);
    switch (kind) {
      case 1:
        return { type: 'Point', coordinates: position() };
      case 2:
        return { type: 'LineString', coordinates: line() };
      case 3:
        return { type: 'Polygon', coordinates: this.#many(line) };
      default: {
        const parts = this.#many(() => this.geometry(depth + 1));
        if (kind === 7) return { type: 'GeometryCollection', geometries: parts };
        const coordinates = parts.map((part) => ('coordinates' in part ? part.coordinates : []));
        const type = ({ 4: 'MultiPoint', 5: 'MultiLineString', 6: 'MultiPolygon' } as const)[kind];
        if (type === undefined) throw wrong(`geometries of kind ${kind} are not read`);
        return { type, coordinates } as Geometry;
      }
    }
  }

  #many<T>(read: () => T): T[] {
    const count = this.#count();
    if (count > this.#data.byteLength) throw wrong('a geometry is broken');
    return Array.from({ length: count }, read);
  }

  #count(): number {
    if (this.#at + 4 > this.#data.byteLength) throw wrong('a geometry is cut');
    this.#at += 4;
    return this.#data.getUint32(this.#at - 4, this.#little);
  }

  #number(): number {
    if (this.#at + 8 > this.#data.byteLength) throw wrong('a geometry is cut');
    this.#at += 8;
    return this.#data.getFloat64(this.#at - 8, this.#little);
  }
}
