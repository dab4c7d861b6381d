/** A text with tokens, read (PB-10 to PB-16). */

export type Index = { kind: 'at'; at: number | 'n' } | { kind: 'range'; from: number | 'n'; to: number | 'n' };

export type Segment = { kind: 'key'; key: string } | { kind: 'index'; index: Index };

export const SPECIALS = ['%i', '%n', '%file', '%parent'] as const;
export type Special = (typeof SPECIALS)[number];

export type Ref =
  | { from: 'config'; path: Segment[] }
  | { from: 'step'; step: string; path: Segment[] }
  /** `ups`: how often `parent` is said; 0 is `this`. */
  | { from: 'unit'; ups: number; path: Segment[]; special: Special | null }
  | { from: 'output'; path: Segment[]; special: Special | null }
  /** `{name}` alone: of the config if it has that key. */
  | { from: 'bare'; name: string };

export type Default = { kind: 'value'; value: null | boolean | number | string } | { kind: 'text'; text: Template };

export interface Token {
  kind: 'token';
  ref: Ref;
  /** As it is written, without braces and default. */
  said: string;
  /** With its braces. */
  source: string;
  default: Default | null;
}

export type Part = { kind: 'text'; text: string } | Token;

export interface Template {
  parts: Part[];
}
