/** Loads at the first call and keeps what was loaded. A load that failed (offline, say) is tried again at the next call. */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | null = null;
  return () => {
    const mine = (loading ??= load());
    mine.catch(() => {
      if (loading === mine) loading = null;
    });
    return mine;
  };
}
