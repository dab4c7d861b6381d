/** Carries out, or takes back, the plan that the server gives on stdin, and prints what came of it as one line. */
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';
import * as v from 'valibot';
import type { FileTree } from '#core/plan/file-tree.ts';
import { journalsInDirectory } from '#adapters/node/rename-journal-store.ts';
import { randomUuids } from '#core/ids.ts';
import { documentSchema, type PlanExecution } from '#core/plan/plan-kind.ts';
import { PlanStateSchema } from '#core/plan/plan.ts';
import { answered } from '#core/result.ts';
import type { DocumentPlan } from '#lanes/documents/core/plan/document-plan.ts';
import { documentPlans } from '#lanes/documents/node/document-plans.ts';

const OrderSchema = v.object({
  way: v.picklist(['do', 'undo']),
  plan: documentSchema(documentPlans()),
  state: v.pick(PlanStateSchema, ['sources', 'about', 'taken_back']),
  hash: v.string(),
  root: v.string(),
  by: v.string(),
});

interface Using {
  data: string;
  input: Readable;
  openTree: (directory: string) => Promise<FileTree>;
  cancel: { readonly aborted: boolean };
}

/** @returns the line: a Result of the outcome */
export async function carryOutOrder({ data, input, openTree, cancel }: Using): Promise<string> {
  const done = await answered(async () => {
    const { way, plan, state, hash, root, by } = v.parse(OrderSchema, JSON.parse(await text(input)));
    const execution = documentPlans().execution as PlanExecution<DocumentPlan>;
    const journal = journalsInDirectory(join(data, 'plans'));
    const run = { tree: await openTree(root), root, journal, by, state, plan, clock: { now: () => Date.now() } };
    return way === 'do'
      ? execution.execute({ ...run, hash, ids: randomUuids, cancel })
      : execution.undo({ ...run, planId: plan.id });
  });
  return JSON.stringify(done);
}
