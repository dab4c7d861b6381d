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
const STAMP = '(?:19|20)\\d{6}[_-]?\\d{6}';
/** What cameras of phones, cars, drones and houses put before day and time. */
const STAMPED =
  'S?VID|VN|LRV|(?:PRO|FB)_VID|WIN|EVT|EVENT|EMR|EMER|LOCK|MAN|NOR?|PARK|FILE|REC\\w{0,4}|DJI|dji_(?:fly|mimo)|ch\\d{1,2}(?:_\\w{3,5})?|IMG';
const DEVICES: readonly RegExp[] = [
  new RegExp(`^(?:${PREFIXES})[_-]?\\d{4,}.*$`, 'i'),
  new RegExp(`^(?:${PREFIXES})[_-](?:19|20)\\d{6}.*$`, 'i'),
  new RegExp(`^(?:${STAMPED})_?-?${STAMP}.*$`, 'i'),
  new RegExp(`^(?:${PREFIXES}|EVT|EMR|LOCK|NOR?)\\d{6}-\\d{6}[A-Z]?$`, 'i'),
  /^(?:VTS_\d\d_(?:PGC_\d\d_)?\d|[CS]\d{4}|VIDEO_TS|title_?t?\d{2,3}(?:_\d\d)?|\d{5}\.?m?2?t?s?|\d{3}_\d{4}|IMG_E\d{4}|_?(?:MG|DSC)_?\d{4}|SDV_\d{4})$/i,
  // Cameras of cars and houses: day, time and lens or number; cinema cameras: camera, reel, clip and day.
  /^(?:19|20)\d{2}_?\d{4}_?\d{6}_(?:[A-Z]{1,3}|\d{3,6}[A-Z]?)$/i,
  /^(?:19|20)\d\d-\d\d-\d\d_\d\d-\d\d-\d\d-(?:front|back|rear|(?:left|right)(?:_repeater)?)$/i,
  /^(?:19|20)\d{6}(?:[_-]\d{6})?[_-](?:C\d{4}|CAM\d{1,2})$/i,
  /^[A-Z]\d{3}_?(?:C\d{3}_\d{6}_\w{4}|\d{8}_C\d{3})$/i,
  /^\d\d\.\d\d\.\d\d-\d\d\.\d\d\.\d\d(?:\[.*)?$/,
  new RegExp(`^(?:\\d{1,3}(?:\\.\\d{1,3}){3}|.{1,30}_\\d\\d)_(?:ch\\d{1,2}_)?${STAMP}$`, 'i'),
];

/** Words by which programs call what they record of a screen, a talk or a chat, in the languages that systems speak. */
const RECORDINGS =
  'screen[\\s_-]?(?:recording|capture|record(?:er)?|cast|video|shot)|bildschirm(?:aufnahme|aufzeichnung|video)|enregistrement(?: de l.[ée]cran)?|grabaci[óo]n(?: de (?:la )?pantalla)?|grava[çc][ãa]o(?: de (?:tela|ecr[ãa]))?|registrazione(?: (?:dello )?schermo)?|sk[äa]rminspelning|sk[æj]e?rm(?:opptak|optagelse)|schermopname|nagranie(?: ekranu)?|запись экрана|画面収録|画面录制|屏幕录制|화면 기록|(?:whatsapp|telegram|signal|viber|messenger|facebook|snapchat|instagram|tiktok|imo)(?:[\\s_-]?(?:video|vid))?|zoom(?: meeting)?|gmt|screen|cam\\d*|cctv(?:_\\w{1,6})?|meeting(?: recording| in .*)?|bandicam|camtasia|obs|desktop|rpreplay(?:[\\s_-]?final)?|recording|record|replay|capture|output|vlc-record|dashcam|webcam|videocall|aufnahme|aufzeichnung|mitschnitt|video|clip|untitled|unbenannt|new (?:video|recording|project)|screencast(?: from)?|movie on|simplescreenrecorder|vokoscreen(?:ng)?|kazam|peek|xrecorder(?:[\\s_]edited)?|inshot|mobizen|kinemaster|az[\\s_-]?recorder|du[\\s_-]?recorder|game[\\s_-]?(?:dvr|bar)|elgato|4k capture utility|medal|outplayed|overwolf|xbox|steam[\\s_-]clip|sequence|timeline|comp|tape|rec';
const DAY = '(?:(?:19|20)\\d\\d[-._ ]?\\d\\d[-._ ]?\\d\\d|\\d\\d[-._ ]\\d\\d[-._ ](?:19|20)\\d\\d)';
const CLOCK = '\\d\\d[-._:h ]?\\d\\d(?:[-._:m ]?\\d\\d)?(?:[-._ ]?\\d{1,6})?s?';
const JOIN = '[\\s_,.T-]*(?:(?:at|um|[àa]|kl|om|alle|las|в|о)\\.?[\\s_]+(?:las[\\s_]+)?)?';
const STAMPS: readonly RegExp[] = [
  // Day and time to the second, and nothing else: no person writes so.
  new RegExp(`^(?:\\d{1,5}[_-])?${DAY}${JOIN}\\d\\d[-._:h]?\\d\\d[-._:m]?\\d\\d[-._ ]?\\d{0,6}(?:[_-]\\d{1,4})?$`, 'i'),
  /^trim\.[0-9a-f-]{36}$/i,
  new RegExp(`^(?:${RECORDINGS})[\\s_.-]*(?:${DAY})(?:${JOIN}${CLOCK})?(?:[\\s_.-]+.*)?$`, 'iu'),
  new RegExp(`^(?:${RECORDINGS})[\\s_.-]*\\(?\\d*\\)?$`, 'iu'),
  // Programs that edit and record number what they make: `Clip #12`, `Sequence 01_1`.
  new RegExp(`^(?:${RECORDINGS})[\\s_.-]*#?\\d{1,4}(?:_\\d{1,2})?$`, 'iu'),
  // Day and time with a copy's number: `20210101_120000(0)`.
  new RegExp(`^${DAY}${JOIN}\\d\\d[-._:]?\\d\\d[-._:]?\\d\\d ?\\(\\d{1,2}\\)$`, 'i'),
  // A talk that was recorded: its name or code, the day, the time.
  new RegExp(
    `^.*[-_ (]${DAY}(?:[_-]\\d{6}-meeting recording| at \\d\\d[_:]\\d\\d(?: \\w{2,5}[+-]?\\d{0,2})?\\))(?: ?\\(\\d+\\))?$`,
    'i',
  ),
  // Recorders of games: the game, the day and a time with a fraction of a second, or both in one number.
  new RegExp(`^.*[-_ ]${DAY}(?: - |[-_ ])\\d\\d([-._])\\d\\d\\1\\d\\d\\1\\d{2,3}$`, 'i'),
  new RegExp(`^.*[-_ ]replay[-_ ]${DAY}${JOIN}${CLOCK}$`, 'i'),
  /^.*[ _]\d{1,2}_\d{1,2}_(?:19|20)\d\d[ _]\d{1,2}_\d\d_\d\d(?: [AP]M)?$/i,
  // Recorders of games: the game, the day and the time to the hundredth.
  new RegExp(`^.*${DAY} - \\d\\d\\.\\d\\d\\.\\d\\d\\.\\d\\d\\.DVR$`, 'i'),
];

/** Whether a device or a program gave the name, extension off. */
export const isDeviceName = (name: string): boolean => [...DEVICES, ...STAMPS].some((pattern) => pattern.test(name));
