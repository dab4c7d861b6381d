/** The code of each view, loaded when it is opened. */
import type { Component } from 'svelte';
import type { View } from '../view-list.ts';

const LOAD: Readonly<Record<View, () => Promise<{ default: Component }>>> = {
  grid: () => import('./grid/GridView.svelte'),
  health: () => import('./health/HealthView.svelte'),
  runs: () => import('./runs/RunsView.svelte'),
  channels: () => import('./channels/ChannelsView.svelte'),
};

export const viewOf = async (view: View): Promise<Component> => (await LOAD[view]()).default;
