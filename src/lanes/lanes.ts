/** The lanes of this product, in the order in which they are offered. */
import type { Lane } from './lane.ts';
import { documents } from './documents/lane.ts';
import { guide } from './guide/lane.ts';
import { library } from './library/lane.ts';
import { music } from './music/lane.ts';
import { playbooks } from './playbooks/lane.ts';
import { toolbox } from './toolbox/lane.ts';
import { video } from './video/lane.ts';

export const lanes: readonly Lane[] = [music, video, library, documents, guide, playbooks, toolbox];
