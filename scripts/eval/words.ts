/** Vocabularies of the synthetic catalog, the commonest first: what titles and names are made of, by script. */
export interface Vocabulary {
  /** Share of artists. */
  share: number;
  words: readonly string[];
  /** What joins words of a title; empty where a script writes none. */
  joint: string;
  given: readonly string[];
  family: readonly string[];
  /** For bands: `The {word}s`. */
  band: readonly string[];
  live: string;
}

const list = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

export const VOCABULARIES: readonly Vocabulary[] = [
  {
    share: 0.66,
    joint: ' ',
    words: list(`love night time you heart day life man world girl home baby blue light one down dance way rain dream
      song sun moon fire river road summer black eyes red star soul city sky sea winter morning lonely little wild
      golden silver broken sweet ocean angel devil train street house window mirror shadow ghost stranger letter
      letters garden flower rose stone glass paper water wind storm thunder snow ice dust gold money dollar king queen
      prince soldier sailor cowboy doctor teacher mother father brother sister children school church heaven hell
      paradise island mountain valley desert forest tree leaf bird crow wolf tiger horse dog cat snake butterfly
      spider machine radio television telephone satellite rocket gravity signal static noise silence echo voice whisper
      scream laughter tears smile kiss touch hands bones blood skin breath sleep awake forever never always tomorrow
      yesterday midnight sunrise sunset evening autumn spring december november july sunday monday friday saturday
      highway railway station airport hotel kitchen bedroom ceiling basement elevator staircase bridge tower harbour
      lighthouse compass anchor lantern candle match smoke ashes ember velvet satin leather denim cotton silk copper
      iron steel diamond ruby emerald sapphire crystal marble concrete neon electric magnetic atomic cosmic lunar solar
      northern southern eastern western hollow empty crowded burning frozen falling rising running walking waiting
      leaving coming going turning burning drifting floating sinking swimming flying driving crying calling singing
      playing counting chasing breaking building painting sailing wandering remembering forgetting believing pretending
      avenue boulevard cathedral carousel circus cinema gallery library museum orchard meadow prairie canyon delta
      equator horizon latitude meridian monsoon avalanche aurora eclipse comet nebula orbit pendulum prism spiral
      labyrinth riddle puzzle secret promise confession surrender victory defeat ceremony ritual parade anthem lullaby
      waltz tango serenade nocturne elegy requiem overture prelude interlude fugue variations sonata`),
    given:
      list(`John Mary James Anna David Sarah Michael Emma Robert Laura William Julia Thomas Alice Daniel Clara Peter
      Helen George Nina Frank Ruby Henry Stella Arthur Hazel Oscar Ivy Leon Maya Felix Iris Hugo Nora Miles Ella Otis Etta
      Marvin Joni Townes Dolly`),
    family:
      list(`Smith Brown Jones Taylor Walker Harris Lewis Young King Wright Hill Scott Green Baker Adams Nelson Carter
      Parker Evans Turner Collins Stewart Morris Rogers Reed Cook Bailey Bell Cooper Ward Brooks Gray Watson Price Wood
      Barnes Ross Henderson Coleman Jenkins Perry Powell Long Hughes Flores Butler Simmons Foster Bryant Russell Griffin
      Hayes Ford Hamilton Graham Sullivan Wallace Woods Cole West Jordan Owens Reynolds Fisher Ellis Harrison Gibson`),
    band: [
      'The {}s',
      '{} Club',
      'The {} Brothers',
      '{} Orchestra',
      '{} & The {}s',
      'The {} Experience',
      '{} Machine',
      '{}',
    ],
    live: 'Live at {}',
  },
  {
    share: 0.12,
    joint: ' ',
    words:
      list(`amor corazón noche vida mañana canción cielo sueño niño año fuego été amour cœur nuit forêt étoile château
      fenêtre rêve garçon français Liebe Straße Mädchen Frühling König Träume Glück Größe schön für über saudade coração
      manhã solidão São João avião ação świat miłość źródło księżyc łódź wróbel déjà noël måne hjärta älskar sjö rød grønn
      blå çiçek gönül şarkı İstanbul güneş dünya deniz vítr přítel říjen žena kůň`),
    given: list(
      'José María André Zoë Jürgen Björk Søren Łukasz Škoda Çelik Renée François Ángel Iñigo Åsa Øystein Jiří',
    ),
    family: list(
      'García Muñoz Gonçalves Müller Schröder Lefèvre Dubois Nilsson Ødegård Kowalski Wiśniewski Novák Dvořák Yılmaz Öztürk',
    ),
    band: ['Los {}', 'Les {}', 'Die {}', 'Orquesta {}', '{}'],
    live: 'En vivo en {}',
  },
  {
    share: 0.07,
    joint: ' ',
    words:
      list(`любовь ночь день время сердце город дорога река ветер снег дождь небо звезда море огонь песня мечта письмо
      окно дом утро вечер зима весна осень лето белый чёрный красный синий тишина голос память надежда свобода поезд
      корабль птица волк тень зеркало стекло дым свет правда война мир последний первый далёкий`),
    given: list('Иван Анна Сергей Ольга Дмитрий Мария Алексей Елена Виктор Юлия'),
    family: list('Иванов Петрова Смирнов Волков Кузнецов Соколова Морозов Лебедев Щербаков Ёлкин'),
    band: ['Группа {}', '{}'],
    live: 'Концерт в {}',
  },
  {
    share: 0.06,
    joint: '',
    words:
      list(`夜 恋 空 花 雨 風 海 星 月 夢 愛 街 桜 光 涙 春 夏 秋 冬 朝 道 声 手紙 東京 季節 少年 少女 世界 明日 未来 さくら
      ひかり ありがとう さよなら まぼろし こころ メロディ ラブソング ドライブ サマー ナイト ブルー ピアノ カーテン`),
    given: list('翔太 美咲 健一 さくら 拓也 陽子 ユキ 大輔'),
    family: list('田中 佐藤 鈴木 高橋 渡辺 山本 中村 小林'),
    band: ['{}バンド', '{}'],
    live: '{}ライブ',
  },
  {
    share: 0.04,
    joint: '',
    words: list(
      `爱 夜 梦 时光 天空 雨 风 海 月亮 星星 城市 火车 远方 故乡 青春 回忆 秋天 冬天 花 河 山 路 心 孩子 告别 沉默 自由 北京 昨天 明天`,
    ),
    given: list('伟 芳 娜 强 静 磊 洋 艳'),
    family: list('王 李 张 刘 陈 杨 赵 黄'),
    band: ['{}乐队', '{}'],
    live: '{}现场',
  },
  {
    share: 0.02,
    joint: ' ',
    words: list('사랑 밤 하늘 별 바다 눈물 꿈 비 바람 봄 여름 가을 겨울 기억 편지 시간 노래 거리 서울 안녕'),
    given: list('민수 지은 현우 수진'),
    family: list('김 이 박 최'),
    band: ['{} 밴드', '{}'],
    live: '{} 라이브',
  },
  {
    share: 0.03,
    joint: ' ',
    words: list(
      'αγάπη νύχτα θάλασσα ουρανός καρδιά δρόμος φως שלום אהבה לילה ים שמיים לב דרך חלום حب ليل قلب بحر سماء طريق حلم',
    ),
    given: list('Νίκος Ελένη נועה דוד ليلى أحمد'),
    family: list('Παπαδόπουλος כהן לוי حداد'),
    band: ['{}'],
    live: '{} (live)',
  },
];

/** Titles that say nothing, and how often they come. */
export const GENERIC_TITLES = list(
  'Intro Outro Interlude Untitled Prelude Skit Home Angel Alone Stay Forever Lost Falling',
);
