import { album } from '../album.ts';

export const folk = [
  album(
    "The Freewheelin' Bob Dylan",
    'Bob Dylan',
    1963,
    `Blowin' in the Wind 2:48 | Girl from the North Country 3:22 | Masters of War 4:34 | Down the Highway 3:27
    Bob Dylan's Blues 2:23 | A Hard Rain's a-Gonna Fall 6:55 | Don't Think Twice, It's All Right 3:40
    Bob Dylan's Dream 5:03 | Oxford Town 1:50 | Talkin' World War III Blues 6:28 | Corrina, Corrina 2:44
    Honey, Just Allow Me One More Chance 2:01 | I Shall Be Free 4:49`,
  ),
  album(
    'Bridge over Troubled Water',
    'Simon & Garfunkel',
    1970,
    `Bridge over Troubled Water 4:52 | El Condor Pasa (If I Could) 3:06 | Cecilia 2:55 | Keep the Customer Satisfied 2:33
    So Long, Frank Lloyd Wright 3:41 | The Boxer 5:08 | Baby Driver 3:14 | The Only Living Boy in New York 3:58
    Why Don't You Write Me 2:45 | Bye Bye Love 2:55 | Song for the Asking 1:49`,
  ),
  album(
    'Blue',
    'Joni Mitchell',
    1971,
    `All I Want 3:32 | My Old Man 3:33 | Little Green 3:25 | Carey 3:00 | Blue 3:00 | California 3:48
    This Flight Tonight 2:50 | River 4:00 | A Case of You 4:20 | The Last Time I Saw Richard 4:13`,
  ),
  album(
    'Pink Moon',
    'Nick Drake',
    1972,
    `Pink Moon 2:06 | Place to Be 2:43 | Road 2:02 | Which Will 2:58 | Horn 1:23 | Things Behind the Sun 3:57
    Know 2:26 | Parasite 3:36 | Free Ride 3:06 | Harvest Breed 1:37 | From the Morning 2:30`,
  ),
  album(
    'For Emma, Forever Ago',
    'Bon Iver',
    2007,
    `Flume 3:39 | Lump Sum 3:21 | Skinny Love 3:59 | The Wolves (Act I and II) 5:22 | Blindsided 5:29
    Creature Fear 3:06 | Team 1:57 | For Emma 3:41 | Re: Stacks 6:41`,
  ),
  album(
    '風街ろまん',
    'はっぴいえんど',
    1971,
    `抱きしめたい 3:32 | 空いろのくれよん 4:05 | 風をあつめて 4:06 | 暗闇坂むささび変化 1:52
    はいからはくち 3:37 | はいから・びゅーちふる 0:33 | 夏なんです 3:16 | 花いちもんめ 3:58
    あしたてんきになれ 2:14 | 颱風 4:39 | 春らんまん 2:49 | 愛餓を 0:37`,
  ),
];
