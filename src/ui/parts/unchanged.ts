/** The query with a memory: where it says the same as before, it answers the very object of before. For small answers. */
export function unchanged<T>(query: () => Promise<T>): () => Promise<T> {
  let before: { text: string; value: T } | null = null;
  return async () => {
    const value = await query();
    const text = JSON.stringify(value);
    if (before?.text !== text) before = { text, value };
    return before.value;
  };
}
