/** `accession playbook cases FILE --out FILE`: answers to cases of the language, one JSON object a line. */
import { readFile, writeFile } from 'node:fs/promises';
import { answerCase } from './run-case.ts';

export async function playbookCases(file: string, out: string): Promise<number> {
  const rows = (await readFile(file, 'utf8')).split('\n').filter((line) => line.trim() !== '');
  const answers: string[] = [];
  for (const row of rows) answers.push(JSON.stringify(await answerCase(JSON.parse(row))));
  await writeFile(out, answers.map((line) => `${line}\n`).join(''));
  return rows.length;
}
