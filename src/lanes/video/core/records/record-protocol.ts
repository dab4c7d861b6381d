/** Records of recognised videos over HTTP. */
import * as v from 'valibot';
import { PosixPathSchema } from '#core/plan/plan.ts';

/** Body of POST /v1/catalog/videos/rename-plan. */
export const NameVideosSchema = v.object({
  mediaFolderPath: PosixPathSchema,
  /** `plex`, `jellyfin`, `kodi`, or a template as the Video page takes it. */
  template: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(500)), 'plex'),
  /** The folder is the show's own: a first folder of the template that only names the show is left out. */
  inShowFolder: v.optional(v.boolean(), true),
});

export const NamedVideosSchema = v.object({
  /** Of the rename plan that is pending now; null where every file has its name already. */
  planId: v.nullable(v.string()),
  /** Files that get another name, and files that have the right one. */
  files: v.number(),
  unchanged: v.number(),
  /** Files that the template gives no name, with the reason. */
  problems: v.array(v.object({ path: v.string(), message: v.string() })),
});
export type NamedVideos = v.InferOutput<typeof NamedVideosSchema>;
