/** The views of the Guide, and where each is. */
export const VIEWS = [
  { id: 'grid', path: 'guide', label: 'Grid' },
  { id: 'health', path: 'guide/health', label: 'Health' },
  { id: 'runs', path: 'guide/runs', label: 'Runs' },
  { id: 'channels', path: 'guide/channels', label: 'Channels' },
] as const;
export type View = (typeof VIEWS)[number]['id'];
