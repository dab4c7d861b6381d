import { album } from '../album.ts';

export const world = [
  album('Zombie', 'Fela Kuti & Africa 70', 1976, 'Zombie 12:26 | Mister Follow Follow 12:58'),
  album(
    'Exodus',
    'Bob Marley & The Wailers',
    1977,
    `Natural Mystic 3:28 | So Much Things to Say 3:08 | Guiltiness 3:19 | The Heathen 2:32 | Exodus 7:40 | Jamming 3:31
    Waiting in Vain 4:16 | Turn Your Lights Down Low 3:39 | Three Little Birds 3:00 | One Love/People Get Ready 2:52`,
  ),
  album(
    'Talking Timbuktu',
    'Ali Farka Touré & Ry Cooder',
    1994,
    `Bonde 5:28 | Soukora 6:05 | Gomni 7:00 | Sega 3:10 | Amandrai 9:22 | Lasidan 6:06 | Keito 5:42 | Banga 2:32
    Ai Du 7:09 | Diaraby 7:25`,
  ),
  album(
    'Buena Vista Social Club',
    'Buena Vista Social Club',
    1997,
    `Chan Chan 4:16 | De Camino a La Vereda 5:03 | El Cuarto de Tula 7:27 | Pueblo Nuevo 6:05 | Dos Gardenias 3:02
    ¿Y Tú Qué Has Hecho? 3:13 | Veinte Años 3:29 | El Carretero 3:28 | Candela 5:27 | Amor de Loca Juventud 3:21
    Orgullecida 3:18 | Murmullo 3:50 | Buena Vista Social Club 4:50 | La Bayamesa 2:54`,
  ),
  album(
    'Ágætis byrjun',
    'Sigur Rós',
    1999,
    `Intro 1:36 | Svefn-g-englar 10:04 | Starálfur 6:46 | Flugufrelsarinn 7:48 | Ný batterí 8:10
    Hjartað hamast (bamm bamm bamm) 7:10 | Viðrar vel til loftárása 10:17 | Olsen Olsen 8:03 | Ágætis byrjun 7:55
    Avalon 4:00`,
  ),
  album(
    'הפרויקט של עידן רייכל',
    'עידן רייכל',
    2002,
    `ברכות לשנה החדשה 3:31 | בואי 4:25 | אם תלך 2:48 | Ayal-Ayale 3:35 | הנך יפה 4:53 | Brong Faya 4:05
    מדברים בשקט 3:54 | שושנים עצובות 2:35 | טיגסט 4:37 | השיר של מימי 2:32 | עת לחיות, עת למות 3:52
    בואי (רדיו) 4:07`,
  ),
];
