/**
 * Work that is never done twice at once: who asks while it is being done has it done once more behind, whoever else asks
 * meanwhile.
 */
export function oneAfterAnother(work: () => Promise<void>): () => Promise<void> {
  let doing: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const begin = (): Promise<void> => {
    const mine = work().finally(() => {
      if (doing === mine) doing = null;
    });
    return (doing = mine);
  };
  return () => {
    if (doing === null) return begin();
    next ??= doing
      .catch(() => undefined)
      .then(() => {
        next = null;
        return begin();
      });
    return next;
  };
}
