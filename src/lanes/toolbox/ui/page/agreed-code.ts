import { sha256 } from 'hash-wasm';
import type { ToolboxTool } from '#core/toolbox/tool.ts';

/** Hashes of the free code that a person agreed to, of this input. Null: to none. */
export async function agreedTo(tool: ToolboxTool | null, input: unknown): Promise<ReadonlySet<string>> {
  return new Set(tool?.code === undefined ? [] : [await sha256(tool.code(input))]);
}
