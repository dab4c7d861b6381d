/** What categories are called: films, and kinds of programme that many guides never number. */
import { ownText } from '../strings.ts';
import { foldWords, wordSet } from './fold.ts';

/** A line a language, or a few that are near. */
const FILM = wordSet([
  'film; films; movie; movies; feature film; feature films; feature-length film; full-length film; motion picture; TV movie; TV movies; TV-movie; TV film; TV films; telefilm; telemovie; television movie; television film; made-for-TV movie; made for TV movie; made for television movie; moving picture; movie film',
  'Spielfilm; Spielfilme; Fernsehfilm; Fernsehfilme; TV-Film; TV-Spielfilm; Kinofilm; Kinofilme; Filme; Kinospielfilm; Fernsehspielfilm; Langspielfilm',
  'long métrage; longs métrages; long-métrage; film de cinéma; film cinéma; téléfilm; téléfilms; film TV; film de télévision; film télévisé',
  'película; películas; peli; pelis; largometraje; largometrajes; película de TV; película para TV; película para televisión; película de televisión; telepelícula; film para TV; telefilme; telefilmes; filme; filmes; cine; película de cine',
  'longa-metragem; longas-metragens; longa metragem; longa; filme de TV; filme para TV; filme para televisão; filme de cinema; telefilme; fita',
  'lungometraggio; lungometraggi; film per la TV; film TV; film tv; filmtv; film per la televisione; pellicola',
  'speelfilm; speelfilms; bioscoopfilm; televisiefilm; tv-film; tv film; langspeelfilm',
  'spelfilm; långfilm; filmer; tv-film; biofilm; spillefilm; spillefilmer; langfilm; filmen; fjernsynsfilm; kinofilm; biograffilm',
  'elokuva; elokuvat; tv-elokuva; televisioelokuva; pitkä elokuva; kokoillan elokuva; mängufilm; mängufilmid; film; filmid; telefilm; kvikmynd; kvikmyndir; bíómynd; bíómyndir; sjónvarpsmynd; sjónvarpskvikmynd',
  'film fabularny; filmy fabularne; film telewizyjny; film kinowy; filmy; film pełnometrażowy; hraný film; hrané filmy; celovečerní film; celovečerný film; televizní film; televízny film; tv film; filmová produkce',
  'játékfilm; játékfilmek; mozifilm; mozifilmek; tévéfilm; tv-film; tv film; filmek; egész estés film; nagyjátékfilm; film artistic; filme artistice; film de lungmetraj; lungmetraj; film TV; film de televiziune; film de cinema',
  'sinema; sinema filmi; film; filmler; yerli film; yabancı film; uzun metraj; uzun metraj film; uzun metrajlı film; TV filmi; televizyon filmi; kino; kinofilm; bədii film',
  'igrani film; dugometražni film; dugometražni igrani film; televizijski film; tv film; filmovi; celovečerni film; celovečerec; igrani celovečerni film; televizijski film; film i gjatë; film artistik; filma',
  'ταινία; ταινίες; κινηματογραφική ταινία; τηλεταινία; τηλεοπτική ταινία; ταινία μεγάλου μήκους; φιλμ; κινηματογράφος',
  'filmas; filmai; vaidybinis filmas; meninis filmas; televizijos filmas; tv filmas; filma; filmas; spēlfilma; mākslas filma; pilnmetrāžas filma; televīzijas filma; tv filma; mākslas filmas',
  'pel·lícula; pel·lícules; llargmetratge; telefilm; filme; película; filma; filmak; pelikula; pelikulak; telefilma; scannán; ffilm; ffilmiau',
  'фильм; фильмы; художественный фильм; художественные фильмы; х/ф; худ. фильм; худ.фильм; полнометражный фильм; игровой фильм; телефильм; телевизионный фильм; тв-фильм; кино; кинофильм; кинофильмы; киноленты; кинокартина; т/ф; х ф; т ф',
  'фільм; фільми; художній фільм; х/ф; повнометражний фільм; телефільм; телевізійний фільм; кінофільм; кіно; фільмы; мастацкі фільм; кінафільм',
  'филм; филми; игрален филм; пълнометражен филм; телевизионен филм; тв филм; художествен филм; играни филм; играни филм; играни филмови; телевизијски филм; долгометражен филм; дугометражни филм; филмови; кино филм; көркем фильм; кинофильм; кино; уран сайхны кино',
  'סרט; סרטים; סרט קולנוע; סרט טלוויזיה; סרט עלילתי; סרט באורך מלא; סרט מלא',
  'فيلم; فلم; أفلام; افلام; فيلم سينمائي; فيلم روائي; فيلم روائي طويل; فيلم تلفزيوني; فيلم طويل; فیلم; فیلم سینمایی; فیلم تلویزیونی; فیلم بلند; سینمایی; فیلم‌ها; فلمیں',
  'फ़िल्म; फिल्म; फ़िल्में; फिल्में; चलचित्र; मूवी; सिनेमा; फीचर फिल्म; टीवी फिल्म; चित्रपट; चलच्चित्र; চলচ্চিত্র; সিনেমা; মুভি; ছায়াছবি; திரைப்படம்; படம்; சினிமா; సినిమా; చిత్రం; చలనచిత్రం; ಚಲನಚಿತ್ರ; ಸಿನಿಮಾ; സിനിമ; ചലച്ചിത്രം; ફિલ્મ; ਫ਼ਿਲਮ; ਫਿਲਮ; චිත්‍රපටය',
  'ภาพยนตร์; หนัง; ภาพยนตร์โทรทัศน์; หนังยาว; phim; phim truyện; phim lẻ; phim điện ảnh; phim truyền hình lẻ; phim chiếu rạp; film layar lebar; film televisi; film bioskop; filem; filem tv; telefilem; pelikula; sine; film TV; filamu; sinema',
  '映画; 劇映画; 長編映画; テレビ映画; 邦画; 洋画; 映画作品; ムービー; 劇場映画; 映画 洋画; 電影; 电影; 影片; 故事片; 电视电影; 電視電影; 剧情片; 劇情片; 長片; 长片; 영화; 극영화; 장편영화; 특선영화; 텔레비전 영화; TV영화; 드라마영화; 한국영화; 외국영화',
  'ფილმი; მხატვრული ფილმი; ֆիլմ; կինոնկար; գեղարվեստական ֆիլմ; kinofilm; badiiy film; көркем фильм; ፊልም; ភាពយន្ត; ຮູບເງົາ; ရုပ်ရှင်; rolprent; rolprente; fliek',
]);

/** Kinds that a guide may leave without numbers. */
export const KINDS = ['news', 'weather', 'sport', 'shopping', 'music', 'religious', 'off air'] as const;
export type Kind = (typeof KINDS)[number];

const KIND_WORDS: Readonly<Record<Kind, ReadonlySet<string>>> = {
  news: wordSet([
    'news; newscast; news bulletin; news programme; news program; news show; news report; news update; local news; world news; international news; regional news; headlines; bulletin; news and weather; news & weather; TV news; newsreel',
    'Nachrichten; Nachrichtensendung; Nachrichtenmagazin; Kurznachrichten; Tagesnachrichten; journal; journal télévisé; JT; informations; infos; info; actualité; actualités; bulletin d’informations; flash info; journal d’information; flash d’information',
    'noticias; noticia; noticiero; noticieros; noticiario; noticiarios; informativo; informativos; telediario; telenoticias; notícias; notícia; telejornal; telejornais; noticiário; jornal; jornalismo; jornalístico; informação; notizie; notiziario; notiziari; telegiornale; telegiornali; TG; informazione; attualità',
    'nieuws; journaal; nieuwsbulletin; nieuwsuitzending; nyheter; nyhetsprogram; nyhetssändning; nyheder; nyhedsudsendelse; uutiset; uutisohjelma; uudised; uudistesaade; fréttir; fréttatími',
    'wiadomości; informacje; serwis informacyjny; program informacyjny; dziennik; aktualności; zprávy; zpravodajství; zpravodajský pořad; správy; spravodajstvo; noviny; hírek; híradó; hírműsor; știri; stiri; jurnal; jurnal de știri; actualități; haber; haberler; haber bülteni; ana haber; xəbərlər',
    'новости; информация; информационная программа; информационные; новостная программа; выпуск новостей; новини; випуск новин; інформаційна програма; навіны; вести; вијести; дневник; емисија вести; информативна програма; информативни; жаңалықтар; мэдээ; vijesti; vesti; informativna emisija; informativni program; informativna oddaja; informativno; poročila; novice; dnevnik; lajme; lajmet',
    'ειδήσεις; δελτίο ειδήσεων; ενημέρωση; δελτίο; žinios; naujienos; žinių laida; informacinė laida; ziņas; ziņu raidījums; notícies; informatius; telenotícies; noticias; novas; albisteak; nuacht; newyddion',
    'חדשות; מהדורת חדשות; أخبار; الأخبار; اخبار; نشرة الأخبار; نشرة أخبار; نشرة إخبارية; خبر; خبری; خبریں; समाचार; न्यूज़; बातम्या; সংবাদ; খবর; செய்திகள்; செய்தி; వార్తలు; ಸುದ್ದಿ; വാർത്ത; വാർത്തകൾ; સમાચાર; ਖ਼ਬਰਾਂ',
    'ข่าว; ข่าวสาร; รายการข่าว; tin tức; thời sự; bản tin; tin; berita; warta; balita; habari; nuus; ニュース; 報道; ニュース報道; 新闻; 新聞; 新闻节目; 新聞節目; 时事; 뉴스; 보도; ახალი ამბები; նորություններ; yangiliklar',
  ]),
  weather: wordSet([
    'weather; weather forecast; weather report; forecast; the weather; Wetter; Wetterbericht; Wettervorhersage; météo; meteo; bulletin météo; la météo; prévisions météo; météorologie; el tiempo; tiempo; meteorología; pronóstico del tiempo; información meteorológica; previsão do tempo; tempo; meteorologia; o tempo; boletim meteorológico; previsioni del tempo; previsioni meteo; che tempo fa; bollettino meteo',
    'weer; weerbericht; het weer; weersverwachting; väder; väderprognos; väderrapport; vädret; vær; værmelding; været; værvarsel; vejr; vejret; vejrudsigt; sää; säätiedotus; ilm; ilmateade; ilmaennustus; veður; veðurfréttir',
    'pogoda; prognoza pogody; počasí; předpověď počasí; počasie; predpoveď počasia; időjárás; időjárás-jelentés; időjárásjelentés; vremea; prognoza meteo; buletin meteo; starea vremii; hava durumu; hava; погода; прогноз погоды; прогноз погоди; надвор’е; времето; прогноза за времето; време; временска прогноза; временската прогноза; vrijeme; vremenska prognoza; vreme; vremenska napoved; vremenska prognoza; moti; parashikimi i motit',
    'καιρός; δελτίο καιρού; πρόγνωση καιρού; ο καιρός; orai; orų prognozė; laikapstākļi; laika ziņas; laika prognoze; el temps; previsió del temps; eguraldia; an aimsir; tywydd; y tywydd',
    'מזג אוויר; מזג האוויר; תחזית מזג האוויר; طقس; الطقس; حالة الطقس; النشرة الجوية; أحوال الطقس; هواشناسی; آب و هوا; موسم; मौसम; हवामान; আবহাওয়া; வானிலை; వాతావరణం; ಹವಾಮಾನ; കാലാവസ്ഥ',
    'พยากรณ์อากาศ; สภาพอากาศ; อากาศ; thời tiết; dự báo thời tiết; cuaca; prakiraan cuaca; ramalan cuaca; panahon; lagay ng panahon; 天気; 天気予報; 気象; 気象情報; 天气; 天气预报; 天氣; 天氣預報; 气象; 氣象; 날씨; 기상; 일기예보; 기상정보; ауа райы; цаг агаар; ამინდი; եղանակ; ob-havo; weerberig',
  ]),
  sport: wordSet([
    'sport; sports; sporting event; sports event; sports non-event; live sport; live sports; sports coverage; sports programme; sports program; sports talk; sports news; sports magazine; Sportsendung; Sportübertragung; Sportmagazin; deporte; deportes; deportivo; deportivos; desporto; desportivo; desportos; esporte; esportes; esportivo; esports; sportivo; programma sportivo; sportprogramma; sportprogram; idrott; urheilu; urheiluohjelma; spordisaade; íþróttir; sportowe; program sportowy; sporty; sportovní; sportovní pořad; šport; športové; sportműsor; sporturi; emisiune sportivă; spor; idman',
    'спорт; спортивная программа; спортивные; спортивный; спортивна програма; спортивний; спортна програма; спортска емисија; sportska emisija; športna oddaja; αθλητικά; αθλητισμός; σπορ; αθλητική εκπομπή; sportas; sporto laida; sporta raidījums; sports; kirolak; kirola; spórt; chwaraeon; sporti; sportet',
    'ספורט; رياضة; الرياضة; رياضي; رياضية; ورزش; ورزشی; کھیل; खेल; खेलकूद; क्रीडा; খেলা; খেলাধুলা; விளையாட்டு; క్రీడలు; ಕ್ರೀಡೆ; കായികം; રમતગમત; ਖੇਡਾਂ; กีฬา; thể thao; olahraga; sukan; isports; palakasan; michezo; スポーツ; 体育; 體育; 运动; 運動; 스포츠; სპორტი; սպորտ; спорт',
  ]),
  shopping: wordSet([
    'shopping; home shopping; teleshopping; tele-shopping; TV shopping; TV shop; tv-shop; teleshop; infomercial; infomercials; paid programming; paid programme; paid program; advertorial; Dauerwerbesendung; Verkaufssendung; Werbesendung; télé-achat; téléachat; télé achat; télé-shopping; téléshopping; publireportage; telecompra; telecompras; teletienda; televenta; televentas; compras; compras en casa; infocomercial; infomerciales; televendas; televenda; televendita; televendite; telepromozione; telepromozioni; telewinkelen; thuiswinkelen; ostos-tv; ostosohjelma; ostoskanava; teleostud; telepood; sjónvarpsmarkaður',
    'telezakupy; telesprzedaż; zakupy; teleshopping; teleobchod; nákup; nákupy; televásár; vásárlás; telesop; teleshop; alışveriş; tele alışveriş; televizyon alışverişi; телемагазин; магазин на диване; магазин; телешоп; телепокупки; покупки; купівля; телешопінг; телепазар; teleprodaja; televizijska prodaja; tv prodaja; prodaja; τηλεπωλήσεις; τηλεαγορές; τηλεμάρκετινγκ; telemarketingas; teleparduotuvė; televeikals; TV veikals; televenda; teledenda',
    'קניות; ערוץ הקניות; تسوق; التسوق; تسوق تلفزيوني; خرید; शॉपिंग; खरीदारी; ช้อปปิ้ง; ช็อปปิ้ง; รายการขายสินค้า; mua sắm; belanja; membeli-belah; beli-belah; ショッピング; テレビショッピング; 通販; 通信販売; テレビ通販; ショッピング 通販; 购物; 購物; 电视购物; 電視購物; 쇼핑; 홈쇼핑; TV쇼핑',
  ]),
  music: wordSet([
    'music; music video; music videos; music programme; music program; music show; Musik; Musiksendung; Musikvideo; Musikvideos; Musikshow; musique; clips; clip; vidéoclip; clip musical; clips musicaux; émission musicale; variétés; música; musical; videoclip; videoclips; videos musicales; vídeos musicais; videoclipes; clipes; programa musical; musica; programma musicale; video musicali; muziek; muziekprogramma; muziekvideo; muziekclips; musikprogram; musikvideoer; musikk; musikkprogram; musikkvideo; musikkvideoer; musiikki; musiikkiohjelma; musiikkivideot; muusika; muusikasaade; muusikavideod; tónlist; tónlistarþáttur',
    'muzyka; program muzyczny; teledyski; muzyczny; hudba; hudební; hudební pořad; hudobný; hudobný program; zene; zenei műsor; zenés műsor; videoklip; videoklipek; muzică; emisiune muzicală; videoclipuri; müzik; müzik programı; klip; musiqi; музыка; музыкальная программа; музыкальный; музыкальная передача; клипы; музика; музична програма; кліпи; музыка; музикална програма; музички програм; музичка емисија; glazba; glazbena emisija; glazbeni program; muzika; muzička emisija; muzički program; spotovi; glasba; glasbena oddaja; muzikë; μουσική; μουσικά; μουσική εκπομπή; βίντεο κλιπ; muzikos laida; mūzika; mūzikas raidījums; musika; ceol; cerddoriaeth',
    'מוזיקה; מוסיקה; موسيقى; الموسيقى; أغاني; أغان; موسیقی; موسیقی ویدئو; ترانه; गाने; संगीत; गीत; গান; সঙ্গীত; সংগীত; இசை; பாடல்கள்; సంగీతం; పాటలు; ಸಂಗೀತ; സംഗീതം; ดนตรี; เพลง; รายการเพลง; âm nhạc; ca nhạc; nhạc; muzik; lagu; musik; tugtugin; muziki; musiek; 音楽; ミュージック; 音乐; 音樂; 音乐节目; 音樂節目; 음악; 뮤직; 뮤직비디오; მუსიკა; երաժշտություն; musiqa; хөгжим; ән',
  ]),
  religious: wordSet([
    'religious; religion; religious programme; religious program; religious service; church service; worship; faith; devotional; spirituality; Gottesdienst; Kirche; Glaube; religiöse Sendung; kirchliche Sendung; religieux; religieuse; émission religieuse; émissions religieuses; culte; messe; religión; religioso; religiosa; religiosos; misa; programa religioso; religião; missa; culto religioso; religione; messa; santa messa; programma religioso; rubrica religiosa; religie; religieus; godsdienst; kerkdienst; geloof; levensbeschouwing; livssyn; religiös; religiöst; gudstjänst; livsåskådning; religiøst; religiøs; gudstjeneste; religion og livssyn; livssyn; uskonto; uskonnollinen; uskonnollinen ohjelma; hartaus; hartausohjelma; jumalanpalvelus; usk; usuline; religioon; usuline saade; jumalateenistus; trú; trúmál; trúarlegt; guðsþjónusta; messa',
    'religia; religijne; religijny; program religijny; msza; msza święta; náboženství; náboženský; náboženské; náboženský pořad; bohoslužba; mše; náboženstvo; náboženská; omša; vallás; vallási; vallási műsor; egyházi műsor; istentisztelet; szentmise; religios; religioasă; emisiune religioasă; slujbă; din; dini; dini program; din programı; религия; религиозная программа; религиозные; религиозный; религиозная; духовная программа; релігія; релігійна програма; релігійний; рэлігія; религиозно; религиозна; религиозно предаване; вера; верски програм; верска емисија; верски; религија; vjera; vjerski program; vjerska emisija; religija; religijski program; misa; vera; verski; verski program; verska oddaja; verska emisija; religiozna oddaja; feja; besim; fetare',
    'θρησκεία; θρησκευτικά; θρησκευτικό; θρησκευτική εκπομπή; θεία λειτουργία; religija; religinė laida; šv mišios; mišios; reliģija; reliģisks; reliģisks raidījums; dievkalpojums; religió; religiós; missa; erlijioa; erlijioso; reiligiún; crefydd; crefyddol',
    'דת; דתי; תוכנית דת; יהדות; دين; ديني; دينية; برامج دينية; برنامج ديني; إسلاميات; اسلاميات; قرآن; القرآن الكريم; دینی; مذهبی; مذہبی; مذہب; اسلامی; धर्म; धार्मिक; भक्ति; आध्यात्मिक; ধর্ম; ধর্মীয়; ஆன்மீகம்; பக்தி; மதம்; భక్తి; ఆధ్యాత్మికం; ಭಕ್ತಿ; ಧಾರ್ಮಿಕ; ഭക്തി; ആത്മീയം; ધાર્મિક; ਧਾਰਮਿਕ; ศาสนา; ธรรมะ; รายการธรรมะ; tôn giáo; agama; keagamaan; religi; rohani; relihiyon; dini; godsdiens; 宗教; 宗教節目; 宗教节目; 종교; რელიგია; կրոն; diniy; шашин; дін',
  ]),
  'off air': wordSet([
    'off air; off-air; off the air; sign off; sign-off; signoff; closedown; close down; close; end of transmission; end of broadcast; end of programmes; no broadcast; no transmission; not on air; not broadcasting; broadcast pause; break in transmission; station closed; transmission break; channel off air; Sendeschluss; Sendepause; Programmende; Programmpause; kein Programm; nicht auf Sendung; Sendeunterbrechung; fin des programmes; fin des émissions; fin d’antenne; hors antenne; interruption des programmes; pause; arrêt des programmes; fin de emisión; fin de la emisión; fin de emisiones; fin de transmisión; fin de programación; cierre; cierre de emisión; cierre de emisiones; cierre de transmisión; sin emisión; fuera del aire; fuera de emisión; fora do ar; fim de emissão; fim da emissão; fim da programação; encerramento; encerramento da emissão; sem emissão; fine trasmissioni; fine delle trasmissioni; fine programmi; fuori onda; chiusura; sospensione delle trasmissioni; interruzione trasmissioni',
    'geen uitzending; einde uitzending; einde uitzendingen; uitzendpauze; uit de lucht; sändningsuppehåll; sändningsslut; uppehåll; uppehåll i sändningen; slut; sendeslutt; sendepause; sendingen avsluttet; ingen sending; sendeophold; udsendelsen slut; slut på udsendelse; lähetystauko; lähetys päättyy; ei lähetystä; ei ohjelmaa; ohjelma päättyy; saatevaba aeg; eetripaus; saated lõppenud; programm lõppenud; dagskrárlok; ekki í loftinu; przerwa w nadawaniu; przerwa; zakończenie programu; zakończenie dnia; koniec programu; koniec emisji; przerwa w emisji; konec vysílání; nevysílá se; přestávka ve vysílání; vysílací pauza; ukončení vysílání; koniec vysielania; nevysiela sa; prestávka vo vysielaní; adásszünet; műsorszünet; műsorzárás; az adás vége; închidere; închiderea programului; închiderea emisiei; pauză de emisie; sfârșitul programului; yayın kapanışı; kapanış; yayın sonu; yayın yok; yayın arası; yayın dışı',
    'перерыв; перерыв в вещании; перерыв в эфире; технический перерыв; профилактика; профилактические работы; окончание эфира; конец эфира; окончание вещания; конец вещания; нет вещания; не вещает; перерва; перерва в мовленні; технічна перерва; профілактика; кінець ефіру; завершення ефіру; немає мовлення; край на програмата; край на излъчването; прекъсване на програмата; крај програма; прекид програма; одјава програма; kraj programa; prekid programa; odjava programa; stanka u emitiranju; nema programa; konec programa; konec oddajanja; odjava; premor; fundi i programit; τέλος προγράμματος; τέλος εκπομπών; διακοπή προγράμματος; εκτός αέρα; transliacijos pertrauka; programos pabaiga; pertrauka; laidų pabaiga; pārraides beigas; programmas beigas; pārraides pārtraukums; tancament; fi de l’emissió; fi d’emissió',
    'סוף שידורים; סיום שידורים; סיום השידורים; אין שידור; אין שידורים; הפסקת שידורים; نهاية البث; انتهاء البث; توقف البث; انقطاع البث; لا يوجد بث; إغلاق; پایان برنامه; پایان برنامه‌ها; قطع برنامه; خارج از پخش; प्रसारण समाप्त; प्रसारण बंद; ปิดสถานี; ปิดการออกอากาศ; งดออกอากาศ; จบการออกอากาศ; kết thúc chương trình; ngừng phát sóng; không phát sóng; hết chương trình; siaran berakhir; akhir siaran; tidak siaran; tidak ada siaran; tamat siaran; tiada siaran; 放送休止; 放送終了; 休止; 休止中; 放送なし; クロージング; 停播; 收台; 收播; 节目结束; 節目結束; 停止播出; 暂停播出; 检修; 방송종료; 방송 종료; 방송 휴지; 정파; 정파시간; 방송 없음; 편성 없음',
  ]),
};

/** A category whole, and its pieces between marks. */
function* pieces(category: string): Generator<string> {
  yield foldWords(category);
  // A stroke within a word's own abbreviation (х/ф) was met as a whole.
  for (const piece of category.normalize('NFKC').split(/[/,;|、،]/)) yield foldWords(piece);
}

/** What categories were read as: a guide has few, and many programmes of each. */
const MOST_KEPT = 5_000;
const kept = new Map<string, CategoryMeaning>();

export interface CategoryMeaning {
  film: boolean;
  kinds: readonly Kind[];
}

/** What a category says of its programme. */
export function readCategory(category: string): CategoryMeaning {
  const known = kept.get(category);
  if (known !== undefined) return known;
  let film = false;
  const kinds = new Set<Kind>();
  for (const piece of pieces(category)) {
    if (FILM.has(piece)) film = true;
    for (const kind of KINDS) if (KIND_WORDS[kind].has(piece)) kinds.add(kind);
  }
  const meaning = { film, kinds: [...kinds] };
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(ownText(category), meaning);
  return meaning;
}
