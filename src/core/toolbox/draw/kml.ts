/** Features of GeoJSON as KML. */
import { isRecord } from '../../agent/tools/tool.ts';
import { cleanXml, escapeXml, escapeXmlAttribute } from '../../text/xml.ts';

const said = (value: unknown): string => cleanXml(String(value as string | number));

export function kmlOf(features: readonly unknown[], name: string): string {
  const placed = features.filter(isRecord).map(placemark).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>${escapeXml(said(name))}</name>${placed}</Document></kml>\n`;
}

function placemark({ properties, geometry }: Record<string, unknown>): string {
  const known = isRecord(properties) ? properties : {};
  const { name, label = name } = known;
  const data = Object.entries(known)
    .filter(([, value]) => typeof value !== 'object')
    .map(
      ([key, value]) => `<Data name="${escapeXmlAttribute(said(key))}"><value>${escapeXml(said(value))}</value></Data>`,
    )
    .join('');
  const named = label === undefined || label === null ? '' : `<name>${escapeXml(said(label))}</name>`;
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
