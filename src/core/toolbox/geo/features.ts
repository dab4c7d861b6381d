/** Features as GeoJSON has them (RFC 7946): WGS 84, longitude first. */

export type Position = number[];
export type Geometry =
  | { type: 'Point'; coordinates: Position }
  | { type: 'MultiPoint' | 'LineString'; coordinates: Position[] }
  | { type: 'MultiLineString' | 'Polygon'; coordinates: Position[][] }
  | { type: 'MultiPolygon'; coordinates: Position[][][] }
  | { type: 'GeometryCollection'; geometries: Geometry[] };

export interface Feature {
  type: 'Feature';
  geometry: Geometry | null;
  properties: Record<string, unknown>;
}

export const feature = (geometry: Geometry | null, properties: Record<string, unknown>): Feature => ({
  ...{ type: 'Feature', geometry, properties },
});

/** Every position, changed in its place by what is answered. */
export function mapPositions(geometry: Geometry, change: (position: Position) => Position): Geometry {
  if (geometry.type === 'GeometryCollection')
    return { ...geometry, geometries: geometry.geometries.map((one) => mapPositions(one, change)) };
  return { ...geometry, coordinates: deep(geometry.coordinates, change) } as Geometry;
}

function deep(coordinates: unknown, change: (position: Position) => Position): unknown {
  if (!Array.isArray(coordinates)) return coordinates;
  if (typeof coordinates[0] === 'number') return change(coordinates as Position);
  return coordinates.map((one) => deep(one, change));
}

/** West, south, east, north; null: there is no position. */
export function boundsOf(features: readonly Feature[]): [number, number, number, number] | null {
  const bounds: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { geometry } of features)
    if (geometry !== null)
      mapPositions(geometry, (position) => {
        const [x = NaN, y = NaN] = position;
        bounds[0] = Math.min(bounds[0], x);
        bounds[1] = Math.min(bounds[1], y);
        bounds[2] = Math.max(bounds[2], x);
        bounds[3] = Math.max(bounds[3], y);
        return position;
      });
  return Number.isFinite(bounds[0]) ? bounds : null;
}

/** Where a ring goes round: above 0 counter-clockwise, as outer rings of RFC 7946 do. */
export function areaOf(ring: readonly Position[]): number {
  let sum = 0;
  ring.forEach(([x = 0, y = 0], at) => {
    const [nextX = 0, nextY = 0] = ring[(at + 1) % ring.length] ?? [];
    sum += x * nextY - nextX * y;
  });
  return sum / 2;
}

/** Outer rings with the holes that lie in them; `outer`: how outer rings go round. */
export function polygonsOf(rings: readonly Position[][], outer: 1 | -1): Geometry {
  const outers = rings.filter((ring) => areaOf(ring) * outer >= 0).map((ring) => [ring]);
  for (const hole of rings.filter((ring) => areaOf(ring) * outer < 0)) {
    const owner = outers.find(([ring = []]) => isWithin(hole[0] ?? [], ring)) ?? outers[0];
    if (owner === undefined) outers.push([hole]);
    else owner.push(hole);
  }
  const [only] = outers;
  return outers.length === 1 && only !== undefined
    ? { type: 'Polygon', coordinates: only }
    : { type: 'MultiPolygon', coordinates: outers };
}

function isWithin([x = 0, y = 0]: Position, ring: readonly Position[]): boolean {
  let within = false;
  ring.forEach(([ax = 0, ay = 0], at) => {
    const [bx = 0, by = 0] = ring[(at + ring.length - 1) % ring.length] ?? [];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) within = !within;
  });
  return within;
}
