/** The cage in Node: a child process a runtime. */
import type { Cage } from '#core/toolbox/cage.ts';
import { cageOf } from '../children.ts';
import { openChild } from './open-child.ts';

export const openNodeCage = (): Cage => cageOf((runtime) => Promise.resolve((events) => openChild(runtime, events)));
