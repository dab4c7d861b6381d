/** Maps in JSON: GeoJSON, TopoJSON, Esri's features. */
import { isRecord } from '../../agent/tools/tool.ts';
import { failed } from '../../errors.ts';
import { feature, polygonsOf, type Feature, type Geometry, type Position } from './features.ts';

export interface Read {
  kind: string;
  /** EPSG, as the file says; null: it says nothing. */
  code: number | null;
  layers: { name: string; features: Feature[] }[];
  /** What else there is to say of it. */
  facts?: Record<string, unknown>;
}

/** Null: it is none of them. Throws AccessionError `tool_input`. */
export function readJsonForm(json: unknown): Read | null {
  if (!isRecord(json)) return null;
  const { type } = json;
  if (type === 'Topology') return readTopology(json);
  const crs: unknown = json['crs'];
  if (type === 'FeatureCollection' || type === 'Feature' || isGeometry(json)) {
    const all = type === 'FeatureCollection' ? json['features'] : [json];
    if (!Array.isArray(all)) throw wrong('its features are no list');
    return { kind: 'GeoJSON', code: codeIn(crs), layers: [{ name: 'features', features: all.map(ofGeoJson) }] };
  }
  return Array.isArray(json['features']) && ('geometryType' in json || 'spatialReference' in json)
    ? readEsri(json)
    : null;
}

const GEOMETRIES = new Set(['Point', 'MultiPoint', 'LineString', 'MultiLineString', 'Polygon', 'MultiPolygon', 'GeometryCollection']); // prettier-ignore

function isGeometry(value: unknown): value is Geometry {
  if (!isRecord(value) || !GEOMETRIES.has(String(value['type']))) return false;
  const inner = value['geometries'];
  if (value['type'] === 'GeometryCollection') return Array.isArray(inner) && inner.every(isGeometry);
  return Array.isArray(value['coordinates']);
}

function ofGeoJson(value: unknown): Feature {
  if (isGeometry(value)) return feature(value, {});
  if (!isRecord(value)) throw wrong('a feature is no object');
  const { geometry, properties, id } = value;
  if (geometry !== null && geometry !== undefined && !isGeometry(geometry)) throw wrong('a geometry is not known');
  const own = isRecord(properties) ? properties : {};
  return feature(geometry ?? null, id === undefined || 'id' in own ? own : { id, ...own });
}

/** An old member of GeoJSON: `urn:ogc:def:crs:EPSG::2056`. */
function codeIn(crs: unknown): number | null {
  const name = isRecord(crs) && isRecord(crs['properties']) ? String(crs['properties']['name']) : '';
  const [, code] = /EPSG:{1,2}(?:[\d.]*:)?(\d+)$/.exec(name) ?? [];
  return code === undefined ? null : Number(code);
}

function readTopology({ arcs, transform, objects }: Record<string, unknown>): Read {
  if (!Array.isArray(arcs) || !isRecord(objects)) throw wrong('the topology has no arcs or objects');
  const { scale = [1, 1], translate = [0, 0] } = (isRecord(transform) ? transform : {}) as { scale?: number[]; translate?: number[] }; // prettier-ignore
  const quantized = isRecord(transform);
  const place = ([x = 0, y = 0, ...rest]: Position): Position => [x * (scale[0] ?? 1) + (translate[0] ?? 0), y * (scale[1] ?? 1) + (translate[1] ?? 0), ...rest]; // prettier-ignore
  const lines = (arcs as Position[][]).map((arc) => {
    let [x, y] = [0, 0];
    return arc.map((position) => {
      if (!quantized) return position;
      x += position[0] ?? 0;
      y += position[1] ?? 0;
      return place([x, y]);
    });
  });
  /** Ends that meet are written once. */
  const lineOf = (indexes: readonly number[]): Position[] =>
    indexes.flatMap((index, at) => {
      const line = index < 0 ? (lines[~index] ?? []).toReversed() : (lines[index] ?? []);
      return at === 0 ? line : line.slice(1);
    });
  const geometryOf = (value: Record<string, unknown>): Geometry | null => {
    const { type, coordinates, arcs: own } = value as { type: string; coordinates: unknown; arcs: unknown };
    const at = (position: unknown): Position => (quantized ? place(position as Position) : (position as Position));
    if (type === 'Point') return { type, coordinates: at(coordinates) };
    if (type === 'MultiPoint') return { type, coordinates: (coordinates as unknown[]).map(at) };
    if (type === 'LineString') return { type, coordinates: lineOf(own as number[]) };
    if (type === 'MultiLineString' || type === 'Polygon') return { type, coordinates: (own as number[][]).map(lineOf) };
    if (type === 'MultiPolygon') return { type, coordinates: (own as number[][][]).map((rings) => rings.map(lineOf)) };
    return null;
  };
  const layers = Object.entries(objects).map(([name, object]) => {
    const members = isRecord(object) && Array.isArray(object['geometries']) ? object['geometries'] : [object];
    return {
      name,
      features: members.filter(isRecord).map((one) => {
        const properties = isRecord(one['properties']) ? one['properties'] : {};
        return feature(geometryOf(one), one['id'] === undefined ? properties : { id: one['id'], ...properties });
      }),
    };
  });
  return { kind: 'TopoJSON', code: null, layers };
}

/** As a FeatureServer answers with `f=json`: outer rings go clockwise. */
export function readEsri(json: Record<string, unknown>): Read {
  const { spatialReference, features } = json;
  const reference = isRecord(spatialReference) ? (spatialReference['latestWkid'] ?? spatialReference['wkid']) : null;
  const all = (features as unknown[]).filter(isRecord).map((one) => {
    const { geometry, attributes } = one;
    return feature(isRecord(geometry) ? ofEsri(geometry) : null, isRecord(attributes) ? attributes : {});
  });
  const code = typeof reference === 'number' ? reference : null;
  return { kind: 'Esri JSON', code, layers: [{ name: 'features', features: all }] };
}

function ofEsri({ x, y, points, paths, rings }: Record<string, unknown>): Geometry | null {
  if (typeof x === 'number' && typeof y === 'number') return { type: 'Point', coordinates: [x, y] };
  if (Array.isArray(points)) return { type: 'MultiPoint', coordinates: points as Position[] };
  if (Array.isArray(paths)) return { type: 'MultiLineString', coordinates: paths as Position[][] };
  return Array.isArray(rings) ? polygonsOf(rings as Position[][], -1) : null;
}

export const wrong = (why: string): Error => failed('tool_input', `file: ${why}`, { subject: 'file' });
