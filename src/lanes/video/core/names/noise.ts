/** What of a name is technical (never a number of an episode, and where a title ends), and what only may be. */

/**
 * Words of a release that are never words of a title, by kind. Written from the naming rules that scene and fan groups
 * publish (scenerules.org's TV and movie rules, the wiki pages of trackers) and from format registries.
 */
const TECHNICAL: Record<string, string> = {
  resolution: 'sd hd uhd fhd qhd hdlight ultrahd 4k 8k 480p 480i 540p 576p 576i 360p 240p lq hq fullhd hdready',
  source:
    'hdtv hdtvrip pdtv sdtv dsr dsrip dthrip dvbrip satrip tvrip webtv tvhdrip dvd dvdrip dvd5 dvd9 dvdr dvdscr dvd-r dvdmux ' +
    'bluray blu-ray bdrip brrip bdremux bdmux brmux brripmux bdripmux bd bd25 bd50 bdmv hddvd hd-dvd hddvdrip hdrip hdripmux web-dl webdl webrip ' +
    'webhd webcap web-dlrip webdlrip webuhd vhs vhsrip vhs-rip vodrip vod hc hdcam hdts hdtc hdtcrip telesync telecine workprint ' +
    'ppv ppvrip tvrips dvb ahdtv uhdtv uhdrip bdiso dvdiso untouched remux ntsc pal secam laserdisc ldrip webmux dlmux dlrip ' +
    'satellite hddvdrip hdtvmux dvdivx bdr web-rip dvb-rip tv-rip bd-rip dvd-rip hd-rip br-rip hdtv-rip scr screener r5 stv rip ts-rip',
  video:
    'x264 x265 x262 x266 x642 h264 h265 h266 h26l avc hevc vvc xvid divx divx5 divx6 av1 vp8 vp9 vc1 vc-1 mpeg2 mpeg4 mpg2 mpeg-2 mpeg-4 wmv9 rv10 rv9 8bit 10bit 12bit ' +
    '10-bit 8-bit hi10 hi10p hi444pp hi444 hi422p 4khdr hdr hdr10 hdr10plus hlg sdr dolbyvision bt2020 bt709 dxva nvenc sbs hsbs h-sbs hou half-sbs half-ou yuv420p10 60fps 24fps avchd main10 hi422',
  audio:
    'aac ac3 ac-3 ac3d eac3 e-ac3 e-ac-3 dts dtshd dts-hd dtsx dts-x dts-es truehd flac mp2 mp3 ogg vorbis opus lpcm pcm ddp ddp5 dd5 ddpa ddpa5 dd dd+ eac3d ' +
    'atmos aacx2 aacx3 flacx2 flacx3 ac3x2 ddplus he-aac dolby 2ch 6ch 8ch 5ch stereo mono subx2 subx3 dts-ma dualaudio aac2 ac3-5 he-aacv2',
  subtitles:
    'vostfr vosta vostf subfrench subforced hardsub softsub hardsubs softsubs fansub fastsub fastsubs multisub multisubs multi-sub multi-subs ' +
    'engsub engsubs eng-sub eng-subs nlsub nlsubs swesub swesubs hebsubs subspl plsub plsubs subita sub-ita esub esubs msubs hebsub korsub korsubs legendado dubbed dublado',
  release:
    'repack rerip proper internal readnfo nfofix dirfix samplefix prooffix proof read-nfo syncfix obfuscated scrambled postbot rarbg rartv ettv eztv yify yts hdtv-lol tgx',
};

/** Words that a release carries as often as a title does: they end a title only where technical words follow them. */
const SOFT: Record<string, string> = {
  edition:
    '3d hfr om extended uncut unrated uncensored remastered theatrical limited directors director cut edition retail complete completa completas ' +
    'completo integral version criterion imax collectors anniversary ultimate definitive hybrid colorized convert converted open matte oar alternative uncropped decensored rerelease dc se preair dual audio multiple subtitle subtitles batch ws fs dd ep1080 rc fps remaster collection box boxset',
  language:
    'english eng en french francais français fr vf vff vfq vfi vo vost truefrench german deutsch ger de german italian ita it spanish esp es castellano latino spa español espanol portuguese por pt pt-br ptbr ' +
    'russian rus ru japanese jpn jap jp korean kor chinese chs cht chi big5 gb polish pl pldub lektor dutch nl flemish swedish swe se norwegian nor no danish dan dk finnish fin fi hindi tamil telugu hungarian hun czech cz cze ' +
    'greek gr turkish tr thai vietnamese arabic ara hebrew heb ukrainian ukr romanian ro catalan norwegian nordic multi multi5 dual dub dubs dubbed sub subs subbed subfr raw ld md line dl mvo avo dvo quebec québec qc us uk vostf st chap chaps baltic ind',
  service:
    'ddy amzn nf netflix hmax max hbo dsnp hulu atvp pcok peacock pmtp cr crunchyroll funi vrv itv itunes ip iplayer dcu red vice cc comedycentral stan crav iqiyi viki bili b-global abema adn hidi wakanim ' +
    'all4 4od ap tver lktv sho starz showtime roku tubi cbs fox nbc abc amc ifc mtv vh1 syfy tlc usan hgtv hist espn cw cws bbc dsny nick tnt tbs ctv cbc nrk svt uktv at-x bs11 mbs tokyo-mx ntv btsporthd dm ajaz ambc anlb anpl ' +
    'aol arte aubc bcore bk bnge boom brav cmax cmor cmt cnbc cn cnlp cook crkl csp ctx cur cwtv dangers disc dplay dptv dski dtv esq etv etvp fam fbwatch fjr food fptv fxtl fyi gaga gc glbl glob go90 hap htstar ifx ina jn know kayo knpb lifetime lmn manga mbcvod mnbc mtod natg nfl nflb nfln nfb nbla newp nowtv odk pa pbs pbsk pluz pluto pogo puhu qibi rkten rte saintb sbs sci seeso shdr skst skyst snet spik sprt strp sunt tfou timv tou trvl tv3 tv4 tvl tvnz unicorn univ vh vlct vmeo vudu wnet wwen xbox yhoo youtube zdf wetv',
};

export interface Noise {
  start: number;
  end: number;
  /** A title ends before it; a soft one is a word of titles too. */
  hard: boolean;
  kind: string;
}

const WORDS = new Map<string, { kind: string; hard: boolean }>();
for (const [kind, words] of Object.entries(SOFT))
  for (const word of words.split(' ')) WORDS.set(word, { kind, hard: false });
for (const [kind, words] of Object.entries(TECHNICAL))
  for (const word of words.split(' ')) WORDS.set(word, { kind, hard: true });

/** What is written in several words or with numbers; each says its kind. */
const SHAPES: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ['resolution', /(?<![\p{L}\p{N}])\d{3,4}(?:[x*]|\s[x*]\s)\d{3,4}(?!\p{N})[pi]?/giu],
  ['resolution', /(?<![\p{L}\p{N}])(?:hd|bd|ep)?[_-]?(?:\d{3,4}|4k)[pi]{1,2}(?:x\d{2}|hd|\d{2})?(?![\p{L}\p{N}])/giu],
  ['resolution', /(?<=(?:hdtv|bd|web|dvd|bluray|hd)[ ._-]?)(?:480|720|1080|2160)(?!\p{N})/giu],
  [
    'resolution',
    /(?<=[[(])(?:480|540|720|1080|2160)(?=[\])])|(?<![\p{L}\p{N}])(?:480|540|720|1080|2160)(?=[ ._-](?:hdtv|bd|web|dvd|bluray|blu-ray|x26|h26|flac|aac|hevc))/giu,
  ],
  ['video', /(?<!\p{L})[xh][ .]?26[2456]l?(?!\p{N})/giu],
  ['video', /(?<!\p{N})(?:8|10|12)[ -]?bits?(?!\p{L})/giu],
  [
    'video',
    /(?<![\p{L}\p{N}])divx[ ._]?\d(?:\.\d{1,3}){0,2}|(?<![\p{L}\p{N}])mpeg-?[24](?!\p{N})|(?<![\p{L}\p{N}])hi10p?(?!\p{L})/giu,
  ],
  ['video', /(?<![\p{L}\p{N}])\d{2,3}(?:[.,]\d{1,3})?[ ]?(?:fps|hz)(?!\p{L})/giu],
  [
    'source',
    /(?<!\p{L})(?:web|dvd|bd|br|hdtv|tv|vhs|dvb|ts|cam)[ ._-]?(?:dl[ ._-]?)?rip(?!\p{L})|(?<!\p{L})web[ ._-]dl(?![\p{Ll}])|(?<!\p{L})blu[ -]?ray|(?<!\p{L})hd[ -]dvd(?!\p{L})|(?<=[ ._[(-])pdtv(?=x26)|(?<!\p{L})web[ ._-]?dl(?=[x]26)/giu,
  ],
  [
    'audio',
    /(?<![\p{L}\p{N}])(?:ddp?a?|dd\+|aac|flac|ac3|e-?ac3|dts(?:-?hd)?(?:[ .]?(?:ma|hra))?|truehd|lpcm|pcm|opus|ma|atmos|ogg|mp3|dolby)[ ._+-]{0,2}[1-9][ .][0-4](?!\p{N})(?:ch)?/giu,
  ],
  [
    'audio',
    /(?<![\p{L}\p{N}.])[1-9][ .][0-2][ ._]?ch(?!\p{L})|(?<=[[({ ._-])(?:2\.[01]|[567]\.1)(?=[\])} ]|$)|(?<=\[)[257]-[01](?=\])/giu,
  ],
  [
    'audio',
    /(?<![\p{L}\p{N}])(?:aac|flac|ac3|subx?|audio|mp3|dts)x?[ ]?\d(?!\p{N})|(?<![\p{L}\p{N}])\d{1,2}ch(?!\p{L})|(?<![\p{L}\p{N}])dual[ ._-]audio/giu,
  ],
  ['size', /(?<![\p{L}\p{N}])\d{1,5}(?:[.,]\d{1,3})?[ ]?(?:[kmgt]i?b|mo|go|[km]bit|[km]bps|kbit\/s)(?!\p{L})/giu],
  ['checksum', /(?<=[[(_ -])(?=[A-F0-9]*\d)(?=[A-F0-9]*[A-F]|\d{8}[\])])[A-F0-9]{8}(?=[\])]|$|_|\s*$)/giu],
  ['version', /(?<=[[(_ .-])(?:v|rev)\d(?:\.\d)?(?=[\])_ .-]|$)/giu],
  [
    'address',
    /(?<![\p{L}\p{N}])(?:www\.)?[\p{L}\p{N}-]{3,40}\.(?:com|net|org|info|ru|ws|tv\.org|bz|cc|me|re|to|li|se|eu|io|co)(?:\.ru)?(?=[\])\s_]|$)|(?<![\p{L}\p{N}])www\.[\p{L}\p{N}.-]{3,60}/giu,
  ],
  ['disc', /(?<![\p{L}\p{N}])\d[ ]?(?:cds?|dvds?|discs?)(?!\p{L})/giu],
  ['ratio', /(?<![\p{L}\p{N}])(?:16|4)[:](?:9|3)(?!\p{N})/giu],
  ['release', /(?<![\p{L}\p{N}])(?:sample|proof)?fix(?![\p{L}\p{N}])/giu],
];

/** `1280x544` has the shape of a picture, `2016x231` has not: a year and an episode. Other words always fit. */
function isPicture(written: string): boolean {
  const [, width, height] = /^(\d{3,4})\s?[x*]\s?(\d{3,4})/i.exec(written) ?? [];
  if (width === undefined) return true;
  const ratio = Number(width) / Number(height);
  return ratio > 0.4 && ratio < 3;
}

const WORD = /[\p{L}\p{N}+*'&-]+/gu;
const PART = /[\p{L}\p{N}]+/gu;

/** Finds the technical words of a name, ordered, without overlaps. Takes time in proportion to the length. */
export function findNoise(text: string): Noise[] {
  const found: Noise[] = [];
  for (const [kind, pattern] of SHAPES)
    for (const match of text.matchAll(pattern)) {
      if (match[0] === '' || !isPicture(match[0])) continue;
      found.push({ start: match.index, end: match.index + match[0].length, hard: true, kind });
    }
  for (const match of text.matchAll(WORD)) {
    const whole = lookUp(match[0]);
    if (whole !== undefined) {
      found.push({ start: match.index, end: match.index + match[0].length, ...whole });
      continue;
    }
    if (!/[-'&*+]/.test(match[0])) continue;
    const parts = [...match[0].matchAll(PART)].map((part) => ({ part, word: lookUp(part[0]) }));
    const all = parts.every(({ word }) => word !== undefined);
    for (const { part, word } of parts) {
      const start = match.index + part.index;
      // "Al-Sah-Him": two letters within a hyphened name say nothing, unless all its parts are such words.
      if (word !== undefined && (all || word.hard || part[0].length > 3))
        found.push({ start, end: start + part[0].length, ...word });
    }
  }
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  const apart: Noise[] = [];
  for (const noise of found) {
    const last = apart.at(-1);
    if (last !== undefined && noise.start < last.end) {
      if (noise.hard && !last.hard)
        apart[apart.length - 1] = { ...noise, start: last.start, end: Math.max(last.end, noise.end) };
      continue;
    }
    apart.push(noise);
  }
  return apart;
}

/** Whether a word is of releases, surely or perhaps. */
export const isTechnical = (word: string): boolean => lookUp(word) !== undefined;

function lookUp(word: string): { kind: string; hard: boolean } | undefined {
  return WORDS.get(word.toLowerCase());
}

/** One flag a place: 1 where hard noise lies, 2 where soft noise leads up to it. */
export function maskOf(noise: readonly Noise[], length: number): Uint8Array {
  const mask = new Uint8Array(length + 1);
  for (const { start, end, hard } of noise) if (hard) mask.fill(1, start, end);
  for (let at = noise.length - 2; at >= 0; at--) {
    const [one, next] = [noise[at], noise[at + 1]];
    if (one === undefined || next === undefined || one.hard || next.start - one.end > 1) continue;
    if (mask[next.start] !== 0) mask.fill(2, one.start, one.end);
  }
  return mask;
}
