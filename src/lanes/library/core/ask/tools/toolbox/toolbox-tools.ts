/**
 * The toolbox for questions: a tool of it computes on what was found, and what it answers is a source of its own, so that a number
 * in an answer is followed to the call. Free code (`python_run`) is none of them: nobody is there to agree to it.
 */
import * as v from 'valibot';
import { readTool } from '#core/agent/tools/make-tool.ts';
import { failure } from '#core/errors.ts';
import type { ToolboxTool } from '#core/toolbox/tool.ts';
import { TOOLS } from '#core/toolbox/tools.ts';
import { CALCULATION } from '../../evidence/evidence.types.ts';
import type { AskTool } from '../ask-tool.ts';
import { unsaidNumber } from '../calculator/operands.ts';
import type { AskToolContext } from '../context.ts';
import { docOfText } from '../doc-of-text.ts';
import { DocsSchema } from '../docs.ts';
import { dataNumbers } from './data-numbers.ts';
import { resultText } from './result-text.ts';

/** By name; a run offers those that it was told to. */
export const toolboxTools = (): AskTool[] => TOOLS.filter(({ code }) => code === undefined).map(asked);

function asked(tool: ToolboxTool): AskTool {
  return {
    tool: readTool({
      ...{ name: tool.name, version: tool.version, limits: { calls: 20 } },
      description: `${tool.description} Every number of the data must stand in the question or in what was found.`,
      input: tool.input as v.GenericSchema<unknown, Record<string, unknown>>,
      output: v.looseObject({ handle: v.string(), docs: DocsSchema }),
      async execute(
        input,
        { context, signal }: { context: AskToolContext; signal?: Parameters<typeof tool.execute>[1]['signal'] },
      ) {
        if (context.toolbox === undefined)
          return { ok: false, failure: failure('tool_unavailable', `${tool.name} cannot compute here.`) };
        const answered = await context.toolbox.call(tool, input, signal);
        if (!answered.ok) return answered;
        const { handle, output, provenance, inputSha256 } = answered.answer;
        const doc = await docOfText(context, {
          text: resultText(tool.name, output),
          title: `${tool.name} ${handle}`,
          language: CALCULATION,
        });
        const from = [...provenance, { source: 'input', ref: inputSha256 }];
        return { ok: true, output: { ...output, handle, docs: [doc] }, provenance: from };
      },
    }),
    refuses(input, known) {
      const unsaid = unsaidNumber(dataNumbers(input), known);
      return unsaid === null ? null : `${unsaid} stands neither in the question nor in what was found`;
    },
  };
}
