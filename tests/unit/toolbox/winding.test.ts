import { expect, test } from 'vitest';
import { turned } from '#adapters/toolbox/engines/draw/winding.ts';

const CLOCKWISE = [[0, 0], [0, 1], [1, 1], [1, 0], [0, 0]]; // prettier-ignore
const AGAINST = CLOCKWISE.toReversed();

test('TOOLBOX-31 outlines of GeoJSON are drawn as what they surround, whichever way round they were written', () => {
  for (const ring of [CLOCKWISE, AGAINST]) {
    const geometry = { type: 'Polygon', coordinates: [ring, ring] };
    expect(turned(geometry).coordinates).toEqual([CLOCKWISE, AGAINST]);
    expect(turned({ type: 'Feature', geometry }).geometry.coordinates[0]).toEqual(CLOCKWISE);
    const many = { type: 'GeometryCollection', geometries: [{ type: 'MultiPolygon', coordinates: [[ring]] }] };
    expect(turned(many).geometries[0]?.coordinates).toEqual([[CLOCKWISE]]);
  }
  expect(turned({ type: 'Point', coordinates: [1, 2] })).toEqual({ type: 'Point', coordinates: [1, 2] });
});
