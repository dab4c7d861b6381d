/** Maps in XML: KML and GPX. Entities that a document declares are not expanded. */
import { SaxesParser } from 'saxes';
import { feature, type Feature, type Geometry, type Position } from './features.ts';
import { wrong, type Read } from './json-forms.ts';

/** An element with what is in it. */
export interface Node {
  name: string;
  attributes: Record<string, string>;
  text: string;
  children: Node[];
}

const DEEPEST = 200;
const MOST_NODES = 2_000_000;

/** Names without their prefixes. Throws AccessionError `tool_input`. */
export function readXml(text: string): Node {
  const root: Node = { name: '', attributes: {}, text: '', children: [] };
  const open = [root];
  let count = 0;
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw wrong(`is no XML: ${error.message.split('\n')[0] ?? ''}`);
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (open.length > DEEPEST || ++count > MOST_NODES) throw wrong('has too many elements, or too deep ones');
    const node: Node = { name: bare(name), attributes: { ...attributes }, text: '', children: [] };
    open.at(-1)?.children.push(node);
    open.push(node);
  });
  const add = (said: string): void => {
    const last = open.at(-1);
    if (last !== undefined) last.text += said;
  };
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('closetag', () => void open.pop());
  parser.write(text).close();
  return root;
}

const bare = (name: string): string => name.slice(name.indexOf(':') + 1);

/** All below of a name, in their order. */
export function* named(node: Node, ...names: string[]): Generator<Node> {
  for (const child of node.children) {
    if (names.includes(child.name)) yield child;
    yield* named(child, ...names);
  }
}

const textOf = (node: Node, name: string): string | null =>
  node.children.find((child) => child.name === name)?.text.trim() ?? null;

/** Null: it is neither. */
export function readXmlForm(text: string): Read | null {
  if (!/^\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--[^]*?-->\s*)*<(?:\w+:)?(?:kml|gpx)\b/.test(text)) return null;
  const root = readXml(text);
  const [only] = root.children;
  return only?.name === 'gpx' ? readGpx(only) : readKml(root);
}

function readKml(root: Node): Read {
  const features = Array.from(named(root, 'Placemark'), (mark) => {
    const shapes = Array.from(geometriesIn(mark));
    const [only] = shapes;
    const geometry = shapes.length > 1 ? ({ type: 'GeometryCollection', geometries: shapes } as const) : (only ?? null);
    const properties: Record<string, unknown> = {};
    for (const name of ['name', 'description', 'address', 'styleUrl']) {
      const said = textOf(mark, name);
      if (said !== null && said !== '') properties[name] = said;
    }
    for (const one of named(mark, 'Data')) properties[one.attributes['name'] ?? 'data'] = textOf(one, 'value');
    for (const one of named(mark, 'SimpleData')) properties[one.attributes['name'] ?? 'data'] = one.text.trim();
    for (const one of named(mark, 'when')) properties['when'] ??= one.text.trim();
    return feature(geometry, properties);
  });
  return { kind: 'KML', code: 4326, layers: [{ name: 'placemarks', features }] };
}

function* geometriesIn(mark: Node): Generator<Geometry> {
  for (const node of mark.children) {
    if (node.name === 'Point') {
      const [first] = positionsOf(textOf(node, 'coordinates'));
      if (first !== undefined) yield { type: 'Point', coordinates: first };
    } else if (node.name === 'LineString' || node.name === 'LinearRing')
      yield { type: 'LineString', coordinates: positionsOf(textOf(node, 'coordinates')) };
    else if (node.name === 'Polygon') {
      const ring = (boundary: Node): Position[] => positionsOf([...named(boundary, 'coordinates')][0]?.text ?? null);
      const outer = node.children.filter(({ name }) => name === 'outerBoundaryIs').map(ring);
      yield { type: 'Polygon', coordinates: [...outer, ...node.children.filter(({ name }) => name === 'innerBoundaryIs').map(ring)] }; // prettier-ignore
    } else if (node.name === 'MultiGeometry') yield* geometriesIn(node);
  }
}

function positionsOf(text: string | null): Position[] {
  return (text ?? '')
    .trim()
    .split(/\s+/)
    .map((one) => one.split(',').map(Number))
    .filter((position) => position.length >= 2 && position.every(Number.isFinite));
}

function readGpx(root: Node): Read {
  const at = ({ attributes }: Node): Position => [Number(attributes['lon']), Number(attributes['lat'])];
  const facts = (node: Node): Record<string, unknown> =>
    Object.fromEntries(
      node.children
        .filter(({ children, text }) => children.length === 0 && text.trim() !== '')
        .map(({ name, text }) => [name, name === 'ele' ? Number(text) : text.trim()]),
    );
  const points = Array.from(named(root, 'wpt'), (one) => feature({ type: 'Point', coordinates: at(one) }, facts(one)));
  const lines: Feature[] = [];
  for (const track of named(root, 'trk')) {
    const parts = Array.from(named(track, 'trkseg'), (part) => [...named(part, 'trkpt')]);
    const times = parts.flat().map((point) => textOf(point, 'time')).filter((time) => time !== null); // prettier-ignore
    const coordinates = parts.map((part) => part.map((point) => withHeight(point, at(point))));
    lines.push(
      feature({ type: 'MultiLineString', coordinates }, { ...facts(track), points: parts.flat().length, begins: times[0] ?? null, ends: times.at(-1) ?? null }), // prettier-ignore
    );
  }
  for (const route of named(root, 'rte'))
    lines.push(feature({ type: 'LineString', coordinates: [...named(route, 'rtept')].map(at) }, facts(route)));
  const layers = [{ name: 'waypoints', features: points }, { name: 'tracks', features: lines }]; // prettier-ignore
  return { kind: 'GPX', code: 4326, layers: layers.filter(({ features }) => features.length > 0) };
}

function withHeight(point: Node, position: Position): Position {
  const height = textOf(point, 'ele');
  return height === null || height === '' ? position : [...position, Number(height)];
}
