/** The tools that every run may be given, by name. */
import type { AskTool } from './ask-tool.ts';
import { calculator } from './calculator/calculator.ts';
import { ragRetrieve } from './rag-retrieve.ts';
import { loadTable } from './table/load-table.ts';
import { webSearch } from './web/web-search.ts';

export const builtInTools = (): AskTool[] => [{ tool: ragRetrieve }, calculator, loadTable, webSearch];
