import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { failed, messageOf } from '#core/errors.ts';

/** A file of one JSON object a line. Throws AccessionError `file_unreadable`, or `invalid` that names the line. */
export async function readJsonLines<Schema extends v.GenericSchema>(
  path: string,
  schema: Schema,
): Promise<v.InferOutput<Schema>[]> {
  const lines = (await readText(path)).replace(/^\ufeff/, '').split('\n');
  return lines.flatMap((line, i) => (line.trim() === '' ? [] : [parseLine(line, schema, `"${path}", line ${i + 1}`)]));
}

/** A file of JSON. Throws AccessionError `file_unreadable`, or `invalid` with the reason. */
export async function readJson(path: string): Promise<unknown> {
  const text = await readText(path);
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw failed('invalid', `"${path}" is not JSON: ${messageOf(error)}.`);
  }
}

/** A text file. Throws AccessionError `file_unreadable`. */
export async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw failed('file_unreadable', `"${path}" cannot be read: ${messageOf(error)}.`, { remedy: 'Check the path.' });
  }
}

function parseLine<Schema extends v.GenericSchema>(line: string, schema: Schema, where: string): v.InferOutput<Schema> {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    throw failed('invalid', `${where} is not JSON.`);
  }
  const read = v.safeParse(schema, json);
  if (read.success) return read.output;
  const [issue] = read.issues;
  throw failed('invalid', `${where}: ${v.getDotPath(issue) ?? 'row'}: ${issue.message}.`);
}
