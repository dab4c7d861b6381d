/** `stix_read`: a bundle of STIX 2.1 as tables of objects and of what relates them. */
import * as v from 'valibot';
import { isRecord } from '../agent/tools/tool.ts';
import { decodeUtf8 } from '../utf8.ts';
import { bytesOf, fileInput } from './geo/bytes.ts';
import { wrong } from './geo/json-forms.ts';
import { tableOf } from './maltego-read.ts';
import { toolboxTool } from './tool.ts';

const InputSchema = v.strictObject({ file: fileInput });
const table = v.looseObject({ columns: v.array(v.string()), rows: v.array(v.array(v.unknown())), total: v.number() });
/** First of all; the rest follow by their names. */
const FIRST = ['id', 'type', 'name', 'value', 'description', 'pattern', 'created', 'modified', 'confidence'];

export const stixRead = toolboxTool<v.InferOutput<typeof InputSchema>>({
  name: 'stix_read',
  description: 'Reads a bundle of STIX 2.1 (file: its JSON): tables of objects, relationships and sightings.',
  runtime: 'none',
  input: InputSchema,
  output: v.looseObject({ objects: table, relationships: table }),
  example: {
    file: '{"type":"bundle","id":"bundle--5d0092c5-5f74-4287-9642-33f4c354e56d","objects":[{"type":"indicator","spec_version":"2.1","id":"indicator--8e2e2d2b-17d4-4cbf-938f-98ee46b3cd3f","created":"2026-01-01T00:00:00.000Z","modified":"2026-01-01T00:00:00.000Z","name":"A file","pattern":"[file:name = \'x.exe\']","pattern_type":"stix","valid_from":"2026-01-01T00:00:00Z"},{"type":"malware","spec_version":"2.1","id":"malware--0c7b5b88-8ff7-4a4d-aa9d-feb398cd0061","created":"2026-01-01T00:00:00.000Z","modified":"2026-01-01T00:00:00.000Z","name":"X","is_family":false},{"type":"relationship","spec_version":"2.1","id":"relationship--44298a74-ba52-4f0c-87a3-1824e67d7fad","created":"2026-01-01T00:00:00.000Z","modified":"2026-01-01T00:00:00.000Z","relationship_type":"indicates","source_ref":"indicator--8e2e2d2b-17d4-4cbf-938f-98ee46b3cd3f","target_ref":"malware--0c7b5b88-8ff7-4a4d-aa9d-feb398cd0061"}]}',
  },
  compute({ file }) {
    const all = objectsOf(decodeUtf8(bytesOf(file)));
    const names = new Map(all.map((one) => [one['id'], one['name'] ?? one['value'] ?? null]));
    const isLink = ({ type }: Record<string, unknown>): boolean => type === 'relationship' || type === 'sighting';
    const links = all.filter(isLink).map((one) => {
      const [from, to] = one['type'] === 'sighting' ? [one['sighting_of_ref'], null] : [one['source_ref'], one['target_ref']]; // prettier-ignore
      return {
        ...{ type: one['relationship_type'] ?? one['type'], source: from ?? null, target: to ?? null },
        ...{ source_name: names.get(from) ?? null, target_name: names.get(to) ?? null, count: one['count'] ?? null },
        ...{ created: one['created'] ?? null, id: one['id'] },
      };
    });
    return { objects: tableOf(all.filter((one) => !isLink(one)).map(flat)), relationships: tableOf(links) };
  },
});

function objectsOf(text: string): Record<string, unknown>[] {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw wrong('is no JSON');
  }
  const objects = isRecord(json) && json['type'] === 'bundle' ? json['objects'] : null;
  if (!Array.isArray(objects)) throw wrong('is no bundle of STIX');
  const all = objects.filter(isRecord).filter(({ type, id }) => typeof type === 'string' && typeof id === 'string');
  if (all.length < objects.length) throw wrong('has objects without type and id');
  return all;
}

/** What is nested stands as JSON. */
function flat(object: Record<string, unknown>): Record<string, unknown> {
  const names = [
    ...FIRST.filter((name) => name in object),
    ...Object.keys(object).filter((name) => !FIRST.includes(name)),
  ];
  return Object.fromEntries(names.map((name) => [name, cellOf(object[name])]));
}

function cellOf(value: unknown): unknown {
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join('; ');
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}
