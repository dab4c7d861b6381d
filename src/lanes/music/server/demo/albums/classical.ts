import { album } from '../album.ts';

export const classical = [
  album(
    'Bach: The Goldberg Variations',
    'Glenn Gould',
    1956,
    `Aria 1:53 | Variation 1 0:45 | Variation 2 0:37 | Variation 3 0:55 | Variation 4 0:29 | Variation 5 0:37
    Variation 6 0:34 | Variation 7 1:08 | Variation 8 0:45 | Variation 9 0:38 | Variation 10 0:43 | Variation 11 0:55
    Variation 12 0:56 | Variation 13 2:11 | Variation 14 0:59 | Variation 15 2:17 | Variation 16 1:18
    Variation 17 0:53 | Variation 18 0:46 | Variation 19 0:42 | Variation 20 0:48 | Variation 21 1:42
    Variation 22 0:42 | Variation 23 0:54 | Variation 24 0:57 | Variation 25 6:28 | Variation 26 0:52
    Variation 27 0:49 | Variation 28 1:10 | Variation 29 1:00 | Variation 30 0:48 | Aria da capo 2:10`,
  ),
  album(
    'Beethoven: Symphonies Nos. 5 & 7',
    'Wiener Philharmoniker, Carlos Kleiber',
    1995,
    `Symphony No. 5 in C minor, op. 67: I. Allegro con brio 7:22
    Symphony No. 5 in C minor, op. 67: II. Andante con moto 10:00
    Symphony No. 5 in C minor, op. 67: III. Allegro 5:09
    Symphony No. 5 in C minor, op. 67: IV. Allegro 10:51
    Symphony No. 7 in A major, op. 92: I. Poco sostenuto – Vivace 13:36
    Symphony No. 7 in A major, op. 92: II. Allegretto 8:09
    Symphony No. 7 in A major, op. 92: III. Presto 8:15
    Symphony No. 7 in A major, op. 92: IV. Allegro con brio 8:36`,
  ),
  album(
    'Tabula Rasa',
    'Arvo Pärt',
    1984,
    `Fratres 11:24 | Cantus in Memory of Benjamin Britten 5:00
    Fratres (for 12 cellos) 11:49 | Tabula Rasa 26:26`,
  ),
  album(
    'Symphony No. 3',
    'Henryk Górecki',
    1992,
    `Lento – Sostenuto tranquillo ma cantabile 26:25
    Lento e largo – Tranquillissimo 9:22
    Lento – Cantabile semplice 17:05`,
  ),
];
