/** Writes of a job's row that go around the transitions: only the job stores and the engine's `apply` write one. */
import ts from 'typescript';
import type { Figures } from './main.ts';
import { lineOf, sources, walk } from './sources.ts';

/** The job stores, and the engine's part that makes and changes jobs. */
const ALLOWED = [
  'src/core/job/transitions.ts',
  'src/core/job/apply.ts',
  'src/core/job/new-job.ts',
  'src/core/job/stored-job.ts',
  'src/adapters/browser/job-store.ts',
  'src/adapters/memory/job-store.ts',
];
const WRITES = new Set(['put', 'add', 'update', 'modify', 'bulkPut', 'bulkAdd', 'bulkUpdate']);

export function jobWriteFigures(): Figures {
  const found: string[] = [];
  for (const source of sources('{src,workers}/**/*.ts')) {
    if (ALLOWED.some((allowed) => source.path.startsWith(allowed))) continue;
    walk(source, (node, file) => {
      if (isWrite(node) || isPut(node) || setsPhase(node)) found.push(`${source.path}:${lineOf(node, file)}`);
    });
  }
  return { writes_around_apply: found };
}

/** `rows.putJob(...)`: the store's way to write one. */
function isPut(node: ts.Node): boolean {
  return (
    ts.isCallExpression(node) &&
    ts.isPropertyAccessExpression(node.expression) &&
    node.expression.name.text === 'putJob'
  );
}

/** `db.jobs.put(...)`, `tables.jobs.where(...).modify(...)`. */
function isWrite(node: ts.Node): boolean {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  return WRITES.has(node.expression.name.text) && isOfJobs(node.expression.expression);
}

function isOfJobs(node: ts.Expression): boolean {
  if (ts.isCallExpression(node)) return isOfJobs(node.expression);
  if (!ts.isPropertyAccessExpression(node)) return false;
  return node.name.text === 'jobs' || isOfJobs(node.expression);
}

/** An object that sets both, as a row of a job does. */
function setsPhase(node: ts.Node): boolean {
  if (!ts.isObjectLiteralExpression(node)) return false;
  const names = new Set(node.properties.map(({ name }) => (name && ts.isIdentifier(name) ? name.text : '')));
  return names.has('status') && names.has('phase');
}
