import { albumGroup } from './album.ts';
import type { Group } from './bench.types.ts';
import { probeGroup } from './probe.ts';
import { thousandGroup } from './thousand.ts';
import { transcodeGroup } from './transcode.ts';
import { unzipGroup } from './unzip.ts';

/** Every group of `npm run bench -- media`, in the order they run. */
export const GROUPS: readonly Group[] = [probeGroup, transcodeGroup, unzipGroup, albumGroup, thousandGroup];
