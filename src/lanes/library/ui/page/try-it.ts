/** A made-up folder of code and notes, to see what the page does. */
import type { ListedFile } from '#lanes/library/browser/folder-sources.ts';
import { listedSource } from './listed-source.ts';

const TEXTS: Readonly<Record<string, string>> = {
  'Harbour office/README.md': `# Harbour office

Tells the pilots when a ship of a given draught can pass the bar.

## How the height of the tide is found

The height is worked out from the two nearest high and low waters by the rule of twelfths: in the six hours between them it
changes by one, two, three, three, two and one twelfths of the range.

## Limits

A ship passes with at least 0.5 metres under her keel. In fog nobody passes.
`,
  'Harbour office/src/tides.ts': `/** Shares of the range by which the tide has changed after each of six hours. */
const TWELFTHS = [0, 1, 3, 6, 9, 11, 12];

/** Height in metres, \`hours\` after low water. */
export function heightAt(low: number, high: number, hours: number): number {
  const hour = Math.min(6, Math.max(0, Math.floor(hours)));
  const next = Math.min(6, hour + 1);
  const from = TWELFTHS[hour] ?? 0;
  const share = from + ((TWELFTHS[next] ?? 12) - from) * (hours - hour);
  return low + ((high - low) * share) / 12;
}
`,
  'Harbour office/src/passage.py': `KEEL_CLEARANCE = 0.5  # metres


class Ship:
    """A ship that wants to come in."""

    def __init__(self, name, draught):
        self.name = name
        self.draught = draught

    def may_pass(self, depth, fog=False):
        """Whether she can pass the bar at this depth of water, in metres."""
        return not fog and depth - self.draught >= KEEL_CLEARANCE
`,
  'Harbour office/notes/2024-03-storm.md': `# The storm of March 2024

The gauge at the long quay failed at 03:20. Heights of that night were read from the old tide pole by lamp.

- The pilot boat was moored in the inner basin.
- Two ships waited outside: the Marten and the Grey Pilot.
`,
};

export function tryIt() {
  const files = Object.entries(TEXTS).map(([path, text]): ListedFile => {
    return { path, file: new File([text], path.split('/').at(-1) ?? path) };
  });
  return listedSource(files);
}
