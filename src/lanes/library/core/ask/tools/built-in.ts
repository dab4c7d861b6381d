/** The tools that every run may be given, by name. */
import type { AskTool } from './ask-tool.ts';
import { ragRetrieve } from './rag-retrieve.ts';

export const builtInTools = (): AskTool[] => [{ tool: ragRetrieve }];
