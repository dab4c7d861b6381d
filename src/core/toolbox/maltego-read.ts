/** `maltego_read`: a graph of Maltego (`.mtgx`, GraphML in a ZIP) as tables of entities and links. Nothing of it runs. */
import * as v from 'valibot';
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
  description: 'Reads a graph of Maltego (file: { base64 } of an .mtgx, or GraphML): tables of entities and links.',
  runtime: 'none',
  input: InputSchema,
  output: v.looseObject({ entities: table, links: table }),
  example: {
    file: '<graphml xmlns:mtg="http://maltego.paterva.com/xml/mtgx"><graph><node id="n0"><data key="d0"><mtg:MaltegoEntity type="maltego.Domain"><mtg:Properties><mtg:Property name="fqdn"><mtg:Value>example.org</mtg:Value></mtg:Property></mtg:Properties></mtg:MaltegoEntity></data></node><node id="n1"><data key="d0"><mtg:MaltegoEntity type="maltego.IPv4Address"><mtg:Properties><mtg:Property name="ipv4-address"><mtg:Value>93.184.215.14</mtg:Value></mtg:Property></mtg:Properties></mtg:MaltegoEntity></data></node><edge id="e0" source="n0" target="n1"/></graph></graphml>',
  },
  compute({ file }) {
    const graphs = graphsOf(bytesOf(file)).map(readXml);
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
