import type { AgentTool } from '../../agent/tools/tool.ts';
import type { PlanToolContext } from './context.ts';
import { getEpisodes } from './get-episodes.ts';
import { getMediaMetadata } from './get-media-metadata.ts';
import { listFiles } from './list-files.ts';
import { addRecognizedMediaFile, beginRecognizeTask, endRecognizeTask } from './recognize-tools.ts';
import { addRenameFileToTaskV2, beginRenameFilesTaskV2, endRenameFilesTaskV2 } from './rename-tools.ts';

/** Tools that only look. */
export const PLAN_READ_TOOLS: readonly AgentTool<PlanToolContext>[] = [listFiles, getEpisodes, getMediaMetadata];

/** Every tool of plans, by its specified name. */
export const PLAN_TOOLS: readonly AgentTool<PlanToolContext>[] = [
  beginRecognizeTask,
  addRecognizedMediaFile,
  endRecognizeTask,
  beginRenameFilesTaskV2,
  addRenameFileToTaskV2,
  endRenameFilesTaskV2,
  ...PLAN_READ_TOOLS,
];
