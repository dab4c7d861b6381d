/** Milliseconds as `3:45`, hours as `1:02:05`; `?` when unknown. */
export function clock(milliseconds: number | null): string {
  if (milliseconds === null) return '?';
  const seconds = Math.round(milliseconds / 1000);
  const minutes = Math.floor(seconds / 60);
  const rest = String(seconds % 60).padStart(2, '0');
  return minutes < 60
    ? `${minutes}:${rest}`
    : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${rest}`;
}

/** The same; `unknown length` when unknown. */
export function formatDuration(milliseconds: number | null): string {
  return milliseconds === null ? 'unknown length' : clock(milliseconds);
}
