/** `map`: points, shapes and countries by value over the world's outlines; nothing is loaded. */
import * as v from 'valibot';
import { isRecord } from '../agent/tools/tool.ts';
import { figureOutput, tableOf } from './draw/figure.ts';
import { kmlOf } from './draw/kml.ts';
import { THEMES } from './draw/theme.ts';
import { fault, firstFault, number } from './fields.ts';
import { toolboxTool, type Fault } from './tool.ts';

export const PROJECTIONS = [
  'equalEarth',
  'naturalEarth1',
  'mercator',
  'equirectangular',
  'orthographic',
  'albers',
  'conicEqualArea',
] as const;
const lat = v.pipe(number, v.minValue(-90, 'must be -90 at least'), v.maxValue(90, 'must be 90 at most'));
const lon = v.pipe(number, v.minValue(-180, 'must be -180 at least'), v.maxValue(180, 'must be 180 at most'));
const point = v.strictObject({
  lat,
  lon,
  label: v.exactOptional(v.pipe(v.string(), v.maxLength(200))),
  value: v.exactOptional(number),
});
const choropleth = v.strictObject({
  by: v.picklist(['iso', 'name'], 'must be iso or name'),
  rows: v.pipe(
    v.array(v.strictObject({ key: v.pipe(v.string(), v.nonEmpty('is empty'), v.maxLength(200)), value: number })),
    v.minLength(1, 'is empty'),
    v.maxLength(1000),
  ),
});
const layer = v.union(
  [
    v.strictObject({ geojson: v.record(v.string(), v.unknown()) }),
    v.strictObject({ points: v.pipe(v.array(point), v.minLength(1, 'is empty'), v.maxLength(20_000)) }),
    v.strictObject({ choropleth }),
  ],
  'must be { geojson }, { points } or { choropleth }',
);
export const MapInputSchema = v.strictObject({
  layers: v.pipe(v.array(layer), v.minLength(1, 'is empty'), v.maxLength(20, 'are more than 20')),
  projection: v.exactOptional(v.picklist(PROJECTIONS, `must be one of ${PROJECTIONS.join(', ')}`)),
  /** West, south, east, north, in degrees. */
  bounds: v.exactOptional(v.tuple([lon, lat, lon, lat])),
  title: v.exactOptional(v.pipe(v.string(), v.maxLength(200))),
  theme: v.exactOptional(v.picklist(THEMES, 'must be light or dark')),
});
export type MapInput = v.InferOutput<typeof MapInputSchema>;

const KINDS = new Set([
  'Point',
  'MultiPoint',
  'LineString',
  'MultiLineString',
  'Polygon',
  'MultiPolygon',
  'GeometryCollection',
  'Feature',
  'FeatureCollection',
]);

export const map = toolboxTool<MapInput>({
  name: 'map',
  description:
    'Draws a map: layers [{ geojson }, { points: [{ lat, lon, label, value }] }, { choropleth: { by: "iso" or "name", rows: [{ key, value }] } }], projection, bounds [west, south, east, north], title, theme. The outlines of the world are on board.',
  runtime: 'draw',
  input: MapInputSchema,
  output: v.looseObject({ ...figureOutput, exports: v.looseObject({}) }),
  example: { layers: [{ points: [{ lat: 52.52, lon: 13.4, label: 'Berlin' }] }], title: 'One place' },
  unread: ['svg', 'exports'],
  check: ({ layers, bounds }) =>
    firstFault(
      ...layers.map((one) => geojsonFault(one)),
      bounds !== undefined &&
        (bounds[0] >= bounds[2] || bounds[1] >= bounds[3]) &&
        fault('bounds', 'must be west, south, east, north'),
    ),
  job: (input) => ({ program: 'map', data: { ...input, description: describe(input) } }),
  finish: (value, input) => ({
    ...value,
    description: describe(input),
    table: tableOf(rowsOf(input)),
    exports: { geojson: collectionOf(input), kml: kmlOf(collectionOf(input).features, input.title ?? 'Map') },
  }),
});

function geojsonFault(given: MapInput['layers'][number]): Fault | null {
  if (!('geojson' in given)) return null;
  return KINDS.has(String(given.geojson['type'])) ? null : fault('layers', 'a layer is no GeoJSON');
}

function rowsOf({ layers }: MapInput): Record<string, unknown>[] {
  return layers.flatMap((one): Record<string, unknown>[] => {
    if ('points' in one) return one.points;
    if ('choropleth' in one) return one.choropleth.rows;
    return featuresOf(one.geojson).map((feature) => (isRecord(feature['properties']) ? feature['properties'] : {}));
  });
}

function featuresOf(geojson: Record<string, unknown>): Record<string, unknown>[] {
  if (geojson['type'] === 'FeatureCollection')
    return Array.isArray(geojson['features']) ? geojson['features'].filter(isRecord) : [];
  if (geojson['type'] === 'Feature') return [geojson];
  return [{ type: 'Feature', properties: {}, geometry: geojson }];
}

function collectionOf({ layers }: MapInput): { type: string; features: object[] } {
  const features = layers.flatMap((one): object[] => {
    if ('geojson' in one) return featuresOf(one.geojson);
    if (!('points' in one)) return [];
    return one.points.map(({ lat: y, lon: x, ...properties }) => ({
      ...{ type: 'Feature', properties },
      geometry: { type: 'Point', coordinates: [x, y] },
    }));
  });
  return { type: 'FeatureCollection', features };
}

function describe({ layers, title }: MapInput): string {
  const parts = layers.map((one) => {
    if ('points' in one) {
      const labels = one.points.flatMap(({ label }) => label ?? []).slice(0, 5);
      return `${one.points.length} ${one.points.length === 1 ? 'point' : 'points'}${labels.length > 0 ? ` (${labels.join(', ')}${labels.length < one.points.length ? ', ...' : ''})` : ''}`;
    }
    if ('choropleth' in one) {
      const values = one.choropleth.rows.map(({ value }) => value);
      return `${values.length} countries by value, from ${Math.min(...values)} to ${Math.max(...values)}`;
    }
    return `${featuresOf(one.geojson).length} shapes`;
  });
  return `${title === undefined ? '' : `${title}. `}Map with ${parts.join('; ')}.`;
}
