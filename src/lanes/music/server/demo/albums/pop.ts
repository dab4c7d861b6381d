import { album } from '../album.ts';

export const pop = [
  album(
    'Thriller',
    'Michael Jackson',
    1982,
    `Wanna Be Startin' Somethin' 6:03 | Baby Be Mine 4:20 | The Girl Is Mine 3:42 | Thriller 5:57 | Beat It 4:18
    Billie Jean 4:54 | Human Nature 4:06 | P.Y.T. (Pretty Young Thing) 3:59 | The Lady in My Life 4:59`,
  ),
  album(
    'Bad',
    'Michael Jackson',
    1987,
    `Bad 4:07 | The Way You Make Me Feel 4:57 | Speed Demon 4:01 | Liberian Girl 3:53 | Just Good Friends 4:06
    Another Part of Me 3:54 | Man in the Mirror 5:19 | I Just Can't Stop Loving You 4:25 | Dirty Diana 4:41
    Smooth Criminal 4:17`,
  ),
  album(
    'Dangerous',
    'Michael Jackson',
    1991,
    `Jam 5:39 | Why You Wanna Trip on Me 5:24 | In the Closet 6:31 | She Drives Me Wild 3:41 | Remember the Time 4:00
    Can't Let Her Get Away 4:58 | Heal the World 6:25 | Black or White 4:15 | Who Is It 6:34 | Give In to Me 5:29
    Will You Be There 7:40 | Keep the Faith 5:57 | Gone Too Soon 3:23 | Dangerous 7:00`,
  ),
  album(
    'Purple Rain',
    'Prince and the Revolution',
    1984,
    `Let's Go Crazy 4:39 | Take Me with U 3:54 | The Beautiful Ones 5:13 | Computer Blue 3:59 | Darling Nikki 4:14
    When Doves Cry 5:54 | I Would Die 4 U 2:49 | Baby I'm a Star 4:24 | Purple Rain 8:41`,
  ),
  album(
    'Pet Sounds',
    'The Beach Boys',
    1966,
    `Wouldn't It Be Nice 2:25 | You Still Believe in Me 2:31 | That's Not Me 2:28
    Don't Talk (Put Your Head on My Shoulder) 2:53 | I'm Waiting for the Day 3:05 | Let's Go Away for Awhile 2:18
    Sloop John B 2:58 | God Only Knows 2:51 | I Know There's an Answer 3:09 | Here Today 2:54
    I Just Wasn't Made for These Times 3:12 | Pet Sounds 2:22 | Caroline, No 2:51`,
  ),
  album(
    'Hounds of Love',
    'Kate Bush',
    1985,
    `Running Up That Hill (A Deal with God) 5:03 | Hounds of Love 3:02 | The Big Sky 4:41 | Mother Stands for Comfort 3:07
    Cloudbusting 5:10 | And Dream of Sheep 2:45 | Under Ice 2:21 | Waking the Witch 4:18 | Watching You Without Me 4:06
    Jig of Life 4:04 | Hello Earth 6:13 | The Morning Fog 2:34`,
  ),
  album(
    'Graceland',
    'Paul Simon',
    1986,
    `The Boy in the Bubble 3:59 | Graceland 4:48 | I Know What I Know 3:13 | Gumboots 2:42
    Diamonds on the Soles of Her Shoes 5:45 | You Can Call Me Al 4:39 | Under African Skies 3:37 | Homeless 3:45
    Crazy Love, Vol. II 4:17 | That Was Your Mother 2:52 | All Around the World or the Myth of Fingerprints 3:15`,
  ),
  album(
    '21',
    'Adele',
    2011,
    `Rolling in the Deep 3:48 | Rumour Has It 3:43 | Turning Tables 4:10 | Don't You Remember 4:03
    Set Fire to the Rain 4:01 | He Won't Go 4:37 | Take It All 3:48 | I'll Be Waiting 4:01 | One and Only 5:48
    Lovesong 5:16 | Someone Like You 4:47`,
  ),
  album(
    '1989',
    'Taylor Swift',
    2014,
    `Welcome to New York 3:32 | Blank Space 3:51 | Style 3:51 | Out of the Woods 3:55 | All You Had to Do Was Stay 3:13
    Shake It Off 3:39 | I Wish You Would 3:27 | Bad Blood 3:31 | Wildest Dreams 3:40 | How You Get the Girl 4:07
    This Love 4:10 | I Know Places 3:15 | Clean 4:30`,
  ),
  album(
    '范特西',
    '周杰倫',
    2001,
    `愛在西元前 3:54 | 爸我回來了 3:55 | 簡單愛 4:30 | 忍者 2:39 | 開不了口 4:45
    上海一九四三 3:15 | 對不起 3:46 | 威廉古堡 3:55 | 雙截棍 3:21 | 安靜 5:34`,
  ),
  album(
    '葉惠美',
    '周杰倫',
    2003,
    `以父之名 5:42 | 懦夫 3:38 | 晴天 4:29 | 三年二班 4:40 | 東風破 5:15 | 妳聽得到 3:49
    同一種調調 3:51 | 她的睫毛 3:52 | 愛情懸崖 4:20 | 梯田 3:33 | 雙刀 4:56`,
  ),
  album(
    '화양연화 pt.2',
    '방탄소년단',
    2015,
    `Intro : Never Mind 2:22 | RUN 3:57 | Butterfly 3:59 | Whalien 52 3:59 | Ma City 3:56 | 뱁새 3:24
    Skit : One night in a strange city 3:09 | 고엽 3:36 | Outro : House Of Cards 2:31`,
  ),
  album(
    'MADE',
    '빅뱅',
    2016,
    `에라 모르겠다 3:13 | LAST DANCE 4:48 | GIRLFRIEND 3:44 | 우리 사랑하지 말아요 3:32 | LOSER 3:39 | BAE BAE 2:50
    뱅뱅뱅 3:40 | 맨정신 3:58 | IF YOU 4:24 | 쩔어 3:14 | WE LIKE 2 PARTY 3:17`,
  ),
];
