import * as v from 'valibot';
import { PlanSchema, type Plan } from './plan.ts';

/** `{taskId}.plan.json`, byte for byte the same wherever the plan is kept: the specified fields, in their order, and a line's end. */
export function planDocument(plan: Plan): string {
  return `${JSON.stringify(v.parse(PlanSchema, plan), null, 2)}\n`;
}

/** The plan of a document; null for anything else. */
export function readPlanDocument(text: string): Plan | null {
  try {
    const parsed = v.safeParse(PlanSchema, JSON.parse(text));
    return parsed.success ? parsed.output : null;
  } catch {
    return null;
  }
}
