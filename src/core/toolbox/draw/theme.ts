/** Colours of figures: named, told apart by the colour-blind (Okabe and Ito), in light and dark. */
export const THEMES = ['light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export interface Palette {
  background: string;
  text: string;
  quiet: string;
  /** Lines that are to be followed. */
  link: string;
  land: string;
  water: string;
  /** Kinds, in this order. */
  kinds: readonly string[];
  /** From little to much. */
  ramp: readonly string[];
}

const KINDS = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#f0e442', '#999999'];

export const PALETTES: Readonly<Record<Theme, Palette>> = {
  light: {
    ...{ background: '#ffffff', text: '#1f1e1b', quiet: '#d8d5cf', link: '#8a867e', land: '#e7e4de', water: '#f6f9fb' },
    ...{ kinds: KINDS, ramp: ['#deebf7', '#9ecae1', '#4292c6', '#2171b5', '#08306b'] },
  },
  dark: {
    ...{ background: '#1b1a18', text: '#eceae5', quiet: '#45423d', link: '#8a867e', land: '#35332f', water: '#20242a' },
    ...{ kinds: ['#56b4e9', '#e69f00', '#009e73', '#cc79a7', '#0072b2', '#d55e00', '#f0e442', '#999999'] },
    ramp: ['#12304f', '#2171b5', '#4292c6', '#9ecae1', '#deebf7'],
  },
};
