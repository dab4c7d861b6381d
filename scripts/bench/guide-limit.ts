/** A packed guide that unpacks to more than a guide may have: where reading it stops, and what it costs until then. */
import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { MOST_BYTES, readGuide } from '#lanes/guide/bytes/read-guide.ts';
import { GuideChecker } from '#lanes/guide/core/faults/check-guide.ts';
import { openGuideFile } from '#lanes/guide/node/guide-file.ts';

const TEXT = 'harbour lantern winter river '.repeat(1000);

/** @returns guide.limit_mb: unpacked bytes whose programmes were read; guide.limit_cpu_s */
export async function benchLimit(): Promise<Record<string, number>> {
  const directory = mkdtempSync(join(tmpdir(), 'bench-guide-limit-'));
  const file = join(directory, 'guide.xml.gz');
  try {
    await pipeline(Readable.from(endless()), createGzip({ level: 1 }), createWriteStream(file));
    const begun = process.cpuUsage();
    const checker = new GuideChecker();
    const checked = checker.end(await readGuide(await openGuideFile(file), checker));
    const { user, system } = process.cpuUsage(begun);
    if (checked.stopped?.includes('larger than 512 MB') !== true) throw new Error(`It was read on: ${checked.stopped}`);
    if (checked.cutTexts > 0 || statSync(file).size > MOST_BYTES / 10)
      throw new Error('The guide is not as it was meant.');
    return {
      'guide.limit_mb': (checked.programmes * programme(0).length) / 1024 / 1024,
      'guide.limit_cpu_s': (user + system) / 1e6,
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

const programme = (at: number): string =>
  `<programme start="${20_260_000_000_000 + at} +0000" channel="one"><title>Harbour</title><desc>${TEXT}</desc></programme>\n`;

/** Ten megabytes more than may be. */
function* endless(): Generator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?><tv><channel id="one"><display-name>One</display-name></channel>';
  for (let bytes = 0, at = 0; bytes < MOST_BYTES + 10 * 1024 * 1024; at++) {
    const text = programme(at);
    bytes += text.length;
    yield text;
  }
  yield '</tv>';
}
