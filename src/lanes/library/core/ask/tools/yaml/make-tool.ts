/** Tools of YAML files: checked input, a built-in way, checked output. */
import * as v from 'valibot';
import { fnv1a } from '#core/fnv1a.ts';
import { readTool } from '#core/agent/tools/make-tool.ts';
import type { ToolOutcome, ToolRun as Running } from '#core/agent/tools/tool.ts';
import { canonical, isRecord } from '#core/agent/tools/tool.ts';
import { AccessionError, failed, toFailure } from '#core/errors.ts';
import type { JsonSchema } from '#core/agent/llm/provider.ts';
import type { RagDoc } from '../../evidence/evidence.types.ts';
import type { AskTool } from '../ask-tool.ts';
import type { AskToolContext } from '../context.ts';
import { DocsSchema } from '../docs.ts';
import { httpJson } from '../web/http-json.ts';
import { checkOf } from './schema-check.ts';
import { filled, filledAddress } from './templates.ts';
import type { ToolFile } from './tool-file.ts';

type Input = Record<string, unknown>;

/** @param ways the tools that are built in, by name */
export function toolOfFile(file: ToolFile, ways: readonly AskTool[]): AskTool {
  const { run, output_schema } = file;
  const input = checkOf(file.input_schema);
  const output = output_schema === null ? v.unknown() : checkOf(output_schema);
  const way = run.use === 'http_json' ? null : (ways.find(({ tool }) => tool.name === run.use) ?? null);
  const given = (said: Input): Input => {
    const whole = run.use === 'http_json' ? {} : filled(run.with, said);
    return isRecord(whole) ? whole : {};
  };

  const execute = async (
    said: Input,
    running: Running<AskToolContext>,
  ): Promise<{ value: unknown; docs: RagDoc[]; from: string }> => {
    if (run.use === 'http_json') {
      const { use: _use, url, ...rest } = run;
      const asked = { ...rest, url: filledAddress(url, said), allow: file.sandbox.allow ?? null };
      const { value, docs, url: from } = await httpJson(asked, running.context, running.signal);
      return { value: output_schema === null ? value : within(output_schema, value), docs, from };
    }
    if (way === null) throw failed('internal', `There is no way "${run.use}".`);
    const read = v.safeParse(way.tool.input, given(said));
    if (!read.success) throw failed('invalid', `${run.use}: ${whatIsWrong(read.issues[0])}`);
    const outcome = await way.tool.execute(read.output, running);
    if (!outcome.ok) throw new AccessionError(outcome.failure);
    const docs = isRecord(outcome.output) ? v.parse(DocsSchema, outcome.output['docs'] ?? []) : [];
    const value = output_schema === null ? outcome.output : within(output_schema, outcome.output);
    return { value, docs, from: run.use };
  };

  const tool = readTool({
    name: file.name,
    version: file.version,
    description: file.description,
    input,
    schema: file.input_schema,
    output: v.object({ result: v.unknown(), docs: DocsSchema }),
    limits: { perMinute: file.rate_limits.rpm },
    async execute(
      said: Input,
      running: Running<AskToolContext>,
    ): Promise<ToolOutcome<{ result: unknown; docs: RagDoc[] }>> {
      try {
        const { value, docs, from } = await execute(said, running);
        const read = v.safeParse(output, value);
        if (!read.success)
          throw failed('invalid', `It answered otherwise than output_schema says: ${whatIsWrong(read.issues[0])}`);
        const provenance = docs.length === 0 ? [{ source: 'url', ref: from }] : docs.map(sourceOf);
        return { ok: true, output: { result: read.output, docs }, provenance };
      } catch (thrown) {
        return { ok: false, failure: toFailure(thrown, file.name) };
      }
    },
  });
  return {
    tool: { ...tool, side_effects: file.side_effects },
    network: file.sandbox.network,
    // The whole of it: a file that was changed is another tool, whatever version it says.
    fingerprint: fnv1a(canonical(file)).toString(16),
    refuses: (said, known) => way?.refuses?.(given(said), known) ?? null,
  };
}

const sourceOf = ({ source_id, metadata }: RagDoc) => ({ source: source_id, ref: metadata.url ?? metadata.path });

/** Fields that the schema does not have are left out: an answer of somebody else may have more of them. */
function within(schema: JsonSchema, value: unknown): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    return isRecord(items) ? value.map((one) => within(items, one)) : value;
  }
  const { properties } = schema;
  if (!isRecord(value) || !isRecord(properties)) return value;
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, of]) =>
      Object.hasOwn(value, name) && isRecord(of) ? [[name, within(of, value[name])]] : [],
    ),
  );
}

function whatIsWrong(issue: v.BaseIssue<unknown>): string {
  const path = v.getDotPath(issue);
  return path === null ? issue.message : `${path}: ${issue.message}`;
}
