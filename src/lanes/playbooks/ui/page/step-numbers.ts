/** What a page sets for all steps that ask a model, before what they say themselves: key, its words, and the most that it takes. */
export const STEP_FIELDS = [
  ['verbosity', 'Verbosity, 0 to 10', 10],
  ['max_requery_iterations', 'Calls before an answer, 0 to 10', 10],
  ['agent.iterations', 'Rounds of the agent, 0 to 100', 100],
] as const;

/** As they were typed: an empty field leaves what the steps say. */
export function stepNumbers(typed: Readonly<Record<string, string>>): Record<string, number | Record<string, number>> {
  const set: Record<string, number | Record<string, number>> = {};
  for (const [key] of STEP_FIELDS) {
    const said = typed[key]?.trim() ?? '';
    if (said === '') continue;
    const [of, inner] = key.split('.');
    if (of !== undefined && inner !== undefined) set[of] = { [inner]: Number(said) };
    else set[key] = Number(said);
  }
  return set;
}
