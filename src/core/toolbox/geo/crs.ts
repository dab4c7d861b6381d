/** Coordinates to WGS 84: longitude and latitude, Web Mercator, and UTM on WGS 84 or ETRS89 (which differ by less than a metre). */
import { failed } from '../../errors.ts';
import type { Position } from './features.ts';

/** Metres; WGS 84. */
const A = 6_378_137;
const F = 1 / 298.257_223_563;
const DEGREES = 180 / Math.PI;

export type ToWgs84 = (position: Position) => Position;

/** @param code of EPSG. Throws AccessionError `tool_input` where it is none of those. */
export function toWgs84(code: number): ToWgs84 {
  if (LONGITUDE_FIRST.has(code)) return (position) => position;
  if (MERCATOR.has(code)) return fromMercator;
  const zone = zoneOf(code);
  if (zone !== null) return ([x = 0, y = 0, ...rest]) => [...fromUtm(x, y, zone), ...rest];
  throw failed('tool_input', `crs: EPSG:${code} is not known here; known are longitude and latitude, Web Mercator and UTM`, { subject: 'crs' }); // prettier-ignore
}

/** Without a library. */
export const isKnown = (code: number): boolean =>
  LONGITUDE_FIRST.has(code) || MERCATOR.has(code) || zoneOf(code) !== null;

/** WGS 84, ETRS89, NAD83, CRS84: the same within a metre or two. */
const LONGITUDE_FIRST = new Set([4326, 4979, 4258, 4269, 0, -1, 84]);
const MERCATOR = new Set([3857, 900_913, 102_100, 102_113, 3785]);

function zoneOf(code: number): { zone: number; south: boolean } | null {
  if (code > 32_600 && code <= 32_660) return { zone: code - 32_600, south: false };
  if (code > 32_700 && code <= 32_760) return { zone: code - 32_700, south: true };
  if (code >= 25_828 && code <= 25_838) return { zone: code - 25_800, south: false };
  return null;
}

const fromMercator: ToWgs84 = ([x = 0, y = 0, ...rest]) => [
  (x / A) * DEGREES,
  (2 * Math.atan(Math.exp(y / A)) - Math.PI / 2) * DEGREES,
  ...rest,
];

/** Krüger's series to the third order: within a millimetre in a zone. */
export function fromUtm(x: number, y: number, { zone, south }: { zone: number; south: boolean }): [number, number] {
  const n = F / (2 - F);
  const rectifying = (A / (1 + n)) * (1 + n ** 2 / 4 + n ** 4 / 64);
  const xi = (y - (south ? 10_000_000 : 0)) / (0.9996 * rectifying);
  const eta = (x - 500_000) / (0.9996 * rectifying);
  const beta = [n / 2 - (2 / 3) * n ** 2 + (37 / 96) * n ** 3, n ** 2 / 48 + n ** 3 / 15, (17 / 480) * n ** 3];
  const delta = [2 * n - (2 / 3) * n ** 2 - 2 * n ** 3, (7 / 3) * n ** 2 - (8 / 5) * n ** 3, (56 / 15) * n ** 3];
  let [xi2, eta2] = [xi, eta];
  beta.forEach((term, at) => {
    const j = 2 * (at + 1);
    xi2 -= term * Math.sin(j * xi) * Math.cosh(j * eta);
    eta2 -= term * Math.cos(j * xi) * Math.sinh(j * eta);
  });
  const chi = Math.asin(Math.sin(xi2) / Math.cosh(eta2));
  let latitude = chi;
  delta.forEach((term, at) => (latitude += term * Math.sin(2 * (at + 1) * chi)));
  const longitude = Math.atan2(Math.sinh(eta2), Math.cos(xi2));
  return [zone * 6 - 183 + longitude * DEGREES, latitude * DEGREES];
}

/** The code that a `.prj` (WKT of ESRI or OGC) means; null: it is none that is known. */
export function codeOfWkt(wkt: string): number | null {
  const authority = /AUTHORITY\["EPSG","(\d+)"\]\s*\]\s*$/.exec(wkt.trim())?.[1] ?? /ID\["EPSG",(\d+)\]\s*\]\s*$/.exec(wkt.trim())?.[1]; // prettier-ignore
  if (authority !== undefined) return Number(authority);
  const [, name = ''] = /^\s*(?:PROJCS|GEOGCS|PROJCRS|GEOGCRS)\["([^"]+)"/.exec(wkt) ?? [];
  const [, zone, side] = /UTM_zone_(\d+)([NS])/i.exec(name.replaceAll(' ', '_')) ?? [];
  if (zone !== undefined) return (side?.toUpperCase() === 'S' ? 32_700 : 32_600) + Number(zone);
  if (/mercator/i.test(name) && /web|pseudo|auxiliary/i.test(name)) return 3857;
  return /^\s*(?:GEOGCS|GEOGCRS)/.test(wkt) && /WGS|ETRS|NAD_?1983|NAD83/i.test(name) ? 4326 : null;
}
