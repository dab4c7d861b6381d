/** The inputs of a step, read and divided into units. */
import type { Step } from '../read/playbook.types.ts';
import { PlaybookFault } from '../faults.ts';
import { readContent } from '../files/contents.ts';
import { divideFiles, fileUnit, wholeUnit, type InputFile } from '../division/divide.ts';
import type { ReadFiles } from '../run/ports.ts';
import type { Scope } from '../tokens/expand.ts';
import type { Frame } from '../tokens/scopes.ts';
import { fieldOf, isList } from '../value.ts';
import { pathsOf, wantedOf } from './inputs.ts';

export interface OpenedStep {
  inputs: { path: string; sha256: string }[];
  /** Its units; of a step without input one that is null. */
  frames: (Frame | null)[];
}

/** Throws PlaybookFault. */
export async function openStep(step: Step, scope: Scope, files: ReadFiles): Promise<OpenedStep> {
  if (step.inputs === null) return { inputs: [], frames: [null] };
  const wanted = step.inputs.flatMap((text) => wantedOf(text, scope));
  const paths = await pathsOf(wanted, files, { allowEmpty: fieldOf(step.raw, 'allow_empty') === true });
  const contents: InputFile[] = [];
  const inputs: OpenedStep['inputs'] = [];
  for (const path of paths) {
    const file = await files.read(path);
    if (file === null) throw new PlaybookFault('input_missing', path, `"${path}" is gone.`);
    inputs.push({ path, sha256: file.sha256 });
    contents.push({ path, content: readContent(path, file.text) });
  }
  return { inputs, frames: framesOf(step, contents) };
}

/** PB-22 */
function framesOf(step: Step, files: readonly InputFile[]): Frame[] {
  if (step.division !== null) return divideFiles(files, step.division);
  if (!step.multiple) return [wholeUnit(files)];
  return files.every(({ content }) => isList(content))
    ? divideFiles(files, [[{ kind: 'file' }, { kind: 'array', path: [] }]])
    : files.map((file, i) => ({ value: fileUnit(file), i, file: file.path, parent: null }));
}
