/** Derived schedules as XMLTV, valid by its DTD: times in UTC, each channel once, what is known of each video. */
import type { Schedule, ScheduleChannel, ScheduleVideo } from './types.ts';

/** A recognised video as a guide tells of it. */
export interface GuideVideo extends ScheduleVideo {
  /** Of the show or the film; null: its id. */
  title: string | null;
  episode_title: string | null;
  /** `2019-05-02`, or a part of it from the begin. */
  aired: string | null;
}

export interface DerivedChannel {
  channel: Pick<ScheduleChannel, 'id' | 'number' | 'name'>;
  schedule: Schedule;
}

/** The document, piece by piece. */
export function* scheduleXmltv(channels: readonly DerivedChannel[], videos: readonly GuideVideo[]): Generator<string> {
  const known = new Map(videos.map((video) => [video.id, video]));
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE tv SYSTEM "xmltv.dtd">\n<tv generator-info-name="Accession">\n';
  for (const { channel } of channels)
    yield `  <channel id="${attribute(channel.id)}">${element('display-name', channel.name)}${element('display-name', channel.number)}</channel>\n`;
  for (const { channel, schedule } of channels)
    for (const { start, stop, video } of schedule.programmes) {
      const times = `start="${compact(start)}" stop="${compact(stop)}"`;
      const told = known.get(video);
      yield `  <programme ${times} channel="${attribute(channel.id)}">${told ? content(told) : element('title', video)}</programme>\n`;
    }
  yield '</tv>\n';
}

/** What is told of a video, in the order of the DTD. */
function content({ title, show, episode_title, aired, season, episode, seconds }: GuideVideo): string {
  const numbered = season !== null && episode !== null;
  const date = /^\d{4}(-\d\d(-\d\d)?)?/.exec(aired ?? '')?.[0].replaceAll('-', '');
  return [
    element('title', title?.trim() ? title : show),
    episode_title?.trim() ? element('sub-title', episode_title) : '',
    date === undefined ? '' : element('date', date),
    element('category', numbered ? 'Series' : 'Movie', ' lang="en"'),
    seconds === null ? '' : element('length', String(seconds), ' units="seconds"'),
    // That notation counts from the first: a pilot has no place in it.
    numbered && season > 0 && episode > 0
      ? element('episode-num', `${season - 1}.${episode - 1}.`, ' system="xmltv_ns"')
      : '',
    numbered ? element('episode-num', `S${pad(season)}E${pad(episode)}`, ' system="onscreen"') : '',
  ].join('');
}

const pad = (number: number): string => String(number).padStart(2, '0');
/** `2026-03-02T08:00:00Z` as `20260302080000 +0000`. */
const compact = (instant: string): string => `${instant.replace(/\D/g, '')} +0000`;
const element = (name: string, text: string, attributes = ''): string =>
  `<${name}${attributes}>${escaped(text)}</${name}>`;
const attribute = (text: string): string =>
  escaped(text)
    .replaceAll('"', '&quot;')
    .replace(/[\t\n\r]/g, ' ');

/** What XML forbids is left out. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
