/** Names that no person gave: by cameras, phones, programs that record, disc rippers, and checksums. They say nothing of a video. */

const CHECKSUM = /^[0-9a-f]{16,}$/i;
const IDENTIFIER = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const ONE_WORD = /^[A-Za-z0-9]{12,}$/;
/** Where a small letter, a capital or a digit follows another kind. */
const SWITCH = /(?<=[a-z])[A-Z0-9]|(?<=[A-Z])[0-9]|(?<=[0-9])[A-Za-z]|(?<=[A-Z]{2})[a-z]/g;
const MOST_SWITCHES = 5;

/** A checksum, or random letters and digits, instead of a name. */
export function isScrambled(name: string): boolean {
  if (IDENTIFIER.test(name) || (CHECKSUM.test(name) && /\d/.test(name))) return true;
  return ONE_WORD.test(name) && (name.match(SWITCH)?.length ?? 0) > MOST_SWITCHES;
}

/** What cameras, phones and disc rippers put before a number, as the DCF rules of file names and their manuals have it. */
const PREFIXES =
  'IMG|IMGP|DSC|DSCF|DSCN|DSCI|MVI|MOV|MOVI|VID|VIDEO|PXL|GOPR|GP|G[XHPL]|DJI|CIMG|PICT|SAM|SANY|HPIM|KIF|MAH|MAQ|STA|AMBA|YDXJ|YI|FILE|CLIP|CAM|REC|M2U|MAM|PANO|SNAP|WP|HNI|EKEN|RIMG|PIC|TRIM|P';
const DEVICES: readonly RegExp[] = [
  new RegExp(`^(?:${PREFIXES})[_-]?\\d{4,}.*$`, 'i'),
  new RegExp(`^(?:${PREFIXES})[_-](?:19|20)\\d{6}.*$`, 'i'),
  /^(?:VTS_\d\d_\d|[CS]\d{4}|VIDEO_TS|title_?t?\d{2,3}|\d{5}\.?m?2?t?s?|\d{3}_\d{4})$/i,
];

/** Words by which programs call what they record of a screen, a talk or a chat, in the languages that systems speak. */
const RECORDINGS =
  'screen[\\s_-]?(?:recording|capture|record(?:er)?|cast|video|shot)|bildschirm(?:aufnahme|aufzeichnung|video)|enregistrement(?: de l.[ée]cran)?|grabaci[óo]n(?: de (?:la )?pantalla)?|grava[çc][ãa]o(?: de (?:tela|ecr[ãa]))?|registrazione(?: (?:dello )?schermo)?|sk[äa]rminspelning|sk[æj]e?rm(?:opptak|optagelse)|schermopname|nagranie(?: ekranu)?|запись экрана|画面収録|画面录制|屏幕录制|화면 기록|(?:whatsapp|telegram|signal|viber|messenger|facebook|snapchat|instagram|tiktok|imo)(?:[\\s_-]?(?:video|vid))?|zoom(?: meeting)?|gmt|screen|cam\\d*|cctv(?:_\\w{1,6})?|meeting(?: recording| in .*)?|bandicam|camtasia|obs|desktop|rpreplay(?:[\\s_-]?final)?|recording|record|replay|capture|output|vlc-record|dashcam|webcam|videocall|aufnahme|aufzeichnung|mitschnitt|video|clip|untitled|unbenannt|new (?:video|recording|project)';
const DAY = '(?:(?:19|20)\\d\\d[-._ ]?\\d\\d[-._ ]?\\d\\d|\\d\\d[-._ ]\\d\\d[-._ ](?:19|20)\\d\\d)';
const CLOCK = '\\d\\d[-._:h ]?\\d\\d(?:[-._:m ]?\\d\\d)?(?:[-._ ]?\\d{1,6})?s?';
const JOIN = '[\\s_,.T-]*(?:(?:at|um|[àa]|kl|om|alle|las|в|о)\\.?[\\s_]+(?:las[\\s_]+)?)?';
const STAMPS: readonly RegExp[] = [
  // Day and time to the second, and nothing else: no person writes so.
  new RegExp(`^(?:\\d{1,5}[_-])?${DAY}${JOIN}\\d\\d[-._:h]?\\d\\d[-._:m]?\\d\\d[-._ ]?\\d{0,6}(?:[_-]\\d{1,4})?$`, 'i'),
  /^trim\.[0-9a-f-]{36}$/i,
  new RegExp(`^(?:${RECORDINGS})[\\s_.-]*(?:${DAY})(?:${JOIN}${CLOCK})?(?:[\\s_.-]+.*)?$`, 'iu'),
  new RegExp(`^(?:${RECORDINGS})[\\s_.-]*\\(?\\d*\\)?$`, 'iu'),
  // Recorders of games: the game, the day and the time to the hundredth.
  new RegExp(`^.*${DAY} - \\d\\d\\.\\d\\d\\.\\d\\d\\.\\d\\d\\.DVR$`, 'i'),
];

/** Whether a device or a program gave the name, extension off. */
export const isDeviceName = (name: string): boolean => [...DEVICES, ...STAMPS].some((pattern) => pattern.test(name));
