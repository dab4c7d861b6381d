/** The two shapes in which a model says what it wants. Every one of them compiles in a grammar engine. */
import type { JsonSchema, ToolDefinition } from '../llm/message.ts';

/** Characters of a why: one or two sentences. */
export const WHY_LENGTH = 300;
export const NONE = 'NONE';
export const ASK = 'ASK';

const WHY = { type: 'string', maxLength: WHY_LENGTH };

/** *choice*: a letter of the ballot, NONE of them, or ASK a person. */
export function choiceSchema(letters: readonly string[]): { name: string; schema: JsonSchema } {
  return {
    name: 'choice',
    schema: {
      type: 'object',
      properties: { answer: { type: 'string', enum: [...letters, NONE, ASK] }, why: WHY },
      required: ['answer', 'why'],
      additionalProperties: false,
    },
  };
}

/** *tools* without calls of the wire's own: one call as an object. `tools` must not be empty. */
export function actionSchema(tools: readonly ToolDefinition[]): { name: string; schema: JsonSchema } {
  const shapes = tools.map((tool) => ({
    type: 'object',
    properties: { tool: { type: 'string', enum: [tool.name] }, arguments: tool.parameters, why: WHY },
    required: ['tool', 'arguments', 'why'],
    additionalProperties: false,
  }));
  const [only] = shapes;
  return { name: 'action', schema: shapes.length === 1 && only ? only : { anyOf: shapes } };
}
