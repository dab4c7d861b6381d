import * as v from 'valibot';
import type { AgentTool } from '../../agent/tools/tool.ts';
import { quiet } from '../../agent/prompt/quiet.ts';
import { foundIn, insideOf, openFolder } from '../folder-files.ts';
import { fromFolder, READ_LIMITS, type PlanToolContext } from './context.ts';
import { FilePath, FolderPath } from './fields.ts';

const Input = v.strictObject({ mediaFolderPath: FolderPath, path: FilePath('The file, as listFiles says it') });
const Output = v.strictObject({
  path: v.string(),
  /** Bytes. */
  size: v.number(),
  /** Milliseconds since the epoch; 0 unknown. */
  modified: v.number(),
  /** Seconds; null where nothing here looked into the file. */
  duration: v.nullable(v.number()),
  streams: v.array(v.string()),
});

export const getMediaMetadata: AgentTool<PlanToolContext, v.InferOutput<typeof Input>, v.InferOutput<typeof Output>> = {
  name: 'getMediaMetadata',
  version: 1,
  description: 'What is known of one file: size, time of change and, where it can be looked into, length and streams.',
  input: Input,
  output: Output,
  risk: 'read',
  side_effects: false,
  limits: READ_LIMITS,
  network: [],
  references: { path: 'file' },
  shows: () => [],
  render: (file, handle) => ({
    ...file,
    path: quiet(file.path),
    file: handle('file', file.path),
    streams: file.streams.flatMap((stream) => quiet(stream) ?? []),
  }),
  async execute({ mediaFolderPath, path }, { context }) {
    const { folder, tree } = await openFolder(context.folders, mediaFolderPath);
    const file = foundIn(folder, path, await tree.stat(insideOf(folder, path)));
    const facts = await context.media.look(folder, file.path);
    const { duration, streams } = facts ?? { duration: null, streams: [] };
    return { ok: true, output: { ...file, duration, streams }, provenance: fromFolder(folder) };
  },
};
