/**
 * What a lane says of itself. A lane is one folder with one `lane.ts`, and one line in `lanes.ts`.
 *
 * Each part is loaded by whoever needs it: workers load `core` and `browser`, pages load `ui`, the server and the
 * command line load theirs. Parts that need Node are imported through `#node-part/*` (package.json), which is an empty
 * module in a bundle for the browser; parts for pages through `#page-part/*`, which is empty in a worker's bundle.
 */
import type { TableVersion } from '#adapters/browser/db.ts';
import type { LaneBrowser } from '#adapters/browser/lane-browser.ts';
import type { LaneCli } from '#cli/lane-cli.ts';
import type { LaneCore } from '#core/lane-core.ts';
import type { LaneServer } from '#server/lane-server.ts';
import type { LaneUi } from '#ui/lane-ui.ts';

export interface Lane {
  /** Short and stable: it is stored with jobs and is part of addresses. */
  id: string;
  /** Its tables in the workstation's database. */
  tables?: readonly TableVersion[];
  core(): Promise<LaneCore>;
  browser?(): Promise<LaneBrowser>;
  ui?(): Promise<LaneUi>;
  server?(): Promise<LaneServer>;
  cli?(): Promise<LaneCli>;
}
