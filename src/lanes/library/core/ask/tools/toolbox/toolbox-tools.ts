/**
 * The toolbox for questions: a tool of it computes on what was found, and what it answers is a source of its own, so that a number
 * in an answer is followed to the call. Free code (`r_run`, `python_run`) is none of them: nobody is there to agree to it. A connector asks
 * within the domains that the person said for the question.
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
import { sourceDocs } from './source-docs.ts';

/** By name; a run offers those that it was told to. `more`: connectors, and `command` where a person listed programs. */
export const toolboxTools = (more: readonly ToolboxTool[] = []): AskTool[] =>
  [...TOOLS, ...more].filter(({ code }) => code === undefined).map(asked);

function asked(tool: ToolboxTool): AskTool {
  const source = 'connector' in tool;
  const stands = source ? '' : ' Every number of the data must stand in the question or in what was found.';
  return {
    ...(source ? { network: true } : {}),
    tool: readTool({
      ...{ name: tool.name, version: tool.version, limits: { calls: 20 } },
      description: `${tool.description}${stands}`,
      input: tool.input as v.GenericSchema<unknown, Record<string, unknown>>,
      output: v.looseObject({ handle: v.string(), docs: DocsSchema }),
      async execute(
        input,
        { context, signal }: { context: AskToolContext; signal?: Parameters<typeof tool.execute>[1]['signal'] },
      ) {
        if (context.toolbox === undefined)
          return { ok: false, failure: failure('tool_unavailable', `${tool.name} cannot compute here.`) };
        const answered = await context.toolbox.call(tool, input, signal, context.domains);
        if (!answered.ok) return answered;
        const { handle, output, whole, provenance, inputSha256 } = answered.answer;
        const title = `${tool.name} ${handle}`;
        const docs = source
          ? await sourceDocs(context, title, input, whole)
          : [await docOfText(context, { text: resultText(tool.name, output), title, language: CALCULATION })];
        const from = [...provenance, { source: 'input', ref: inputSha256 }];
        return { ok: true, output: { ...output, handle, docs }, provenance: from };
      },
    }),
    refuses(input, known) {
      const unsaid = source ? null : unsaidNumber(dataNumbers(input), known);
      return unsaid === null ? null : `${unsaid} stands neither in the question nor in what was found`;
    },
  };
}
