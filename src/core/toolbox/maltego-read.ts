/** `maltego_read`: a graph of Maltego (`.mtgx`, GraphML in a ZIP) as tables of entities and links. Nothing of it runs. */
import * as v from 'valibot';
import { delimitedRecords, delimiterOf } from '../text/delimited.ts';
import { decodeUtf8 } from '../utf8.ts';
import { typeOf } from './frame/column-type.ts';
import { bytesOf, fileInput, isZip, zipEntries } from './geo/bytes.ts';
import { wrong } from './geo/json-forms.ts';
import { named, readXml, type Node } from './geo/xml-forms.ts';
import { toolboxTool } from './tool.ts';

const table = v.object({ columns: v.array(v.string()), types: v.array(v.string()), rows: v.array(v.array(v.unknown())), total: v.number() }); // prettier-ignore
const InputSchema = v.strictObject({ file: fileInput });

export const maltegoRead = toolboxTool<v.InferOutput<typeof InputSchema>>({
  name: 'maltego_read',
  description:
    'Reads a graph of Maltego (file: { base64 } of an .mtgx, GraphML, or the text of its CSV export): tables of entities and links.',
  runtime: 'none',
  input: InputSchema,
  output: v.looseObject({ entities: table, links: table }),
  example: {
    file: '<graphml xmlns:mtg="http://maltego.paterva.com/xml/mtgx"><graph><node id="n0"><data key="d0"><mtg:MaltegoEntity type="maltego.Domain"><mtg:Properties><mtg:Property name="fqdn"><mtg:Value>example.org</mtg:Value></mtg:Property></mtg:Properties></mtg:MaltegoEntity></data></node><node id="n1"><data key="d0"><mtg:MaltegoEntity type="maltego.IPv4Address"><mtg:Properties><mtg:Property name="ipv4-address"><mtg:Value>93.184.215.14</mtg:Value></mtg:Property></mtg:Properties></mtg:MaltegoEntity></data></node><edge id="e0" source="n0" target="n1"/></graph></graphml>',
  },
  compute({ file }) {
    const bytes = bytesOf(file);
    const csv = isZip(bytes) ? null : decodeUtf8(bytes).replace(/^\uFEFF/, '');
    if (csv !== null && !csv.trimStart().startsWith('<')) return ofCsv(csv);
    const graphs = graphsOf(bytes).map(readXml);
    const entities = graphs.flatMap((graph) => [...named(graph, 'node')].map((node) => ({ id: node.attributes['id'] ?? '', ...partOf(node, 'MaltegoEntity') }))); // prettier-ignore
    const links = graphs.flatMap((graph) => [...named(graph, 'edge')].map((edge) => ({ source: edge.attributes['source'] ?? '', target: edge.attributes['target'] ?? '', ...partOf(edge, 'MaltegoLink') }))); // prettier-ignore
    if (entities.length === 0) throw wrong('has no entities');
    return { entities: tableOf(entities), links: tableOf(links) };
  },
});

function graphsOf(bytes: Uint8Array): string[] {
  if (!isZip(bytes)) return [decodeUtf8(bytes)];
  const found = zipEntries(bytes).filter(({ name }) => /\.graphml$/i.test(name));
  if (found.length === 0) throw wrong('is a ZIP without GraphML');
  return found.map((entry) => decodeUtf8(entry.read()));
}

/**
 * A table of Maltego's export: of entities (a type, a value, properties), or of links, whose ends are entities, too. Columns are
 * told by their names.
 */
function ofCsv(text: string): { entities: v.InferOutput<typeof table>; links: v.InferOutput<typeof table> } {
  const [head, ...rows] = Array.from(delimitedRecords(text, delimiterOf(text)), ({ cells }) => cells);
  const names = (head ?? []).map((name) => name.trim());
  const at = (pattern: RegExp): number => names.findIndex((name) => pattern.test(name));
  const lines = rows.filter((cells) => cells.some((cell) => cell.trim() !== ''));
  const rest = (cells: readonly string[], ...taken: number[]): Record<string, string | null> =>
    Object.fromEntries(
      names.flatMap((name, n) => (taken.includes(n) || name === '' ? [] : [[name, cells[n] || null]])),
    );
  const [source, target] = [at(/^(?:source|from)(?: entity)?$/i), at(/^(?:target|to)(?: entity)?$/i)];
  if (source >= 0 && target >= 0) {
    const [sourceType, targetType] = [at(/^(?:source|from) type$/i), at(/^(?:target|to) type$/i)];
    const ends = new Map<string, Record<string, string | null>>();
    for (const cells of lines)
      for (const [n, type] of [
        [source, sourceType],
        [target, targetType],
      ] as const) {
        const value = cells[n] ?? '';
        if (value !== '' && !ends.has(value)) ends.set(value, { id: value, type: cells[type] ?? null, value });
      }
    const links = lines.map((cells) => ({
      source: cells[source] ?? '',
      target: cells[target] ?? '',
      ...rest(cells, source, target, sourceType, targetType),
    }));
    return { entities: tableOf([...ends.values()]), links: tableOf(links) };
  }
  const [type, value] = [at(/^(?:entity )?type$/i), at(/^(?:entity )?value$|^entity$/i)];
  if (type < 0 || value < 0 || lines.length === 0)
    throw wrong('is neither a graph of Maltego nor a table with columns of type and value, or of source and target');
  const entities = lines.map((cells, n) => ({
    id: `n${n}`,
    type: cells[type] || null,
    value: cells[value] || null,
    ...rest(cells, type, value),
  }));
  return { entities: tableOf(entities), links: tableOf([]) };
}

/** Its type and properties; the first value is the one that is shown. */
function partOf(node: Node, name: string): Record<string, string | null> {
  const [part] = named(node, name);
  if (part === undefined) return {};
  const properties = Array.from(named(part, 'Property'), (one) => [
    one.attributes['name'] ?? 'value',
    one.children.find((child) => child.name === 'Value')?.text.trim() ?? null,
  ]);
  return {
    type: part.attributes['type'] ?? null,
    value: properties[0]?.[1] ?? null,
    ...Object.fromEntries(properties),
  };
}

/** Objects as a table, columns in the order in which they come. */
export function tableOf(objects: readonly Record<string, unknown>[]): v.InferOutput<typeof table> {
  const columns = [...new Set(objects.flatMap((one) => Object.keys(one)))];
  const rows = objects.map((one) => columns.map((column) => one[column] ?? null));
  return { columns, types: columns.map((_, at) => typeOf(rows.map((row) => row[at]))), rows, total: rows.length };
}
