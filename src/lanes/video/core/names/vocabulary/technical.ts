/**
 * Words of a release that are never words of a title, by kind. Written from the naming rules that scene and fan groups
 * publish (scenerules.org's TV and movie rules, the wiki pages of trackers) and from format registries.
 */
export const TECHNICAL: Record<string, string> = {
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
export const SOFT: Record<string, string> = {
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
