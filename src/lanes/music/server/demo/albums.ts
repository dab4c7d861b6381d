/**
 * The demo's albums, a blank line between two: `artist :: title (year)`, then the tracks as `catalog.ts` reads them, the
 * discs parted by `---`. Of "Songs in the Key of Life" the double LP; the four songs of its bonus EP are left out.
 */
export const ALBUMS = `
Radiohead :: OK Computer (1997)
Airbag 4:44 | Paranoid Android 6:23 | Subterranean Homesick Alien 4:27 | Exit Music (For a Film) 4:24
Let Down 4:59 | Karma Police 4:21 | Fitter Happier 1:57 | Electioneering 3:50
Climbing Up the Walls 4:45 | No Surprises 3:48 | Lucky 4:19 | The Tourist 5:24

Radiohead :: In Rainbows (2007)
15 Step 3:57 | Bodysnatchers 4:02 | Nude 4:15 | Weird Fishes/Arpeggi 5:18 | All I Need 3:48
Faust Arp 2:09 | Reckoner 4:50 | House of Cards 5:28 | Jigsaw Falling into Place 4:08 | Videotape 4:39

The Beatles :: Abbey Road (1969)
Come Together 4:19 | Something 3:02 | Maxwell's Silver Hammer 3:27 | Oh! Darling 3:27
Octopus's Garden 2:51 | I Want You (She's So Heavy) 7:47 | Here Comes the Sun 3:05 | Because 2:45
You Never Give Me Your Money 4:03 | Sun King 2:26 | Mean Mr. Mustard 1:06 | Polythene Pam 1:13
She Came In Through the Bathroom Window 1:58 | Golden Slumbers 1:31 | Carry That Weight 1:36
The End 2:05 | Her Majesty 0:23

The Beatles :: The Beatles (1968)
Back in the U.S.S.R. 2:43 | Dear Prudence 3:56 | Glass Onion 2:18 | Ob-La-Di, Ob-La-Da 3:08
Wild Honey Pie 0:52 | The Continuing Story of Bungalow Bill 3:14 | While My Guitar Gently Weeps 4:45
Happiness Is a Warm Gun 2:43 | Martha My Dear 2:28 | I'm So Tired 2:03 | Blackbird 2:18 | Piggies 2:04
Rocky Raccoon 3:33 | Don't Pass Me By 3:51 | Why Don't We Do It in the Road? 1:41 | I Will 1:46 | Julia 2:54
---
Birthday 2:42 | Yer Blues 4:01 | Mother Nature's Son 2:48
Everybody's Got Something to Hide Except Me and My Monkey 2:24 | Sexy Sadie 3:15 | Helter Skelter 4:29
Long, Long, Long 3:04 | Revolution 1 4:15 | Honey Pie 2:41 | Savoy Truffle 2:54 | Cry Baby Cry 3:02
Revolution 9 8:22 | Good Night 3:11

The Beatles :: Long Tall Sally (1964)
Long Tall Sally 2:03 | I Call Your Name 2:09 | Slow Down 2:56 | Matchbox 1:58

Pink Floyd :: The Dark Side of the Moon (1973)
Speak to Me 1:07 | Breathe (In the Air) 2:49 | On the Run 3:45 | Time 6:53 | The Great Gig in the Sky 4:44
Money 6:23 | Us and Them 7:49 | Any Colour You Like 3:26 | Brain Damage 3:46 | Eclipse 2:12

David Bowie :: The Rise and Fall of Ziggy Stardust and the Spiders from Mars (1972)
Five Years 4:42 | Soul Love 3:34 | Moonage Daydream 4:40 | Starman 4:13 | It Ain't Easy 2:58
Lady Stardust 3:22 | Star 2:47 | Hang On to Yourself 2:38 | Ziggy Stardust 3:13 | Suffragette City 3:25
Rock 'n' Roll Suicide 2:58

Queen :: A Night at the Opera (1975)
Death on Two Legs (Dedicated to...) 3:43 | Lazing on a Sunday Afternoon 1:08 | I'm in Love with My Car 3:05
You're My Best Friend 2:50 | '39 3:30 | Sweet Lady 4:01 | Seaside Rendezvous 2:13 | The Prophet's Song 8:17
Love of My Life 3:38 | Good Company 3:26 | Bohemian Rhapsody 5:55 | God Save the Queen 1:11

Fleetwood Mac :: Rumours (1977)
Second Hand News 2:43 | Dreams 4:14 | Never Going Back Again 2:02 | Don't Stop 3:11 | Go Your Own Way 3:38
Songbird 3:20 | The Chain 4:28 | You Make Loving Fun 3:31 | I Don't Want to Know 3:11 | Oh Daddy 3:54
Gold Dust Woman 4:51

Joy Division :: Unknown Pleasures (1979)
Disorder 3:29 | Day of the Lords 4:48 | Candidate 3:05 | Insight 4:29 | New Dawn Fades 4:47
She's Lost Control 3:56 | Shadowplay 3:55 | Wilderness 2:38 | Interzone 2:16 | I Remember Nothing 5:53

The Clash :: London Calling (1979)
London Calling 3:19 | Brand New Cadillac 2:09 | Jimmy Jazz 3:52 | Hateful 2:45 | Rudie Can't Fail 3:26
Spanish Bombs 3:19 | The Right Profile 3:56 | Lost in the Supermarket 3:47 | Clampdown 3:49
The Guns of Brixton 3:07 | Wrong 'Em Boyo 3:10 | Death or Glory 3:55 | Koka Kola 1:46 | The Card Cheat 3:51
Lover's Rock 4:01 | Four Horsemen 2:56 | I'm Not Down 3:00 | Revolution Rock 5:37 | Train in Vain 3:09

The Velvet Underground :: The Velvet Underground & Nico (1967)
Sunday Morning 2:54 | I'm Waiting for the Man 4:39 | Femme Fatale 2:38 | Venus in Furs 5:12 | Run Run Run 4:22
All Tomorrow's Parties 6:00 | Heroin 7:12 | There She Goes Again 2:41 | I'll Be Your Mirror 2:14
The Black Angel's Death Song 3:11 | European Son 7:46

Nirvana :: Nevermind (1991)
Smells Like Teen Spirit 5:01 | In Bloom 4:14 | Come as You Are 3:39 | Breed 3:03 | Lithium 4:17 | Polly 2:57
Territorial Pissings 2:22 | Drain You 3:43 | Lounge Act 2:36 | Stay Away 3:32 | On a Plain 3:16
Something in the Way 3:52

The Strokes :: Is This It (2001)
Is This It 2:31 | The Modern Age 3:28 | Soma 2:33 | Barely Legal 3:54 | Someday 3:03 | Alone, Together 3:08
Last Nite 3:13 | Hard to Explain 3:44 | New York City Cops 3:31 | Trying Your Luck 3:22 | Take It or Leave It 3:15

Кино :: Группа крови (1988)
Группа крови 4:45 | Закрой за мной дверь, я ухожу 4:16 | Война 4:05 | Спокойная ночь 6:07
Мама, мы все тяжело больны 4:11 | Бошетунмай 4:08 | В наших глазах 3:36 | Попробуй спеть вместе со мной 4:37
Прохожий 3:44 | Дальше действовать будем мы 3:49 | Легенда 4:12

Michael Jackson :: Thriller (1982)
Wanna Be Startin' Somethin' 6:03 | Baby Be Mine 4:20 | The Girl Is Mine 3:42 | Thriller 5:57 | Beat It 4:18
Billie Jean 4:54 | Human Nature 4:06 | P.Y.T. (Pretty Young Thing) 3:59 | The Lady in My Life 4:59

Michael Jackson :: Bad (1987)
Bad 4:07 | The Way You Make Me Feel 4:57 | Speed Demon 4:01 | Liberian Girl 3:53 | Just Good Friends 4:06
Another Part of Me 3:54 | Man in the Mirror 5:19 | I Just Can't Stop Loving You 4:25 | Dirty Diana 4:41
Smooth Criminal 4:17

Michael Jackson :: Dangerous (1991)
Jam 5:39 | Why You Wanna Trip on Me 5:24 | In the Closet 6:31 | She Drives Me Wild 3:41 | Remember the Time 4:00
Can't Let Her Get Away 4:58 | Heal the World 6:25 | Black or White 4:15 | Who Is It 6:34 | Give In to Me 5:29
Will You Be There 7:40 | Keep the Faith 5:57 | Gone Too Soon 3:23 | Dangerous 7:00

Prince and the Revolution :: Purple Rain (1984)
Let's Go Crazy 4:39 | Take Me with U 3:54 | The Beautiful Ones 5:13 | Computer Blue 3:59 | Darling Nikki 4:14
When Doves Cry 5:54 | I Would Die 4 U 2:49 | Baby I'm a Star 4:24 | Purple Rain 8:41

The Beach Boys :: Pet Sounds (1966)
Wouldn't It Be Nice 2:25 | You Still Believe in Me 2:31 | That's Not Me 2:28
Don't Talk (Put Your Head on My Shoulder) 2:53 | I'm Waiting for the Day 3:05 | Let's Go Away for Awhile 2:18
Sloop John B 2:58 | God Only Knows 2:51 | I Know There's an Answer 3:09 | Here Today 2:54
I Just Wasn't Made for These Times 3:12 | Pet Sounds 2:22 | Caroline, No 2:51

Kate Bush :: Hounds of Love (1985)
Running Up That Hill (A Deal with God) 5:03 | Hounds of Love 3:02 | The Big Sky 4:41 | Mother Stands for Comfort 3:07
Cloudbusting 5:10 | And Dream of Sheep 2:45 | Under Ice 2:21 | Waking the Witch 4:18 | Watching You Without Me 4:06
Jig of Life 4:04 | Hello Earth 6:13 | The Morning Fog 2:34

Paul Simon :: Graceland (1986)
The Boy in the Bubble 3:59 | Graceland 4:48 | I Know What I Know 3:13 | Gumboots 2:42
Diamonds on the Soles of Her Shoes 5:45 | You Can Call Me Al 4:39 | Under African Skies 3:37 | Homeless 3:45
Crazy Love, Vol. II 4:17 | That Was Your Mother 2:52 | All Around the World or the Myth of Fingerprints 3:15

Adele :: 21 (2011)
Rolling in the Deep 3:48 | Rumour Has It 3:43 | Turning Tables 4:10 | Don't You Remember 4:03
Set Fire to the Rain 4:01 | He Won't Go 4:37 | Take It All 3:48 | I'll Be Waiting 4:01 | One and Only 5:48
Lovesong 5:16 | Someone Like You 4:47

Taylor Swift :: 1989 (2014)
Welcome to New York 3:32 | Blank Space 3:51 | Style 3:51 | Out of the Woods 3:55 | All You Had to Do Was Stay 3:13
Shake It Off 3:39 | I Wish You Would 3:27 | Bad Blood 3:31 | Wildest Dreams 3:40 | How You Get the Girl 4:07
This Love 4:10 | I Know Places 3:15 | Clean 4:30

周杰倫 :: 范特西 (2001)
愛在西元前 3:54 | 爸我回來了 3:55 | 簡單愛 4:30 | 忍者 2:39 | 開不了口 4:45
上海一九四三 3:15 | 對不起 3:46 | 威廉古堡 3:55 | 雙截棍 3:21 | 安靜 5:34

周杰倫 :: 葉惠美 (2003)
以父之名 5:42 | 懦夫 3:38 | 晴天 4:29 | 三年二班 4:40 | 東風破 5:15 | 妳聽得到 3:49
同一種調調 3:51 | 她的睫毛 3:52 | 愛情懸崖 4:20 | 梯田 3:33 | 雙刀 4:56

방탄소년단 :: 화양연화 pt.2 (2015)
Intro : Never Mind 2:22 | RUN 3:57 | Butterfly 3:59 | Whalien 52 3:59 | Ma City 3:56 | 뱁새 3:24
Skit : One night in a strange city 3:09 | 고엽 3:36 | Outro : House Of Cards 2:31

빅뱅 :: MADE (2016)
에라 모르겠다 3:13 | LAST DANCE 4:48 | GIRLFRIEND 3:44 | 우리 사랑하지 말아요 3:32 | LOSER 3:39 | BAE BAE 2:50
뱅뱅뱅 3:40 | 맨정신 3:58 | IF YOU 4:24 | 쩔어 3:14 | WE LIKE 2 PARTY 3:17

Miles Davis :: Kind of Blue (1959)
So What 9:22 | Freddie Freeloader 9:46 | Blue in Green 5:37 | All Blues 11:33 | Flamenco Sketches 9:26

John Coltrane :: Blue Train (1958)
Blue Train 10:43 | Moment's Notice 9:10 | Locomotion 7:14 | I'm Old Fashioned 7:58 | Lazy Bird 7:00

John Coltrane :: A Love Supreme (1965)
Part I: Acknowledgement 7:42 | Part II: Resolution 7:20
Part III: Pursuance 10:41 | Part IV: Psalm 7:05

The Dave Brubeck Quartet :: Time Out (1959)
Blue Rondo à la Turk 6:44 | Strange Meadow Lark 7:22 | Take Five 5:24 | Three to Get Ready 5:24
Kathy's Waltz 4:48 | Everybody's Jumpin' 4:23 | Pick Up Sticks 4:16

Herbie Hancock :: Head Hunters (1973)
Chameleon 15:41 | Watermelon Man 6:29 | Sly 10:15 | Vein Melter 9:09

Stan Getz & João Gilberto :: Getz/Gilberto (1964)
The Girl from Ipanema 5:24 | Doralice 2:46 | Para Machucar Meu Coração 5:05 | Desafinado 4:15
Corcovado (Quiet Nights of Quiet Stars) 4:16 | Só Danço Samba 3:45 | O Grande Amor 5:27 | Vivo Sonhando 3:04

Marvin Gaye :: What's Going On (1971)
What's Going On 3:53 | What's Happening Brother 2:43 | Flyin' High (In the Friendly Sky) 3:49
Save the Children 4:03 | God Is Love 1:41 | Mercy Mercy Me (The Ecology) 3:16 | Right On 7:31 | Wholy Holy 3:08
Inner City Blues (Make Me Wanna Holler) 5:26

Aretha Franklin :: I Never Loved a Man the Way I Love You (1967)
Respect 2:29 | Drown in My Own Tears 4:07 | I Never Loved a Man (The Way I Love You) 2:51 | Soul Serenade 2:39
Don't Let Me Lose This Dream 2:23 | Baby, Baby, Baby 2:54 | Dr. Feelgood (Love Is a Serious Business) 3:23
Good Times 2:10 | Do Right Woman, Do Right Man 3:16 | Save Me 2:21 | A Change Is Gonna Come 4:20

Stevie Wonder :: Songs in the Key of Life (1976)
Love's in Need of Love Today 7:06 | Have a Talk with God 2:42 | Village Ghetto Land 3:25 | Contusion 3:46
Sir Duke 3:54 | I Wish 4:12 | Knocks Me Off My Feet 3:36 | Pastime Paradise 3:27 | Summer Soft 4:14
Ordinary Pain 6:23
---
Isn't She Lovely 6:34 | Joy Inside My Tears 6:30 | Black Man 8:29
Ngiculela – Es Una Historia – I Am Singing 3:49 | If It's Magic 3:12 | As 7:08 | Another Star 8:28

Amy Winehouse :: Back to Black (2006)
Rehab 3:33 | You Know I'm No Good 4:16 | Me & Mr Jones 2:33 | Just Friends 3:13 | Back to Black 4:01
Love Is a Losing Game 2:35 | Tears Dry on Their Own 3:06 | Wake Up Alone 3:42 | Some Unholy War 2:22
He Can Only Hold Her 2:46 | Addicted 2:45

Nas :: Illmatic (1994)
The Genesis 1:45 | N.Y. State of Mind 4:54 | Life's a Bitch 3:30 | The World Is Yours 4:50 | Halftime 4:20
Memory Lane (Sittin' in da Park) 4:08 | One Love 5:25 | One Time 4 Your Mind 3:18 | Represent 4:12
It Ain't Hard to Tell 3:22

Lauryn Hill :: The Miseducation of Lauryn Hill (1998)
Intro 0:47 | Lost Ones 5:33 | Ex-Factor 5:26 | To Zion 6:08 | Doo Wop (That Thing) 5:20 | Superstar 4:57
Final Hour 4:15 | When It Hurts So Bad 5:42 | I Used to Love Him 5:39 | Forgive Them Father 5:15
Every Ghetto, Every City 5:14 | Nothing Even Matters 5:50 | Everything Is Everything 4:58
The Miseducation of Lauryn Hill 4:17

Madvillain :: Madvillainy (2004)
The Illest Villains 1:55 | Accordion 1:58 | Meat Grinder 2:11 | Bistro 1:07 | Raid 2:30
America's Most Blunted 3:54 | Sickfit 1:21 | Rainbows 2:51 | Curls 1:35 | Do Not Fire! 0:52 | Money Folder 3:02
Shadows of Tomorrow 2:36 | Operation Lifesaver AKA Mint Test 1:30 | Figaro 2:25 | Hardcore Hustle 1:21
Strange Ways 1:51 | Fancy Clown 1:55 | Eye 1:57 | Supervillain Theme 0:52 | All Caps 2:10 | Great Day 2:16
Rhinestone Cowboy 4:00

Kendrick Lamar :: To Pimp a Butterfly (2015)
Wesley's Theory 4:47 | For Free? (Interlude) 2:10 | King Kunta 3:54 | Institutionalized 4:31 | These Walls 5:00
u 4:28 | Alright 3:39 | For Sale? (Interlude) 4:51 | Momma 4:43 | Hood Politics 4:52
How Much a Dollar Cost 4:21 | Complexion (A Zulu Love) 4:23 | The Blacker the Berry 5:28
You Ain't Gotta Lie (Momma Said) 4:01 | i 5:36 | Mortal Man 12:07

Kraftwerk :: The Man-Machine (1978)
The Robots 6:11 | Spacelab 5:51 | Metropolis 5:59 | The Model 3:38 | Neon Lights 9:03 | The Man-Machine 5:28

Aphex Twin :: Selected Ambient Works 85–92 (1992)
Xtal 4:51 | Tha 9:01 | Pulsewidth 3:47 | Ageispolis 5:21 | i 1:13 | Green Calx 6:02 | Heliosphan 4:51
We Are the Music Makers 7:42 | Schottkey 7th Path 5:07 | Ptolemy 7:10 | Hedphelym 6:02 | Delphium 5:26
Actium 7:35

Portishead :: Dummy (1994)
Mysterons 5:02 | Sour Times 4:11 | Strangers 3:55 | It Could Be Sweet 4:16 | Wandering Star 4:51
It's a Fire 3:49 | Numb 3:54 | Roads 5:02 | Pedestal 3:39 | Biscuit 5:01 | Glory Box 5:06

Massive Attack :: Mezzanine (1998)
Angel 6:18 | Risingson 4:58 | Teardrop 5:29 | Inertia Creeps 5:56 | Exchange 4:11 | Dissolved Girl 6:07
Man Next Door 5:55 | Black Milk 6:20 | Mezzanine 5:54 | Group Four 8:13 | (Exchange) 4:08

Daft Punk :: Discovery (2001)
One More Time 5:20 | Aerodynamic 3:27 | Digital Love 4:58 | Harder, Better, Faster, Stronger 3:45
Crescendolls 3:31 | Nightvision 1:44 | Superheroes 3:57 | High Life 3:22 | Something About Us 3:51 | Voyager 3:47
Veridis Quo 5:44 | Short Circuit 3:26 | Face to Face 4:00 | Too Long 10:00

Glenn Gould :: Bach: The Goldberg Variations (1956)
Aria 1:53 | Variation 1 0:45 | Variation 2 0:37 | Variation 3 0:55 | Variation 4 0:29 | Variation 5 0:37
Variation 6 0:34 | Variation 7 1:08 | Variation 8 0:45 | Variation 9 0:38 | Variation 10 0:43 | Variation 11 0:55
Variation 12 0:56 | Variation 13 2:11 | Variation 14 0:59 | Variation 15 2:17 | Variation 16 1:18
Variation 17 0:53 | Variation 18 0:46 | Variation 19 0:42 | Variation 20 0:48 | Variation 21 1:42
Variation 22 0:42 | Variation 23 0:54 | Variation 24 0:57 | Variation 25 6:28 | Variation 26 0:52
Variation 27 0:49 | Variation 28 1:10 | Variation 29 1:00 | Variation 30 0:48 | Aria da capo 2:10

Wiener Philharmoniker, Carlos Kleiber :: Beethoven: Symphonies Nos. 5 & 7 (1995)
Symphony No. 5 in C minor, op. 67: I. Allegro con brio 7:22
Symphony No. 5 in C minor, op. 67: II. Andante con moto 10:00
Symphony No. 5 in C minor, op. 67: III. Allegro 5:09
Symphony No. 5 in C minor, op. 67: IV. Allegro 10:51
Symphony No. 7 in A major, op. 92: I. Poco sostenuto – Vivace 13:36
Symphony No. 7 in A major, op. 92: II. Allegretto 8:09
Symphony No. 7 in A major, op. 92: III. Presto 8:15
Symphony No. 7 in A major, op. 92: IV. Allegro con brio 8:36

Arvo Pärt :: Tabula Rasa (1984)
Fratres 11:24 | Cantus in Memory of Benjamin Britten 5:00
Fratres (for 12 cellos) 11:49 | Tabula Rasa 26:26

Henryk Górecki :: Symphony No. 3 (1992)
Lento – Sostenuto tranquillo ma cantabile 26:25
Lento e largo – Tranquillissimo 9:22
Lento – Cantabile semplice 17:05

Bob Dylan :: The Freewheelin' Bob Dylan (1963)
Blowin' in the Wind 2:48 | Girl from the North Country 3:22 | Masters of War 4:34 | Down the Highway 3:27
Bob Dylan's Blues 2:23 | A Hard Rain's a-Gonna Fall 6:55 | Don't Think Twice, It's All Right 3:40
Bob Dylan's Dream 5:03 | Oxford Town 1:50 | Talkin' World War III Blues 6:28 | Corrina, Corrina 2:44
Honey, Just Allow Me One More Chance 2:01 | I Shall Be Free 4:49

Simon & Garfunkel :: Bridge over Troubled Water (1970)
Bridge over Troubled Water 4:52 | El Condor Pasa (If I Could) 3:06 | Cecilia 2:55 | Keep the Customer Satisfied 2:33
So Long, Frank Lloyd Wright 3:41 | The Boxer 5:08 | Baby Driver 3:14 | The Only Living Boy in New York 3:58
Why Don't You Write Me 2:45 | Bye Bye Love 2:55 | Song for the Asking 1:49

Joni Mitchell :: Blue (1971)
All I Want 3:32 | My Old Man 3:33 | Little Green 3:25 | Carey 3:00 | Blue 3:00 | California 3:48
This Flight Tonight 2:50 | River 4:00 | A Case of You 4:20 | The Last Time I Saw Richard 4:13

Nick Drake :: Pink Moon (1972)
Pink Moon 2:06 | Place to Be 2:43 | Road 2:02 | Which Will 2:58 | Horn 1:23 | Things Behind the Sun 3:57
Know 2:26 | Parasite 3:36 | Free Ride 3:06 | Harvest Breed 1:37 | From the Morning 2:30

Bon Iver :: For Emma, Forever Ago (2007)
Flume 3:39 | Lump Sum 3:21 | Skinny Love 3:59 | The Wolves (Act I and II) 5:22 | Blindsided 5:29
Creature Fear 3:06 | Team 1:57 | For Emma 3:41 | Re: Stacks 6:41

はっぴいえんど :: 風街ろまん (1971)
抱きしめたい 3:32 | 空いろのくれよん 4:05 | 風をあつめて 4:06 | 暗闇坂むささび変化 1:52
はいからはくち 3:37 | はいから・びゅーちふる 0:33 | 夏なんです 3:16 | 花いちもんめ 3:58
あしたてんきになれ 2:14 | 颱風 4:39 | 春らんまん 2:49 | 愛餓を 0:37

Black Sabbath :: Paranoid (1970)
War Pigs 7:57 | Paranoid 2:48 | Planet Caravan 4:32 | Iron Man 5:56 | Electric Funeral 4:53 | Hand of Doom 7:08
Rat Salad 2:30 | Fairies Wear Boots 6:15

Iron Maiden :: The Number of the Beast (1982)
Invaders 3:24 | Children of the Damned 4:35 | The Prisoner 6:03 | 22 Acacia Avenue 6:36
The Number of the Beast 4:50 | Run to the Hills 3:53 | Gangland 3:47 | Hallowed Be Thy Name 7:12

Metallica :: Master of Puppets (1986)
Battery 5:12 | Master of Puppets 8:35 | The Thing That Should Not Be 6:36 | Welcome Home (Sanitarium) 6:27
Disposable Heroes 8:16 | Leper Messiah 5:40 | Orion 8:27 | Damage, Inc. 5:32

Slayer :: Reign in Blood (1986)
Angel of Death 4:51 | Piece by Piece 2:03 | Necrophobic 1:40 | Altar of Sacrifice 2:50 | Jesus Saves 2:54
Criminally Insane 2:23 | Reborn 2:12 | Epidemic 2:23 | Postmortem 3:27 | Raining Blood 4:14

Rotting Christ :: Κατά τον δαίμονα εαυτού (2013)
In Yumen-Xibalba 6:34 | P'unchaw kachun – Tuta kachun 4:48 | Grandis Spiritus Diavolos 5:53
Κατά τον δαίμονα εαυτού 5:03 | Cine iubește și lasă 5:28 | Iwa Voodoo 4:42 | Gilgameš 4:04 | Русалка 4:29
Ahura Mazdā – Aŋra Mainiuu 5:04 | Χ ξ ς' 5:30

Vangelis :: Blade Runner (1994)
Main Titles 3:42 | Blush Response 5:47 | Wait for Me 5:27 | Rachel's Song 4:46 | Love Theme 4:56
One More Kiss, Dear 3:58 | Blade Runner Blues 8:53 | Memories of Green 5:05 | Tales of the Future 4:46
Damask Rose 2:32 | Blade Runner (End Titles) 4:40 | Tears in Rain 3:00

Howard Shore :: The Lord of the Rings: The Fellowship of the Ring (2001)
The Prophecy 3:55 | Concerning Hobbits 2:55 | The Shadow of the Past 3:32 | The Treason of Isengard 4:00
The Black Rider 2:48 | At the Sign of the Prancing Pony 3:14 | A Knife in the Dark 3:34 | Flight to the Ford 4:14
Many Meetings 3:05 | The Council of Elrond 3:49 | The Ring Goes South 2:03 | A Journey in the Dark 4:20
The Bridge of Khazad Dum 5:57 | Lothlórien 4:33 | The Great River 2:42 | Amon Hen 5:02
The Breaking of the Fellowship 7:20 | May It Be 4:19

久石譲 :: 千と千尋の神隠し サウンドトラック (2001)
あの夏へ 3:09 | とおり道 2:07 | 誰もいない料理店 3:15 | 夜来る 2:00 | 竜の少年 2:12 | ボイラー虫 2:33
神さま達 3:00 | 湯婆婆 3:30 | 湯屋の朝 2:02 | あの日の川 3:13 | 仕事はつらいぜ 2:26 | おクサレ神 4:01
千の勇気 2:45 | 底なし穴 1:18 | カオナシ 3:47 | 6番目の駅 3:38 | 湯婆婆狂乱 1:38 | 沼の底の家 1:29
ふたたび 4:53 | 帰る日 3:20 | いつも何度でも 3:35

Various Artists :: Pulp Fiction: Music from the Motion Picture (1994)
Dick Dale & His Del-Tones :: Pumpkin and Honey Bunny / Misirlou 2:27
John Travolta & Samuel L. Jackson :: Royale with Cheese 1:42
Kool & the Gang :: Jungle Boogie 3:05
Al Green :: Let's Stay Together 3:15
The Tornadoes :: Bustin' Surfboards 2:26
Ricky Nelson :: Lonesome Town 2:13
Dusty Springfield :: Son of a Preacher Man 2:25
The Centurians :: Zed's Dead, Baby / Bullwinkle Part II 2:39
Chuck Berry :: Jack Rabbit Slims Twist Contest / You Never Can Tell 3:12
Urge Overkill :: Girl, You'll Be a Woman Soon 3:09
Maria McKee :: If Love Is a Red Dress (Hang Me in Rags) 4:55
The Revels :: Bring Out the Gimp / Comanche 2:10
The Statler Brothers :: Flowers on the Wall 2:23
John Travolta & Samuel L. Jackson :: Personality Goes a Long Way 1:00
The Lively Ones :: Surf Rider 3:18
Samuel L. Jackson :: Ezekiel 25:17 0:51

Fela Kuti & Africa 70 :: Zombie (1976)
Zombie 12:26 | Mister Follow Follow 12:58

Bob Marley & The Wailers :: Exodus (1977)
Natural Mystic 3:28 | So Much Things to Say 3:08 | Guiltiness 3:19 | The Heathen 2:32 | Exodus 7:40 | Jamming 3:31
Waiting in Vain 4:16 | Turn Your Lights Down Low 3:39 | Three Little Birds 3:00 | One Love/People Get Ready 2:52

Ali Farka Touré & Ry Cooder :: Talking Timbuktu (1994)
Bonde 5:28 | Soukora 6:05 | Gomni 7:00 | Sega 3:10 | Amandrai 9:22 | Lasidan 6:06 | Keito 5:42 | Banga 2:32
Ai Du 7:09 | Diaraby 7:25

Buena Vista Social Club :: Buena Vista Social Club (1997)
Chan Chan 4:16 | De Camino a La Vereda 5:03 | El Cuarto de Tula 7:27 | Pueblo Nuevo 6:05 | Dos Gardenias 3:02
¿Y Tú Qué Has Hecho? 3:13 | Veinte Años 3:29 | El Carretero 3:28 | Candela 5:27 | Amor de Loca Juventud 3:21
Orgullecida 3:18 | Murmullo 3:50 | Buena Vista Social Club 4:50 | La Bayamesa 2:54

Sigur Rós :: Ágætis byrjun (1999)
Intro 1:36 | Svefn-g-englar 10:04 | Starálfur 6:46 | Flugufrelsarinn 7:48 | Ný batterí 8:10
Hjartað hamast (bamm bamm bamm) 7:10 | Viðrar vel til loftárása 10:17 | Olsen Olsen 8:03 | Ágætis byrjun 7:55
Avalon 4:00

עידן רייכל :: הפרויקט של עידן רייכל (2002)
ברכות לשנה החדשה 3:31 | בואי 4:25 | אם תלך 2:48 | Ayal-Ayale 3:35 | הנך יפה 4:53 | Brong Faya 4:05
מדברים בשקט 3:54 | שושנים עצובות 2:35 | טיגסט 4:37 | השיר של מימי 2:32 | עת לחיות, עת למות 3:52
בואי (רדיו) 4:07
`;
