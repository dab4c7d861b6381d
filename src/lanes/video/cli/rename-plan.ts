import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { AccessionError, failure } from '#core/errors.ts';
import { PLAN_STATUSES, PlanStateSchema, type PlanState, type RenameFilesPlan } from '#core/plan/plan.ts';
import { previewHash } from '#core/plan/preview-rename.ts';

/** A rename plan whose paths may be anything: what is wrong with them is reported by row. */
const LoosePlanSchema = v.object({
  id: v.optional(v.pipe(v.string(), v.uuid())),
  task: v.literal('rename-files'),
  status: v.optional(v.picklist(PLAN_STATUSES), 'pending'),
  mediaFolderPath: v.pipe(v.string(), v.startsWith('/')),
  files: v.array(v.object({ from: v.string(), to: v.string() })),
});

/** What `{id}.plan.json` says, and `{id}.state.json` beside it where there is one. Throws AccessionError with the reason. */
export async function readRenamePlan(
  path: string,
): Promise<{ plan: RenameFilesPlan; state: Pick<PlanState, 'sources'> }> {
  const read = v.safeParse(LoosePlanSchema, await readJson(path));
  if (!read.success) {
    const [issue] = read.issues;
    const at = v.getDotPath(issue);
    const where = at === null ? '' : ` at "${at}"`;
    const remedy = 'Give a plan with task "rename-files", mediaFolderPath and files of { from, to }.';
    throw new AccessionError(failure('invalid', `"${path}" is no rename plan: ${issue.message}${where}.`, { remedy }));
  }
  const { id, ...rest } = read.output;
  const plan = { ...rest, mediaFolderPath: rest.mediaFolderPath.replace(/(?<=.)\/+$/, '') };
  return { plan: { ...plan, id: id ?? (await ownId(plan)) }, state: await readState(path) };
}

/** A plan without an id is known by what it says. */
async function ownId(plan: Omit<RenameFilesPlan, 'id'>): Promise<string> {
  const hash = await previewHash({ ...plan, id: '' });
  return hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');
}

async function readState(path: string): Promise<Pick<PlanState, 'sources'>> {
  if (!path.endsWith('.plan.json')) return { sources: {} };
  const beside = path.replace(/\.plan\.json$/, '.state.json');
  const text = await readFile(beside, 'utf8').catch(() => null);
  if (text === null) return { sources: {} };
  const read = v.safeParse(PlanStateSchema, parse(beside, text));
  if (read.success) return read.output;
  throw new AccessionError(failure('invalid', `"${beside}" is not what is kept beside a plan.`));
}

async function readJson(path: string): Promise<unknown> {
  try {
    return parse(path, await readFile(path, 'utf8'));
  } catch (error) {
    if (error instanceof AccessionError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const remedy = 'Check the path.';
    throw new AccessionError(failure('file_unreadable', `"${path}" cannot be read: ${reason}.`, { remedy }));
  }
}

function parse(path: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AccessionError(failure('invalid', `"${path}" is not JSON: ${reason}.`));
  }
}
