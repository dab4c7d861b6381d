import { album } from '../album.ts';

export const rock = [
  album(
    'OK Computer',
    'Radiohead',
    1997,
    `Airbag 4:44 | Paranoid Android 6:23 | Subterranean Homesick Alien 4:27 | Exit Music (For a Film) 4:24
    Let Down 4:59 | Karma Police 4:21 | Fitter Happier 1:57 | Electioneering 3:50
    Climbing Up the Walls 4:45 | No Surprises 3:48 | Lucky 4:19 | The Tourist 5:24`,
  ),
  album(
    'In Rainbows',
    'Radiohead',
    2007,
    `15 Step 3:57 | Bodysnatchers 4:02 | Nude 4:15 | Weird Fishes/Arpeggi 5:18 | All I Need 3:48
    Faust Arp 2:09 | Reckoner 4:50 | House of Cards 5:28 | Jigsaw Falling into Place 4:08 | Videotape 4:39`,
  ),
  album(
    'Abbey Road',
    'The Beatles',
    1969,
    `Come Together 4:19 | Something 3:02 | Maxwell's Silver Hammer 3:27 | Oh! Darling 3:27
    Octopus's Garden 2:51 | I Want You (She's So Heavy) 7:47 | Here Comes the Sun 3:05 | Because 2:45
    You Never Give Me Your Money 4:03 | Sun King 2:26 | Mean Mr. Mustard 1:06 | Polythene Pam 1:13
    She Came In Through the Bathroom Window 1:58 | Golden Slumbers 1:31 | Carry That Weight 1:36
    The End 2:05 | Her Majesty 0:23`,
  ),
  album(
    'The Beatles',
    'The Beatles',
    1968,
    `Back in the U.S.S.R. 2:43 | Dear Prudence 3:56 | Glass Onion 2:18 | Ob-La-Di, Ob-La-Da 3:08
    Wild Honey Pie 0:52 | The Continuing Story of Bungalow Bill 3:14 | While My Guitar Gently Weeps 4:45
    Happiness Is a Warm Gun 2:43 | Martha My Dear 2:28 | I'm So Tired 2:03 | Blackbird 2:18 | Piggies 2:04
    Rocky Raccoon 3:33 | Don't Pass Me By 3:51 | Why Don't We Do It in the Road? 1:41 | I Will 1:46 | Julia 2:54`,
    `Birthday 2:42 | Yer Blues 4:01 | Mother Nature's Son 2:48
    Everybody's Got Something to Hide Except Me and My Monkey 2:24 | Sexy Sadie 3:15 | Helter Skelter 4:29
    Long, Long, Long 3:04 | Revolution 1 4:15 | Honey Pie 2:41 | Savoy Truffle 2:54 | Cry Baby Cry 3:02
    Revolution 9 8:22 | Good Night 3:11`,
  ),
  album(
    'Long Tall Sally',
    'The Beatles',
    1964,
    'Long Tall Sally 2:03 | I Call Your Name 2:09 | Slow Down 2:56 | Matchbox 1:58',
  ),
  album(
    'The Dark Side of the Moon',
    'Pink Floyd',
    1973,
    `Speak to Me 1:07 | Breathe (In the Air) 2:49 | On the Run 3:45 | Time 6:53 | The Great Gig in the Sky 4:44
    Money 6:23 | Us and Them 7:49 | Any Colour You Like 3:26 | Brain Damage 3:46 | Eclipse 2:12`,
  ),
  album(
    'The Rise and Fall of Ziggy Stardust and the Spiders from Mars',
    'David Bowie',
    1972,
    `Five Years 4:42 | Soul Love 3:34 | Moonage Daydream 4:40 | Starman 4:13 | It Ain't Easy 2:58
    Lady Stardust 3:22 | Star 2:47 | Hang On to Yourself 2:38 | Ziggy Stardust 3:13 | Suffragette City 3:25
    Rock 'n' Roll Suicide 2:58`,
  ),
  album(
    'A Night at the Opera',
    'Queen',
    1975,
    `Death on Two Legs (Dedicated to...) 3:43 | Lazing on a Sunday Afternoon 1:08 | I'm in Love with My Car 3:05
    You're My Best Friend 2:50 | '39 3:30 | Sweet Lady 4:01 | Seaside Rendezvous 2:13 | The Prophet's Song 8:17
    Love of My Life 3:38 | Good Company 3:26 | Bohemian Rhapsody 5:55 | God Save the Queen 1:11`,
  ),
  album(
    'Rumours',
    'Fleetwood Mac',
    1977,
    `Second Hand News 2:43 | Dreams 4:14 | Never Going Back Again 2:02 | Don't Stop 3:11 | Go Your Own Way 3:38
    Songbird 3:20 | The Chain 4:28 | You Make Loving Fun 3:31 | I Don't Want to Know 3:11 | Oh Daddy 3:54
    Gold Dust Woman 4:51`,
  ),
  album(
    'Unknown Pleasures',
    'Joy Division',
    1979,
    `Disorder 3:29 | Day of the Lords 4:48 | Candidate 3:05 | Insight 4:29 | New Dawn Fades 4:47
    She's Lost Control 3:56 | Shadowplay 3:55 | Wilderness 2:38 | Interzone 2:16 | I Remember Nothing 5:53`,
  ),
  album(
    'London Calling',
    'The Clash',
    1979,
    `London Calling 3:19 | Brand New Cadillac 2:09 | Jimmy Jazz 3:52 | Hateful 2:45 | Rudie Can't Fail 3:26
    Spanish Bombs 3:19 | The Right Profile 3:56 | Lost in the Supermarket 3:47 | Clampdown 3:49
    The Guns of Brixton 3:07 | Wrong 'Em Boyo 3:10 | Death or Glory 3:55 | Koka Kola 1:46 | The Card Cheat 3:51
    Lover's Rock 4:01 | Four Horsemen 2:56 | I'm Not Down 3:00 | Revolution Rock 5:37 | Train in Vain 3:09`,
  ),
  album(
    'The Velvet Underground & Nico',
    'The Velvet Underground',
    1967,
    `Sunday Morning 2:54 | I'm Waiting for the Man 4:39 | Femme Fatale 2:38 | Venus in Furs 5:12 | Run Run Run 4:22
    All Tomorrow's Parties 6:00 | Heroin 7:12 | There She Goes Again 2:41 | I'll Be Your Mirror 2:14
    The Black Angel's Death Song 3:11 | European Son 7:46`,
  ),
  album(
    'Nevermind',
    'Nirvana',
    1991,
    `Smells Like Teen Spirit 5:01 | In Bloom 4:14 | Come as You Are 3:39 | Breed 3:03 | Lithium 4:17 | Polly 2:57
    Territorial Pissings 2:22 | Drain You 3:43 | Lounge Act 2:36 | Stay Away 3:32 | On a Plain 3:16
    Something in the Way 3:52`,
  ),
  album(
    'Is This It',
    'The Strokes',
    2001,
    `Is This It 2:31 | The Modern Age 3:28 | Soma 2:33 | Barely Legal 3:54 | Someday 3:03 | Alone, Together 3:08
    Last Nite 3:13 | Hard to Explain 3:44 | New York City Cops 3:31 | Trying Your Luck 3:22 | Take It or Leave It 3:15`,
  ),
  album(
    'Группа крови',
    'Кино',
    1988,
    `Группа крови 4:45 | Закрой за мной дверь, я ухожу 4:16 | Война 4:05 | Спокойная ночь 6:07
    Мама, мы все тяжело больны 4:11 | Бошетунмай 4:08 | В наших глазах 3:36 | Попробуй спеть вместе со мной 4:37
    Прохожий 3:44 | Дальше действовать будем мы 3:49 | Легенда 4:12`,
  ),
];
