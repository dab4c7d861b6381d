import { toJsonSchema } from '@valibot/to-json-schema';
import { AccessionError, failed } from '../../errors.ts';
import type { JsonSchema, ToolDefinition } from '../llm/provider.ts';
import { handlesOfKind, type Entities } from './handles.ts';
import { type AgentTool, isRecord } from './tool.ts';

/** More handles of one kind than this are not listed one by one in a schema. */
const MOST_LISTED = 64;
const MINUTE = 60_000;

/** The tools that workflows may use, and what they share: how often each was called in the last minute. */
export class AgentToolRegistry<Context> {
  readonly #tools = new Map<string, AgentTool<Context>>();
  readonly #schemas = new Map<string, Record<string, unknown>>();
  readonly #calls = new Map<string, number[]>();

  /** Throws AccessionError `internal` on two tools of one name, and on input that would let unknown fields through. */
  constructor(tools: readonly AgentTool<Context>[]) {
    for (const tool of tools) {
      const schema = inputSchema(tool);
      if (this.#tools.has(tool.name)) throw broken(`Two tools are called ${tool.name}.`);
      if (schema['type'] !== 'object' || schema['additionalProperties'] !== false)
        throw broken(`The input of ${tool.name} must be a strict object.`);
      this.#tools.set(tool.name, tool);
      this.#schemas.set(tool.name, schema);
    }
  }

  /** `search_catalog@1 set_match@2`: changes with any tool, so that a transcript says what it was made with. */
  get version(): string {
    return [...this.#tools.values()].map((tool) => `${tool.name}@${tool.version}`).join(' ');
  }

  get names(): string[] {
    return [...this.#tools.keys()];
  }

  get(name: string): AgentTool<Context> | undefined {
    return this.#tools.get(name);
  }

  /**
   * What the model may be offered of `allowed`: a field that names an entity lists the handles there are, and a tool
   * that needs one of a kind that was never shown is left out.
   */
  definitions(allowed: readonly string[], entities: Entities): ToolDefinition[] {
    const offered: ToolDefinition[] = [];
    for (const name of allowed) {
      const tool = this.#tools.get(name);
      const schema = this.#schemas.get(name);
      if (!tool || !schema) continue;
      const parameters = withHandles(schema, tool.references, entities);
      if (parameters) offered.push({ name, description: tool.description, parameters });
    }
    return offered;
  }

  /** Counts a call; or, when the minute is full, says how many milliseconds there are to wait. 0: go. */
  admit(name: string, now: number): number {
    const most = this.#tools.get(name)?.limits.perMinute ?? 0;
    const recent = (this.#calls.get(name) ?? []).filter((at) => at > now - MINUTE);
    const [oldest] = recent;
    const full = recent.length >= most;
    if (!full) recent.push(now);
    this.#calls.set(name, recent);
    return full ? (oldest ?? now) + MINUTE - now : 0;
  }
}

/** The JSON Schema of a tool's input. */
export function inputSchema(tool: Pick<AgentTool<never>, 'input' | 'schema'>): Record<string, unknown> {
  if (tool.schema !== undefined) return { ...tool.schema };
  const { $schema: _draft, ...schema } = toJsonSchema(tool.input, {
    target: 'draft-2020-12',
    typeMode: 'input',
    errorMode: 'ignore',
  });
  return { ...schema };
}

function withHandles(
  schema: Record<string, unknown>,
  references: Readonly<Record<string, string>>,
  entities: Entities,
): JsonSchema | null {
  const properties: Record<string, unknown> = {};
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  for (const [field, property] of Object.entries(isRecord(schema['properties']) ? schema['properties'] : {})) {
    const kind = Object.hasOwn(references, field) ? references[field] : undefined;
    const handles = kind === undefined ? [] : handlesOfKind(entities, kind);
    if (kind === undefined || !isRecord(property)) properties[field] = property;
    else if (handles.length > 0) properties[field] = handleSchema(property, handles);
    else if (required.includes(field)) return null;
  }
  return { ...schema, properties };
}

function handleSchema(property: Record<string, unknown>, handles: string[]): Record<string, unknown> {
  const one = handles.length <= MOST_LISTED ? { type: 'string', enum: handles } : { type: 'string', maxLength: 8 };
  if (property['type'] === 'array') return { ...property, items: one };
  if (Array.isArray(property['anyOf'])) return { anyOf: [one, { type: 'null' }] };
  return typeof property['description'] === 'string' ? { ...one, description: property['description'] } : one;
}

function broken(sentence: string): AccessionError {
  return failed('internal', sentence);
}
