import { album } from '../album.ts';

export const electronic = [
  album(
    'The Man-Machine',
    'Kraftwerk',
    1978,
    'The Robots 6:11 | Spacelab 5:51 | Metropolis 5:59 | The Model 3:38 | Neon Lights 9:03 | The Man-Machine 5:28',
  ),
  album(
    'Selected Ambient Works 85–92',
    'Aphex Twin',
    1992,
    `Xtal 4:51 | Tha 9:01 | Pulsewidth 3:47 | Ageispolis 5:21 | i 1:13 | Green Calx 6:02 | Heliosphan 4:51
    We Are the Music Makers 7:42 | Schottkey 7th Path 5:07 | Ptolemy 7:10 | Hedphelym 6:02 | Delphium 5:26
    Actium 7:35`,
  ),
  album(
    'Dummy',
    'Portishead',
    1994,
    `Mysterons 5:02 | Sour Times 4:11 | Strangers 3:55 | It Could Be Sweet 4:16 | Wandering Star 4:51
    It's a Fire 3:49 | Numb 3:54 | Roads 5:02 | Pedestal 3:39 | Biscuit 5:01 | Glory Box 5:06`,
  ),
  album(
    'Mezzanine',
    'Massive Attack',
    1998,
    `Angel 6:18 | Risingson 4:58 | Teardrop 5:29 | Inertia Creeps 5:56 | Exchange 4:11 | Dissolved Girl 6:07
    Man Next Door 5:55 | Black Milk 6:20 | Mezzanine 5:54 | Group Four 8:13 | (Exchange) 4:08`,
  ),
  album(
    'Discovery',
    'Daft Punk',
    2001,
    `One More Time 5:20 | Aerodynamic 3:27 | Digital Love 4:58 | Harder, Better, Faster, Stronger 3:45
    Crescendolls 3:31 | Nightvision 1:44 | Superheroes 3:57 | High Life 3:22 | Something About Us 3:51 | Voyager 3:47
    Veridis Quo 5:44 | Short Circuit 3:26 | Face to Face 4:00 | Too Long 10:00`,
  ),
];
