import { album } from '../album.ts';

export const jazz = [
  album(
    'Kind of Blue',
    'Miles Davis',
    1959,
    'So What 9:22 | Freddie Freeloader 9:46 | Blue in Green 5:37 | All Blues 11:33 | Flamenco Sketches 9:26',
  ),
  album(
    'Blue Train',
    'John Coltrane',
    1958,
    "Blue Train 10:43 | Moment's Notice 9:10 | Locomotion 7:14 | I'm Old Fashioned 7:58 | Lazy Bird 7:00",
  ),
  album(
    'A Love Supreme',
    'John Coltrane',
    1965,
    `Part I: Acknowledgement 7:42 | Part II: Resolution 7:20
    Part III: Pursuance 10:41 | Part IV: Psalm 7:05`,
  ),
  album(
    'Time Out',
    'The Dave Brubeck Quartet',
    1959,
    `Blue Rondo à la Turk 6:44 | Strange Meadow Lark 7:22 | Take Five 5:24 | Three to Get Ready 5:24
    Kathy's Waltz 4:48 | Everybody's Jumpin' 4:23 | Pick Up Sticks 4:16`,
  ),
  album('Head Hunters', 'Herbie Hancock', 1973, 'Chameleon 15:41 | Watermelon Man 6:29 | Sly 10:15 | Vein Melter 9:09'),
  album(
    'Getz/Gilberto',
    'Stan Getz & João Gilberto',
    1964,
    `The Girl from Ipanema 5:24 | Doralice 2:46 | Para Machucar Meu Coração 5:05 | Desafinado 4:15
    Corcovado (Quiet Nights of Quiet Stars) 4:16 | Só Danço Samba 3:45 | O Grande Amor 5:27 | Vivo Sonhando 3:04`,
  ),
];
