import { mislabelled, takeAsItIs } from '../audio-ingester.ts';
import { familyOf } from '../file-kinds.ts';
import type { Ingester } from '../ingester.ts';
import { baseName } from '../paths.ts';

const FRONT = /^(cover|folder|front|album(art)?)\b/;
const NOT_FRONT = /\b(back|cd\d*|disc\d*|disk\d*|inlay|inside|inner|booklet|matrix|label|tray|spine|sticker|obi)\b/;

/** How likely a picture is the front cover, by its name: 0 front, 1 perhaps, 2 another side of the box. Lower first. */
export function coverRank(path: string): 0 | 1 | 2 {
  const name = baseName(path)
    .toLowerCase()
    .replaceAll(/[_\-.]+/g, ' ');
  if (NOT_FRONT.test(name)) return 2;
  return FRONT.test(name) ? 0 : 1;
}

export const coverIngester: Ingester = {
  agentId: 'cover-ingester',
  name: 'Cover ingester',
  description: 'Keeps JPEG and PNG pictures as covers for the files of their folder.',
  priority: 10,
  capabilities: ['ingest:jpg', 'ingest:jpeg', 'ingest:png'],
  tags: ['ingester', 'cover'],
  ingest(input) {
    if (familyOf(input.kind) === 'audio') return takeAsItIs(input, 'a picture');
    if (input.kind !== 'jpeg' && input.kind !== 'png') return mislabelled(input, 'a JPEG or PNG picture');
    if (coverRank(input.path) === 2) return { as: 'companion', kind: 'cover', outcome: 'ignored', keep: 'nothing' };
    return { as: 'companion', kind: 'cover', outcome: 'used as cover', keep: 'blob' };
  },
};
