/** What was "said" in the demonstration. Written by `scripts/record-demo.ts`; do not edit. */
import type { Cassette } from './cassette.ts';

export const DEMO_CASSETTE: Cassette = { version: 1, model: 'demo', answers: {} };
