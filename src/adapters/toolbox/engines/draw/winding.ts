/** Rings of GeoJSON go round as RFC 7946 has them, or as their program wrote them; on a sphere the other way is the rest of the world. */
import { isRecord } from '#core/agent/tools/tool.ts';

type Ring = [number, number][];

/** The same, each outline clockwise and each hole against it, as d3-geo wants them. */
export function turned<T>(given: T): T {
  return turn(given) as T;
}

function turn(given: unknown): unknown {
  if (!isRecord(given)) return given;
  const { type, geometry, geometries, coordinates } = given;
  if (type === 'Feature') return { ...given, geometry: turn(geometry) };
  if (type === 'GeometryCollection' && Array.isArray(geometries)) return { ...given, geometries: geometries.map(turn) };
  if (type === 'Polygon') return { ...given, coordinates: polygon(coordinates as Ring[]) };
  if (type === 'MultiPolygon') return { ...given, coordinates: (coordinates as Ring[][]).map(polygon) };
  return given;
}

const polygon = (rings: readonly Ring[]): Ring[] =>
  rings.map((ring, at) => (isClockwise(ring) === (at === 0) ? ring : ring.toReversed()));

function isClockwise(ring: Ring): boolean {
  let twice = 0;
  for (const [at, [x, y]] of ring.entries()) {
    const [nextX, nextY] = ring[(at + 1) % ring.length] ?? [x, y];
    twice += (nextX - x) * (nextY + y);
  }
  return twice > 0;
}
