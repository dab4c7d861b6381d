import * as v from 'valibot';
import type { AgentTool } from '../../agent/tools/tool.ts';
import { quiet } from '../../agent/prompt/quiet.ts';
import { openFolder } from '../folder-files.ts';
import { fromFolder, READ_LIMITS, type PlanToolContext } from './context.ts';
import { Counted, FolderPath } from './fields.ts';

/** Of one answer: more are read with `offset`. */
const MOST = 500;

const Input = v.strictObject({
  mediaFolderPath: FolderPath,
  offset: v.optional(Counted('How many files to leave out from the beginning'), 0),
});
const Output = v.strictObject({
  files: v.array(v.strictObject({ path: v.string(), size: v.number() })),
  /** Of the whole folder. */
  total: v.number(),
});

/** Every file below the folder, in the order of their paths. */
export const listFiles: AgentTool<PlanToolContext, v.InferOutput<typeof Input>, v.InferOutput<typeof Output>> = {
  name: 'listFiles',
  version: 1,
  description: `The files below a media folder with their sizes in bytes, ${MOST} an answer, sorted by path.`,
  input: Input,
  output: Output,
  risk: 'read',
  side_effects: false,
  limits: READ_LIMITS,
  network: [],
  references: {},
  shows: ({ files }) => files.map(({ path }) => ({ kind: 'file', id: path })),
  render: ({ files, total }, handle) => ({
    total,
    files: files.map(({ path, size }) => ({ file: handle('file', path), path: quiet(path), size })),
  }),
  async execute({ mediaFolderPath, offset }, { context, signal }) {
    const { folder, tree } = await openFolder(context.folders, mediaFolderPath);
    const files: { path: string; size: number }[] = [];
    for await (const { kind, path, size } of tree.list(signal)) {
      if (kind === 'file') files.push({ path: `${folder}/${path}`, size });
    }
    files.sort((a, b) => (a.path < b.path ? -1 : 1));
    const output = { files: files.slice(offset, offset + MOST), total: files.length };
    return { ok: true, output, provenance: fromFolder(folder) };
  },
};
