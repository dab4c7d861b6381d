import { album } from '../album.ts';

export const soul = [
  album(
    "What's Going On",
    'Marvin Gaye',
    1971,
    `What's Going On 3:53 | What's Happening Brother 2:43 | Flyin' High (In the Friendly Sky) 3:49
    Save the Children 4:03 | God Is Love 1:41 | Mercy Mercy Me (The Ecology) 3:16 | Right On 7:31 | Wholy Holy 3:08
    Inner City Blues (Make Me Wanna Holler) 5:26`,
  ),
  album(
    'I Never Loved a Man the Way I Love You',
    'Aretha Franklin',
    1967,
    `Respect 2:29 | Drown in My Own Tears 4:07 | I Never Loved a Man (The Way I Love You) 2:51 | Soul Serenade 2:39
    Don't Let Me Lose This Dream 2:23 | Baby, Baby, Baby 2:54 | Dr. Feelgood (Love Is a Serious Business) 3:23
    Good Times 2:10 | Do Right Woman, Do Right Man 3:16 | Save Me 2:21 | A Change Is Gonna Come 4:20`,
  ),
  // The double LP; the four songs of its bonus EP are left out.
  album(
    'Songs in the Key of Life',
    'Stevie Wonder',
    1976,
    `Love's in Need of Love Today 7:06 | Have a Talk with God 2:42 | Village Ghetto Land 3:25 | Contusion 3:46
    Sir Duke 3:54 | I Wish 4:12 | Knocks Me Off My Feet 3:36 | Pastime Paradise 3:27 | Summer Soft 4:14
    Ordinary Pain 6:23`,
    `Isn't She Lovely 6:34 | Joy Inside My Tears 6:30 | Black Man 8:29
    Ngiculela – Es Una Historia – I Am Singing 3:49 | If It's Magic 3:12 | As 7:08 | Another Star 8:28`,
  ),
  album(
    'Back to Black',
    'Amy Winehouse',
    2006,
    `Rehab 3:33 | You Know I'm No Good 4:16 | Me & Mr Jones 2:33 | Just Friends 3:13 | Back to Black 4:01
    Love Is a Losing Game 2:35 | Tears Dry on Their Own 3:06 | Wake Up Alone 3:42 | Some Unholy War 2:22
    He Can Only Hold Her 2:46 | Addicted 2:45`,
  ),
];
