import { album } from '../album.ts';

export const hipHop = [
  album(
    'Illmatic',
    'Nas',
    1994,
    `The Genesis 1:45 | N.Y. State of Mind 4:54 | Life's a Bitch 3:30 | The World Is Yours 4:50 | Halftime 4:20
    Memory Lane (Sittin' in da Park) 4:08 | One Love 5:25 | One Time 4 Your Mind 3:18 | Represent 4:12
    It Ain't Hard to Tell 3:22`,
  ),
  album(
    'The Miseducation of Lauryn Hill',
    'Lauryn Hill',
    1998,
    `Intro 0:47 | Lost Ones 5:33 | Ex-Factor 5:26 | To Zion 6:08 | Doo Wop (That Thing) 5:20 | Superstar 4:57
    Final Hour 4:15 | When It Hurts So Bad 5:42 | I Used to Love Him 5:39 | Forgive Them Father 5:15
    Every Ghetto, Every City 5:14 | Nothing Even Matters 5:50 | Everything Is Everything 4:58
    The Miseducation of Lauryn Hill 4:17`,
  ),
  album(
    'Madvillainy',
    'Madvillain',
    2004,
    `The Illest Villains 1:55 | Accordion 1:58 | Meat Grinder 2:11 | Bistro 1:07 | Raid 2:30
    America's Most Blunted 3:54 | Sickfit 1:21 | Rainbows 2:51 | Curls 1:35 | Do Not Fire! 0:52 | Money Folder 3:02
    Shadows of Tomorrow 2:36 | Operation Lifesaver AKA Mint Test 1:30 | Figaro 2:25 | Hardcore Hustle 1:21
    Strange Ways 1:51 | Fancy Clown 1:55 | Eye 1:57 | Supervillain Theme 0:52 | All Caps 2:10 | Great Day 2:16
    Rhinestone Cowboy 4:00`,
  ),
  album(
    'To Pimp a Butterfly',
    'Kendrick Lamar',
    2015,
    `Wesley's Theory 4:47 | For Free? (Interlude) 2:10 | King Kunta 3:54 | Institutionalized 4:31 | These Walls 5:00
    u 4:28 | Alright 3:39 | For Sale? (Interlude) 4:51 | Momma 4:43 | Hood Politics 4:52
    How Much a Dollar Cost 4:21 | Complexion (A Zulu Love) 4:23 | The Blacker the Berry 5:28
    You Ain't Gotta Lie (Momma Said) 4:01 | i 5:36 | Mortal Man 12:07`,
  ),
];
