/** Random documents that are nearly XMLTV: valid ones, and the same with one to three changes. */
import { XMLTV } from '#lanes/guide/core/read/dtd.ts';

interface Node {
  name: string;
  attributes: [name: string, value: string][];
  /** Text, or pieces of it, and elements. */
  inside: (Node | string)[];
}

const NAMES = [...XMLTV.keys()];
const TEXTS = [
  'a',
  'b c',
  ' ',
  '',
  '\n',
  '1',
  'é☃',
  '&amp;',
  '<![CDATA[x]]>',
  '<![CDATA[ ]]>',
  '<!-- c -->',
  '<?p q?>',
];

/** @param random numbers from 0 to below 1 */
export function randomGuide(random: () => number): string {
  const below = (count: number): number => Math.floor(random() * count);
  const one = <T>(of: readonly T[]): T => of[below(of.length)] as T;

  const make = (name: string, depth: number): Node => {
    const rule = XMLTV.get(name);
    const node: Node = { name, attributes: [], inside: [] };
    if (rule === undefined) return node;
    for (const [attribute, { required, values }] of rule.attributes)
      if (required || random() < 0.15)
        node.attributes.push([attribute, values === null ? one(['x', '', '1']) : one(values)]);
    const { content } = rule;
    if (content.kind === 'text') node.inside.push(one(TEXTS));
    else if (content.kind === 'mixed') {
      node.inside.push(one(TEXTS));
      if (random() < 0.2) node.inside.push(make(one([...content.children]), depth + 1), one(TEXTS));
    } else if (content.kind === 'sequence')
      content.names.forEach((child, place) => {
        const count = content.counts[place] ?? '*';
        const least = count === '1' || count === '+' ? 1 : 0;
        const most = count === '1' || count === '?' ? 1 : 3;
        // Deep in a programme most of what may be missing is.
        const wanted = depth === 0 ? 1 + below(2) : random() < 0.25 ? below(most) + 1 : 0;
        for (let times = Math.min(most, Math.max(least, wanted)); times > 0; times--)
          node.inside.push(make(child, depth + 1));
      });
    return node;
  };

  const tv = make('tv', 0);
  for (let changes = random() < 0.3 ? 0 : 1 + below(3); changes > 0; changes--) change(tv);
  return `<?xml version="1.0"?>\n${written(tv)}`;

  function change(root: Node): void {
    const all: Node[] = [];
    const walk = (node: Node): void => {
      all.push(node);
      for (const child of node.inside) if (typeof child !== 'string') walk(child);
    };
    walk(root);
    const node = one(all);
    const at = below(node.inside.length + 1);
    switch (below(9)) {
      case 0:
        node.inside.splice(at, 0, make(one(NAMES.slice(1)), 2));
        break;
      case 1:
        node.inside.splice(at, 0, { name: one(['b', 'lcn', 'x-y', 'Title']), attributes: [], inside: [one(TEXTS)] });
        break;
      case 2:
        node.inside.splice(at, 0, one(TEXTS));
        break;
      case 3:
        node.inside.splice(at, 1);
        break;
      case 4:
        node.inside.reverse();
        break;
      case 5: {
        const child = node.inside[at];
        if (child !== undefined) node.inside.splice(at, 0, child);
        break;
      }
      case 6:
        node.attributes.splice(below(node.attributes.length + 1), 1);
        break;
      case 7:
        add(
          node,
          one(['lang', 'system', 'type', 'units', 'id', 'x', 'guest', 'size']),
          one(['x', ' yes ', 'seconds', '2', '']),
        );
        break;
      default:
        if (node !== root) node.name = one(NAMES.slice(1));
    }
  }

  function add(node: Node, name: string, value: string): void {
    if (!node.attributes.some(([known]) => known === name)) node.attributes.push([name, value]);
  }
}

function written({ name, attributes, inside }: Node): string {
  const head = [name, ...attributes.map(([attribute, value]) => `${attribute}="${value}"`)].join(' ');
  const rule = XMLTV.get(name);
  const blank = rule?.content.kind === 'sequence' ? '\n ' : '';
  const body = inside.map((child) => blank + (typeof child === 'string' ? child : written(child))).join('');
  return body === '' ? `<${head}/>` : `<${head}>${body}</${name}>`;
}
