/** The manifest of a folder that the person opened: `manifest.json` in it, with its state beside it. */
import { MANIFEST_NAME, STATE_NAME } from '#core/documents/manifest-form.ts';
import type { FileTree } from '#core/plan/file-tree.ts';
import { contentOf } from '#core/plan/replace-content.ts';
import { decodeUtf8, encodeUtf8 } from '#core/utf8.ts';
import type { ManifestPart, ManifestStore } from '#lanes/documents/core/manifest/manifest-store.ts';

const NAMES: Readonly<Record<ManifestPart, string>> = { manifest: MANIFEST_NAME, state: STATE_NAME };

export function folderManifest(tree: FileTree): ManifestStore {
  const isThere = async (part: ManifestPart): Promise<boolean> => (await tree.stat(NAMES[part]))?.kind === 'file';
  return {
    name: NAMES.manifest,
    // Whoever changes documents in this browser holds the lane's lock already.
    alone: (work) => work(),
    read: async (part) => ((await isThere(part)) ? decodeUtf8(await contentOf(tree, NAMES[part])) : null),
    async write(part, text) {
      const bytes = new Uint8Array(encodeUtf8(text));
      if (await isThere(part)) await tree.replace?.(NAMES[part], bytes);
      else await tree.create?.(NAMES[part], bytes);
    },
  };
}
