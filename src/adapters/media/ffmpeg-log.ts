/** Reads what `ffmpeg -v verbose` says. Its exit code decides; these numbers are evidence beside it. */

const KEEP_HEAD = 200;
const KEEP_TAIL = 400;

/** Lines of one run; a damaged file can make thousands, so the middle of a long log is dropped. */
export class LogBuffer {
  readonly #head: string[] = [];
  readonly #tail: string[] = [];
  #errors = 0;

  add(line: string): void {
    if (DECODE_ERROR.test(line)) this.#errors += 1;
    if (this.#head.length < KEEP_HEAD) this.#head.push(line);
    else {
      this.#tail.push(line);
      if (this.#tail.length > 2 * KEEP_TAIL) this.#tail.splice(0, KEEP_TAIL);
    }
  }

  lines(): string[] {
    return [...this.#head, ...this.#tail];
  }

  /** Places where the decoder stumbled, dropped lines included. */
  get errors(): number {
    return this.#errors;
  }
}

const DECODE_ERROR =
  /^Error while decoding stream|\binvalid sync code|\bCRC mismatch|\bHeader missing|\bcorrupt decoded frame/i;

export interface LogFacts {
  /** Samples per channel that came out of the decoder, encoder delay and padding trimmed. */
  decoded: number | null;
  /** Samples per channel that went into the encoder. */
  encoded: number | null;
  /** Of the first audio stream of the input. */
  codec: string | null;
  sampleRate: number | null;
  channels: number | null;
  /** Of the first audio stream, where the container says it. kbit/s. */
  kbits: number | null;
  /** Name of the demuxer, `mov,mp4,m4a,3gp,3g2,mj2`. */
  format: string | null;
}

/** The numbers in a log; null where it does not say. */
export function readLog(log: string[]): LogFacts {
  const outputAt = log.findIndex((line) => line.startsWith('Output #0'));
  const before = outputAt < 0 ? log : log.slice(0, outputAt);
  const input = first(before, /Stream #0:\d+.*: Audio: (\w+).*?, (\d+) Hz, ([^,]+)/);
  return {
    decoded: count(first(log, /Input stream #0:\d+ \(audio\):.*\((\d+) samples\)/)),
    encoded: count(first(log, /Output stream #0:\d+ \(audio\):.*\((\d+) samples\)/)),
    codec: input?.[1] ?? null,
    sampleRate: input ? Number(input[2]) : null,
    channels: input ? channelCount(input[3] ?? '') : null,
    kbits: count(first(before, /Stream #0:\d+.*: Audio: .*?, (\d+) kb\/s/)),
    format: first(before, /^Input #0, (.+), from /)?.[1] ?? null,
  };
}

/** The line that best says why a run failed, as ffmpeg words it, without paths and addresses. */
export function reasonOf(log: string[]): string {
  const telling = log.filter((line) =>
    /invalid|error|failed|not found|unsupported|could not|cannot|truncat|out of (bounds|memory)|unreachable/i.test(
      line,
    ),
  );
  const line = telling.filter((each) => each !== 'Conversion failed!').at(-1) ?? 'no audio could be decoded';
  return line
    .replace(/^\[[^\]]*\]\s*/, '')
    .replace(/\/work\/(mount\d+\/)?[\w.-]+:?\s*/g, '')
    .trim();
}

function first(lines: string[], pattern: RegExp): RegExpExecArray | null {
  for (const line of lines) {
    const found = pattern.exec(line);
    if (found) return found;
  }
  return null;
}

function count(found: RegExpExecArray | null): number | null {
  return found ? Number(found[1]) : null;
}

const LAYOUTS: Record<string, number> = {
  mono: 1,
  stereo: 2,
  downmix: 2,
  quad: 4,
  hexagonal: 6,
  octagonal: 8,
  hexadecagonal: 16,
};

/** `stereo` 2, `5.1(side)` 6, `3 channels` 3. */
function channelCount(layout: string): number | null {
  const numbered = /^(\d+) channels/.exec(layout);
  if (numbered) return Number(numbered[1]);
  const dotted = /^(\d+)\.(\d+)/.exec(layout);
  if (dotted) return Number(dotted[1]) + Number(dotted[2]);
  return LAYOUTS[/^\w+/.exec(layout)?.[0] ?? ''] ?? null;
}
