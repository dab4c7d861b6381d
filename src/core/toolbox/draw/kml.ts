/** Features of GeoJSON as KML. */
import { isRecord } from '../../agent/tools/tool.ts';

const escaped = (text: unknown): string =>
  String(text as string | number)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    // XML has no control characters but these three.
    .replaceAll(/[^\t\n\r -\uffff]/g, '');

export function kmlOf(features: readonly unknown[], name: string): string {
  const placed = features.filter(isRecord).map(placemark).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>${escaped(name)}</name>${placed}</Document></kml>\n`;
}

function placemark({ properties, geometry }: Record<string, unknown>): string {
  const known = isRecord(properties) ? properties : {};
  const { name, label = name } = known;
  const data = Object.entries(known)
    .filter(([, value]) => typeof value !== 'object')
    .map(
      ([key, value]) =>
        `<Data name="${escaped(key).replaceAll('"', '&quot;')}"><value>${escaped(value)}</value></Data>`,
    )
    .join('');
  const named = label === undefined || label === null ? '' : `<name>${escaped(label)}</name>`;
  return `<Placemark>${named}${data === '' ? '' : `<ExtendedData>${data}</ExtendedData>`}${shape(geometry)}</Placemark>`;
}

function shape(geometry: unknown): string {
  if (!isRecord(geometry)) return '';
  const { type, coordinates, geometries } = geometry;
  const list = Array.isArray(coordinates) ? (coordinates as unknown[]) : [];
  const all = (kind: string): string => list.map((one) => shape({ type: kind, coordinates: one })).join('');
  switch (type) {
    case 'Point':
      return `<Point><coordinates>${place(list)}</coordinates></Point>`;
    case 'LineString':
      return `<LineString><coordinates>${places(list)}</coordinates></LineString>`;
    case 'Polygon':
      return `<Polygon>${list.map((ring, at) => ringOf(ring, at === 0 ? 'outer' : 'inner')).join('')}</Polygon>`;
    case 'MultiPoint':
      return `<MultiGeometry>${all('Point')}</MultiGeometry>`;
    case 'MultiLineString':
      return `<MultiGeometry>${all('LineString')}</MultiGeometry>`;
    case 'MultiPolygon':
      return `<MultiGeometry>${all('Polygon')}</MultiGeometry>`;
    default:
      return Array.isArray(geometries) ? `<MultiGeometry>${geometries.map(shape).join('')}</MultiGeometry>` : '';
  }
}

const ringOf = (ring: unknown, which: 'outer' | 'inner'): string =>
  `<${which}BoundaryIs><LinearRing><coordinates>${places(ring)}</coordinates></LinearRing></${which}BoundaryIs>`;
const places = (list: unknown): string => (Array.isArray(list) ? list.map(place).join(' ') : '');
const place = (one: unknown): string => (Array.isArray(one) ? one.slice(0, 3).map(Number).join(',') : '');
