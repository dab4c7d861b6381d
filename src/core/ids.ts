import { nanoid } from 'nanoid';
import type { Ids } from './ports.ts';

/** 21 URL-safe characters, 126 bits: https://github.com/ai/nanoid. */
export const randomIds: Ids = { next: () => nanoid() };
