import { album } from '../album.ts';

export const metal = [
  album(
    'Paranoid',
    'Black Sabbath',
    1970,
    `War Pigs 7:57 | Paranoid 2:48 | Planet Caravan 4:32 | Iron Man 5:56 | Electric Funeral 4:53 | Hand of Doom 7:08
    Rat Salad 2:30 | Fairies Wear Boots 6:15`,
  ),
  album(
    'The Number of the Beast',
    'Iron Maiden',
    1982,
    `Invaders 3:24 | Children of the Damned 4:35 | The Prisoner 6:03 | 22 Acacia Avenue 6:36
    The Number of the Beast 4:50 | Run to the Hills 3:53 | Gangland 3:47 | Hallowed Be Thy Name 7:12`,
  ),
  album(
    'Master of Puppets',
    'Metallica',
    1986,
    `Battery 5:12 | Master of Puppets 8:35 | The Thing That Should Not Be 6:36 | Welcome Home (Sanitarium) 6:27
    Disposable Heroes 8:16 | Leper Messiah 5:40 | Orion 8:27 | Damage, Inc. 5:32`,
  ),
  album(
    'Reign in Blood',
    'Slayer',
    1986,
    `Angel of Death 4:51 | Piece by Piece 2:03 | Necrophobic 1:40 | Altar of Sacrifice 2:50 | Jesus Saves 2:54
    Criminally Insane 2:23 | Reborn 2:12 | Epidemic 2:23 | Postmortem 3:27 | Raining Blood 4:14`,
  ),
  album(
    'Κατά τον δαίμονα εαυτού',
    'Rotting Christ',
    2013,
    `In Yumen-Xibalba 6:34 | P'unchaw kachun – Tuta kachun 4:48 | Grandis Spiritus Diavolos 5:53
    Κατά τον δαίμονα εαυτού 5:03 | Cine iubește și lasă 5:28 | Iwa Voodoo 4:42 | Gilgameš 4:04 | Русалка 4:29
    Ahura Mazdā – Aŋra Mainiuu 5:04 | Χ ξ ς' 5:30`,
  ),
];
