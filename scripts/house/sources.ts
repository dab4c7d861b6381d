/** The sources of the product and of its tests, as files. */
import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { inRoot } from '../lib/paths.mjs';

export interface Source {
  /** From the project's top folder, `/` separated. */
  path: string;
  text: string;
}

/** Files of the folders that the patterns name, in order of their paths. */
export function sources(...patterns: string[]): Source[] {
  return globSync(patterns, { cwd: inRoot() })
    .map((path) => path.replaceAll('\\', '/'))
    .sort()
    .map((path) => ({ path, text: readFileSync(inRoot(path), 'utf8') }));
}

/** Visits every node of a TypeScript file. */
export function walk({ path, text }: Source, visit: (node: ts.Node, file: ts.SourceFile) => void): void {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true);
  const inner = (node: ts.Node): void => {
    visit(node, file);
    ts.forEachChild(node, inner);
  };
  inner(file);
}

export function lineOf(node: ts.Node, file: ts.SourceFile): number {
  return file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
}
