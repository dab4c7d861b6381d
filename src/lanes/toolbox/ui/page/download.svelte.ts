/** The download of an engine that is under way, as the pages show it. */
import type { CageJob } from '#core/toolbox/cage.ts';

class Download {
  runtime = $state<CageJob['runtime'] | null>(null);
  /** 0..1. */
  share = $state(0);

  tell(runtime: CageJob['runtime'], share: number): void {
    this.runtime = share < 1 ? runtime : null;
    this.share = share;
  }

  end(): void {
    this.runtime = null;
  }
}

export const download = new Download();
