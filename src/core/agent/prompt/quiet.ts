import { withoutInstructions } from './instruction-text.ts';

/** Text from outside as the model may read it; null where nothing of it is left. */
export function quiet(text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null;
  const left = withoutInstructions(text).text;
  return left === '' ? null : left;
}
