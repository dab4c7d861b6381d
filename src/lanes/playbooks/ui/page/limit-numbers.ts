/** Limits that a page asks for, in the order of its fields, and what they are called there. */
export const LIMIT_FIELDS = [
  ['model_calls', 'Calls of the model'],
  ['tokens', 'Tokens'],
  ['cost_usd', 'US dollars'],
  ['seconds', 'Seconds'],
] as const;

/** Limits as they were typed: an empty field is none. */
export const limitNumbers = (typed: Readonly<Record<string, string>>): Record<string, number> =>
  Object.fromEntries(Object.entries(typed).flatMap(([key, said]) => (Number(said) > 0 ? [[key, Number(said)]] : [])));

/** `calls of the model 5, tokens 1000`. */
export function limitWords(limits: Readonly<Record<string, number>>): string {
  const names: Readonly<Record<string, string>> = Object.fromEntries(LIMIT_FIELDS);
  return Object.entries(limits)
    .map(([key, most]) => `${names[key]?.toLowerCase() ?? key.replaceAll('_', ' ')} ${most}`)
    .join(', ');
}
