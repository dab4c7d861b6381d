import { album, compilation } from '../album.ts';

export const soundtrack = [
  album(
    'Blade Runner',
    'Vangelis',
    1994,
    `Main Titles 3:42 | Blush Response 5:47 | Wait for Me 5:27 | Rachel's Song 4:46 | Love Theme 4:56
    One More Kiss, Dear 3:58 | Blade Runner Blues 8:53 | Memories of Green 5:05 | Tales of the Future 4:46
    Damask Rose 2:32 | Blade Runner (End Titles) 4:40 | Tears in Rain 3:00`,
  ),
  album(
    'The Lord of the Rings: The Fellowship of the Ring',
    'Howard Shore',
    2001,
    `The Prophecy 3:55 | Concerning Hobbits 2:55 | The Shadow of the Past 3:32 | The Treason of Isengard 4:00
    The Black Rider 2:48 | At the Sign of the Prancing Pony 3:14 | A Knife in the Dark 3:34 | Flight to the Ford 4:14
    Many Meetings 3:05 | The Council of Elrond 3:49 | The Ring Goes South 2:03 | A Journey in the Dark 4:20
    The Bridge of Khazad Dum 5:57 | Lothlórien 4:33 | The Great River 2:42 | Amon Hen 5:02
    The Breaking of the Fellowship 7:20 | May It Be 4:19`,
  ),
  album(
    '千と千尋の神隠し サウンドトラック',
    '久石譲',
    2001,
    `あの夏へ 3:09 | とおり道 2:07 | 誰もいない料理店 3:15 | 夜来る 2:00 | 竜の少年 2:12 | ボイラー虫 2:33
    神さま達 3:00 | 湯婆婆 3:30 | 湯屋の朝 2:02 | あの日の川 3:13 | 仕事はつらいぜ 2:26 | おクサレ神 4:01
    千の勇気 2:45 | 底なし穴 1:18 | カオナシ 3:47 | 6番目の駅 3:38 | 湯婆婆狂乱 1:38 | 沼の底の家 1:29
    ふたたび 4:53 | 帰る日 3:20 | いつも何度でも 3:35`,
  ),
  compilation(
    'Pulp Fiction: Music from the Motion Picture',
    1994,
    `Dick Dale & His Del-Tones :: Pumpkin and Honey Bunny / Misirlou 2:27
    John Travolta & Samuel L. Jackson :: Royale with Cheese 1:42
    Kool & the Gang :: Jungle Boogie 3:05
    Al Green :: Let's Stay Together 3:15
    The Tornadoes :: Bustin' Surfboards 2:26
    Ricky Nelson :: Lonesome Town 2:13
    Dusty Springfield :: Son of a Preacher Man 2:25
    The Centurians :: Zed's Dead, Baby / Bullwinkle Part II 2:39
    Chuck Berry :: Jack Rabbit Slims Twist Contest / You Never Can Tell 3:12
    Urge Overkill :: Girl, You'll Be a Woman Soon 3:09
    Maria McKee :: If Love Is a Red Dress (Hang Me in Rags) 4:55
    The Revels :: Bring Out the Gimp / Comanche 2:10
    The Statler Brothers :: Flowers on the Wall 2:23
    John Travolta & Samuel L. Jackson :: Personality Goes a Long Way 1:00
    The Lively Ones :: Surf Rider 3:18
    Samuel L. Jackson :: Ezekiel 25:17 0:51`,
  ),
];
