/**
 * What the words of English shop categories and product titles are in Turkish, so that an English
 * file finds its categories in a Turkish tree. A word with two meanings has both; which of them
 * counts is decided by the other words. Compound words are looked up before single ones.
 */

import { distance } from "fastest-levenshtein";

import { fold } from "../text-keys.ts";

/** A line for each subject: English words, and after the equal sign their Turkish ones. */
const WORDS = `
men=erkek; man=erkek; women=kadın; woman=kadın; lady=kadın; ladies=kadın; girl=kız çocuk; boy=erkek çocuk; kid=çocuk; child=çocuk; children=çocuk; baby=bebek; toddler=bebek çocuk; infant=bebek; unisex=unisex; adult=yetişkin; teen=genç
clothing=giyim; clothes=giyim; apparel=giyim; wear=giyim; shirt=gömlek; t shirt=tişört; short sleeve=kısa kollu; long sleeve=uzun kollu; tee=tişört; polo shirt=polo tişört; blouse=bluz; top=üst bluz; tank top=atlet; crop top=crop top; sweater=kazak; jumper=kazak; pullover=kazak; cardigan=hırka; hoodie=sweatshirt kapüşonlu; sweatshirt=sweatshirt; jacket=ceket; blazer=blazer ceket; coat=mont kaban; parka=mont parka; raincoat=yağmurluk; vest=yelek; waistcoat=yelek; suit=takım elbise; dress=elbise; evening dress=abiye elbise; skirt=etek; pants=pantolon; trousers=pantolon; jeans=kot pantolon; denim=kot; shorts=şort; leggings=tayt; tights=tayt külotlu çorap; tracksuit=eşofman; sweatpants=eşofman altı; jumpsuit=tulum; overalls=tulum; romper=tulum; pajama=pijama; pyjama=pijama; nightgown=gecelik; robe=sabahlık bornoz; bathrobe=bornoz; underwear=iç giyim; lingerie=iç giyim; bra=sütyen; panties=külot; briefs=külot slip; boxer=boxer; sock=çorap; stocking=çorap; swimwear=mayo; swimsuit=mayo; bikini=bikini; jersey=forma; uniform=üniforma forma; leather=deri; costume=kostüm
shoe=ayakkabı; footwear=ayakkabı; sneaker=spor ayakkabı; trainer=spor ayakkabı; running shoe=koşu ayakkabısı; boot=bot çizme; rain boot=yağmur botu; sandal=sandalet; slipper=terlik; flip flop=terlik; heel=topuklu ayakkabı; loafer=loafer; cleat=krampon; insole=tabanlık; shoelace=ayakkabı bağcığı
bag=çanta; handbag=el çantası; shoulder bag=omuz çantası; backpack=sırt çantası; rucksack=sırt çantası; tote=bez çanta; purse=cüzdan çanta; wallet=cüzdan; card holder=kartlık; suitcase=valiz bavul; luggage=valiz bavul; briefcase=evrak çantası; belt=kemer; hat=şapka; cap=şapka kep; beanie=bere; scarf=atkı şal eşarp; scarves=atkı şal eşarp; shawl=şal; glove=eldiven; mitten=eldiven; tie=kravat; bow tie=papyon; umbrella=şemsiye; sunglasses=güneş gözlüğü; eyeglasses=gözlük; eyewear=gözlük; key chain=anahtarlık; keychain=anahtarlık; mask=maske; accessory=aksesuar; accessories=aksesuar
jewelry=takı; jewellery=takı; ring=yüzük; necklace=kolye; earring=küpe; bracelet=bileklik; bangle=bilezik; anklet=halhal; brooch=broş; pendant=kolye ucu; charm=charm; chain=zincir; watch=saat kol saati; wristwatch=kol saati; smart watch=akıllı saat; smartwatch=akıllı saat; watch strap=saat kordonu; gold=altın; silver=gümüş; diamond=pırlanta elmas; pearl=inci
home=ev; house=ev; household=ev; furniture=mobilya; living room=salon oturma odası; bedroom=yatak odası; dining room=yemek odası; kitchen=mutfak; bathroom=banyo; bath=banyo; office=ofis; garden=bahçe; outdoor=dış mekan outdoor; patio=bahçe; balcony=balkon; hallway=antre; entryway=antre; kids room=çocuk odası; nursery=bebek odası; laundry=çamaşır
table=masa; dining table=yemek masası; coffee table=orta sehpa; side table=yan sehpa; end table=yan sehpa; bedside table=komodin; nightstand=komodin; dressing table=makyaj masası; desk=çalışma masası; chair=sandalye; dining chair=yemek sandalyesi; armchair=berjer koltuk; office chair=ofis koltuğu; desk chair=ofis koltuğu; high chair=mama sandalyesi; bar stool=bar taburesi; stool=tabure; bench=bank puf; ottoman=puf; pouf=puf; sofa=koltuk kanepe; couch=koltuk kanepe; sofa bed=çekyat yataklı koltuk; recliner=koltuk; bed=yatak karyola; bed frame=karyola baza; bunk bed=ranza; crib=bebek karyolası beşik; cot=bebek karyolası beşik; mattress=yatak; headboard=başlık; wardrobe=gardırop; closet=gardırop; dresser=şifonyer; chest of drawers=şifonyer; drawer=çekmece; cabinet=dolap; cupboard=dolap; sideboard=konsol; console=konsol; display cabinet=vitrin; shelf=raf; shelves=raf; shelving=raf; bookcase=kitaplık; bookshelf=kitaplık; tv stand=tv ünitesi; tv unit=tv ünitesi; tv bench=tv ünitesi; shoe rack=ayakkabılık; shoe cabinet=ayakkabılık; coat rack=askılık; hanger=askı; hook=askı kanca; screen=ekran paravan; room divider=paravan; changing table=alt değiştirme masası; knob=düğme kulp; handle=kulp; leg=ayak; hinge=menteşe; hammock=hamak; swing=salıncak; sun lounger=şezlong; parasol=şemsiye; gazebo=çardak
decor=dekorasyon; decoration=dekorasyon; mirror=ayna; clock=saat; wall clock=duvar saati; picture frame=çerçeve; photo frame=fotoğraf çerçevesi; frame=çerçeve; painting=tablo; poster=poster; wall art=tablo; vase=vazo; candle=mum; candle holder=mumluk şamdan; ornament=süs biblo; figurine=biblo; statue=heykel biblo; artificial plant=yapay çiçek bitki; plant=bitki; planter=saksı; plant pot=saksı; flower pot=saksı; flower=çiçek; rug=halı; carpet=halı; mat=paspas; doormat=paspas; curtain=perde; drape=perde; blind=stor perde; cushion=kırlent minder; cushion cover=kırlent kılıfı; throw=koltuk şalı battaniye; pillow=yastık; pillowcase=yastık kılıfı; wallpaper=duvar kağıdı; sticker=çıkartma
lamp=lamba; table lamp=masa lambası; floor lamp=lambader; light=lamba aydınlatma; lighting=aydınlatma; pendant light=sarkıt avize; ceiling light=avize tavan; chandelier=avize; wall light=aplik; bulb=ampul; light bulb=ampul; lantern=fener; flashlight=el feneri; torch=el feneri; string lights=ışık zinciri; led strip=şerit led; spotlight=spot
bedding=nevresim yatak; linen=nevresim çarşaf; linens=nevresim çarşaf; bed linen=nevresim; duvet=yorgan; comforter=yorgan; quilt=yorgan; duvet cover=nevresim; bedspread=yatak örtüsü; sheet=çarşaf; bed sheet=çarşaf; fitted sheet=lastikli çarşaf; blanket=battaniye; towel=havlu; bath mat=banyo paspası; shower curtain=duş perdesi; tablecloth=masa örtüsü; napkin=peçete; placemat=amerikan servis; apron=mutfak önlüğü; fabric=kumaş
cookware=tencere tava; pan=tava; frying pan=tava; pot=tencere; saucepan=sos tenceresi; wok=wok tava; casserole=güveç tencere; pressure cooker=düdüklü tencere; teapot=çaydanlık demlik; kettle=su ısıtıcı; bakeware=fırın kabı; baking tray=fırın tepsisi; cake pan=kek kalıbı; mold=kalıp; mould=kalıp; tray=tepsi; plate=tabak; bowl=kase; dinnerware=yemek takımı; dinner set=yemek takımı; tableware=sofra; cup=bardak fincan; coffee cup=kahve fincanı; tea cup=çay fincanı; mug=kupa; glass=bardak cam; glasses=gözlük bardak; drinkware=bardak; wine glass=kadeh; goblet=kadeh; jug=sürahi; pitcher=sürahi; carafe=sürahi; bottle=şişe; water bottle=matara suluk; flask=termos; thermos=termos; lunch box=beslenme kutusu saklama kabı; food container=saklama kabı; storage container=saklama kabı; jar=kavanoz; canister=kavanoz; spice rack=baharatlık; cutlery=çatal kaşık bıçak; flatware=çatal kaşık bıçak; fork=çatal; spoon=kaşık; knife=bıçak; knives=bıçak; chopping board=kesme tahtası; cutting board=kesme tahtası; grater=rende; peeler=soyacak; whisk=çırpıcı; spatula=spatula; ladle=kepçe; turner=spatula; tongs=maşa; strainer=süzgeç; colander=süzgeç; sieve=elek süzgeç; rolling pin=merdane oklava; can opener=konserve açacağı; corkscrew=tirbuşon; garlic press=sarımsak ezici; kitchen scale=mutfak tartısı; measuring cup=ölçü kabı; ice cube tray=buz kalıbı; squeezer=sıkacak; mortar=havan; dish rack=bulaşıklık; trash can=çöp kovası; bin=kova; waste bin=çöp kovası; storage=saklama düzenleme; organizer=düzenleyici; basket=sepet; box=kutu; laundry basket=çamaşır sepeti; ironing board=ütü masası; clothes dryer=çamaşır kurutmalık
appliance=ev aleti; refrigerator=buzdolabı; fridge=buzdolabı; freezer=derin dondurucu; washing machine=çamaşır makinesi; washer=çamaşır makinesi; dryer=kurutma makinesi; dishwasher=bulaşık makinesi; oven=fırın; microwave=mikrodalga; stove=ocak; cooktop=ocak; hob=ocak; hood=davlumbaz; air conditioner=klima; heater=ısıtıcı; fan=vantilatör; vacuum cleaner=elektrikli süpürge; vacuum=süpürge; robot vacuum=robot süpürge; iron=ütü; blender=blender; mixer=mikser; food processor=mutfak robotu; toaster=ekmek kızartma tost makinesi; coffee maker=kahve makinesi; coffee machine=kahve makinesi; juicer=meyve sıkacağı; air fryer=fritöz airfryer; fryer=fritöz; sewing machine=dikiş makinesi; water heater=termosifon; humidifier=nemlendirici; air purifier=hava temizleyici
electronics=elektronik; phone=telefon; mobile=cep telefonu; mobile phone=cep telefonu; cell phone=cep telefonu; smartphone=cep telefonu akıllı telefon; phone case=telefon kılıfı; case=kılıf; screen protector=ekran koruyucu; charger=şarj; power bank=taşınabilir şarj powerbank; cable=kablo; adapter=adaptör; tablet=tablet; laptop=dizüstü bilgisayar laptop; notebook=dizüstü bilgisayar defter; computer=bilgisayar; desktop=masaüstü; monitor=monitör; keyboard=klavye; mouse=fare mouse; printer=yazıcı; scanner=tarayıcı; router=modem router; modem=modem; hard drive=harddisk disk; ssd=ssd; memory card=hafıza kartı; usb drive=usb bellek; webcam=webcam; tv=televizyon tv; television=televizyon; remote control=kumanda; projector=projeksiyon; speaker=hoparlör; soundbar=soundbar; headphone=kulaklık; headset=kulaklık; earphone=kulak içi kulaklık; earbud=kulak içi kulaklık; microphone=mikrofon; camera=kamera fotoğraf makinesi; security camera=güvenlik kamerası; lens=lens objektif; tripod=tripod; selfie stick=selfie çubuğu; drone=drone; game console=oyun konsolu; video game=oyun; controller=oyun kolu; battery=pil batarya; battery pack=powerbank taşınabilir şarj; plug=priz fiş; socket=priz; extension cord=uzatma kablosu
beauty=kozmetik güzellik; cosmetics=kozmetik; makeup=makyaj; mascara=maskara; lipstick=ruj; lip gloss=dudak parlatıcı; lip balm=dudak bakım; eyeliner=eyeliner; eyeshadow=göz farı; eyebrow=kaş; foundation=fondöten; powder=pudra toz; blush=allık; concealer=kapatıcı; nail polish=oje; nail=tırnak; brush=fırça; makeup brush=makyaj fırçası; skin care=cilt bakım; skincare=cilt bakım; cream=krem; face cream=yüz kremi; moisturizer=nemlendirici krem; lotion=losyon; serum=serum; cleanser=temizleme jeli; toner=tonik; sunscreen=güneş kremi; face mask=yüz maskesi; hand cream=el kremi; body lotion=vücut losyonu; hair=saç; hair care=saç bakım; shampoo=şampuan; conditioner=saç kremi; hair dye=saç boyası; hair dryer=saç kurutma; straightener=düzleştirici; comb=tarak; hairbrush=saç fırçası; hair clip=toka; perfume=parfüm; fragrance=parfüm; eau de parfum=parfüm; eau de toilette=parfüm; cologne=kolonya parfüm; deodorant=deodorant; soap=sabun; shower gel=duş jeli; body wash=duş jeli; bath bomb=banyo; sponge=sünger lif; toothbrush=diş fırçası; toothpaste=diş macunu; mouthwash=ağız bakım suyu; razor=tıraş bıçağı; shaver=tıraş makinesi; shaving=tıraş; beard=sakal; tissue=mendil; toilet paper=tuvalet kağıdı; paper towel=kağıt havlu; wipe=ıslak mendil; pad=ped; tampon=tampon
health=sağlık; vitamin=vitamin; supplement=takviye; protein powder=protein tozu; medicine=ilaç; thermometer=termometre; massage=masaj; bandage=bandaj; first aid=ilk yardım
stroller=bebek arabası; pushchair=bebek arabası; car seat=oto koltuğu; diaper=bebek bezi; nappy=bebek bezi; feeding bottle=biberon; pacifier=emzik; bib=mama önlüğü; baby food=bebek maması; baby carrier=kanguru; playpen=oyun parkı; walker=yürüteç
toy=oyuncak; doll=bebek oyuncak; teddy bear=peluş ayı; plush=peluş; puzzle=yapboz puzzle; board game=kutu oyunu; card game=kart oyunu; building block=blok lego; action figure=figür; toy car=oyuncak araba; ball=top; balloon=balon; party=parti; gift=hediye; game=oyun
sport=spor; sports=spor; fitness=fitness; yoga mat=yoga matı; dumbbell=dambıl; treadmill=koşu bandı; bicycle=bisiklet; bike=bisiklet; mountain bike=dağ bisikleti; road bike=yol bisikleti; cycling=bisiklet; helmet=kask; saddle=sele; pedal=pedal; wheel=tekerlek jant; tire=lastik; tyre=lastik; tube=iç lastik; handlebar=gidon; brake=fren; derailleur=vites; crankset=aynakol; pump=pompa; bottle cage=matara kafesi; lock=kilit; fender=çamurluk; bike rack=bisiklet taşıyıcı; football=futbol topu; soccer=futbol; soccer ball=futbol topu; american football=amerikan futbolu; basketball=basketbol topu; basketball hoop=basketbol potası; volleyball=voleybol topu; tennis=tenis; tennis ball=tenis topu; racket=raket; racquet=raket; bat=sopa; baseball=beyzbol; baseball glove=beyzbol eldiveni; cricket=kriket; golf=golf; boxing=boks; swimming=yüzme; goggles=gözlük; skate=paten; skateboard=kaykay; scooter=scooter; ski=kayak; surf=sörf; fishing=balıkçılık olta; hunting=av; camping=kamp; tent=çadır; sleeping bag=uyku tulumu; hiking=trekking; climbing=tırmanış
car=oto araba otomobil; auto=oto; automotive=otomotiv oto; vehicle=araç; sedan=otomobil; suv=otomobil; truck=kamyon; motorcycle=motosiklet; motorbike=motosiklet; engine oil=motor yağı; windshield=cam; wiper=silecek; seat cover=koltuk kılıfı; floor mat=paspas; tool=alet; hand tool=el aleti; power tool=elektrikli alet; drill=matkap; saw=testere; hammer=çekiç; screwdriver=tornavida; wrench=anahtar; pliers=pense; tape measure=metre; ladder=merdiven; paint=boya; screw=vida; nut=somun; bolt=cıvata; washer ring=pul; hardware=hırdavat; glue=yapıştırıcı; tape=bant; rope=halat ip; wire=tel kablo; hose=hortum; faucet=musluk batarya; tap=musluk; sink=lavabo evye; toilet=klozet tuvalet; shower=duş; bathtub=küvet; lawn mower=çim biçme; barbecue=mangal barbekü; grill=mangal ızgara; seed=tohum; soil=toprak; fertilizer=gübre
food=gıda; grocery=süpermarket gıda; groceries=süpermarket gıda; fruit=meyve; apple=meyve elma; banana=meyve; orange=meyve; lemon=limon meyve; strawberry=çilek meyve; berry=meyve; vegetable=sebze; potato=patates sebze; onion=soğan sebze; tomato=domates sebze; cucumber=salatalık sebze; pepper=biber; carrot=sebze; meat=et; beef=dana eti; steak=dana eti; lamb=kuzu eti; chicken=tavuk eti; turkey=hindi eti; fish=balık; seafood=deniz ürünleri; egg=yumurta; milk=süt; cheese=peynir; butter=tereyağı; yogurt=yoğurt; ice cream=dondurma; bread=ekmek; pasta=makarna; rice=pirinç; flour=un; sugar=şeker; salt=tuz; honey=bal; jam=reçel; oil=yağ; olive oil=zeytinyağı; vinegar=sirke; spice=baharat; sauce=sos; soup=çorba; cereal=mısır gevreği; snack=atıştırmalık; chocolate=çikolata; candy=şekerleme; biscuit=bisküvi; cookie=kurabiye; cake=kek pasta; chips=cips; beverage=içecek; drink=içecek; soft drink=gazlı içecek kola; water=su; juice=meyve suyu; coffee=kahve; instant coffee=hazır kahve; tea=çay; wine=şarap; beer=bira; protein=protein
pet=evcil hayvan; cat=kedi; dog=köpek; bird=kuş; aquarium=akvaryum; cat food=kedi maması; dog food=köpek maması; leash=tasma; collar=tasma; cat litter=kedi kumu
cleaning=temizlik; detergent=deterjan; cleaner=temizleyici; mop=mop paspas; broom=süpürge; trash bag=çöp torbası; bleach=çamaşır suyu; softener=yumuşatıcı
book=kitap; novel=roman kitap; magazine=dergi; stationery=kırtasiye; pen=kalem; pencil=kurşun kalem; marker=keçeli kalem; paper=kağıt; envelope=zarf; folder=klasör dosya; binder=klasör; calculator=hesap makinesi; scissors=makas; stapler=zımba; diary=ajanda; planner=ajanda; school=okul; music=müzik; guitar=gitar; piano=piyano; art=sanat
`;

/** Words by which an English text is known, and which name no thing. */
const OTHER_WORDS = `
all and arrival arrivals best bundle by collection deal deals featured for from in misc more new of on other our sale
seller sellers set sets shop small the to top under with your
`;

/** Compound words have at most this many words. */
const MAX_COMPOUND = 3;

interface ShopWords {
  /** Whether a folded word is an English one of the table. */
  isKnown(word: string): boolean;
  /**
   * The Turkish words of folded ones, for each word or compound; those without a translation are
   * left out.
   */
  translate(words: readonly string[]): readonly string[];
}

/** Reads the table. */
export function createShopWords(): ShopWords {
  const table = new Map<string, string>();
  const bySound = new Map<string, string>();
  for (const entry of WORDS.split(/[;\n]/u)) {
    const [english = "", turkish = ""] = entry.split("=");
    if (turkish === "") continue;
    const words = fold(english).split(" ");
    const key = toKey(words);
    // A plural may have a meaning of its own, as glasses have.
    table.set(words.join(""), turkish);
    if (!table.has(key)) table.set(key, turkish);
    if (key.length >= MIN_SOUND) bySound.set(toSound(key), turkish);
  }
  const others = new Set(OTHER_WORDS.trim().split(/\s+/u));
  const misspelt = new Map<string, string | undefined>();
  /** What a word means that sounds like one of the table. */
  const readMisspelt = (word: string): string | undefined => {
    if (word.length < MIN_SOUND || others.has(word)) return undefined;
    if (!misspelt.has(word)) misspelt.set(word, findSound(toSound(toKey([word])), bySound));
    return misspelt.get(word);
  };
  return {
    isKnown: (word) => others.has(word) || table.has(toKey([word])),
    translate(words) {
      const found: string[] = [];
      for (let at = 0; at < words.length; at += 1) {
        for (let length = Math.min(MAX_COMPOUND, words.length - at); length > 0; length -= 1) {
          const own = words.slice(at, at + length);
          const known = table.get(own.join("")) ?? table.get(toKey(own));
          const turkish = known ?? (length === 1 ? readMisspelt(own[0] ?? "") : undefined);
          if (turkish === undefined) continue;
          found.push(turkish);
          at += length - 1;
          break;
        }
      }
      return found;
    },
  };
}

/** Shorter words with a typing error may be any. */
const MIN_SOUND = 6;
const MIN_SOUND_FOR_SLIP = 8;

/** Letters that are taken for one another: double ones, and those of the same sound. */
const toSound = (word: string): string =>
  word
    .replaceAll(/c(?=[eiy])/gu, "s")
    .replaceAll(/ph/gu, "f")
    .replaceAll(/c(?!h)|q/gu, "k")
    .replaceAll("z", "s")
    .replaceAll(/(.)\1+/gu, "$1");

function findSound(sound: string, bySound: ReadonlyMap<string, string>): string | undefined {
  const same = bySound.get(sound);
  if (same !== undefined) return same;
  for (const [other, turkish] of bySound) {
    const longer = Math.max(other.length, sound.length);
    if (longer < MIN_SOUND_FOR_SLIP || other[0] !== sound[0]) continue;
    if (Math.abs(other.length - sound.length) <= 1 && distance(other, sound) === 1) return turkish;
  }
  return undefined;
}

/** Compounds are written with and without a blank. */
const toKey = (words: readonly string[]): string =>
  words.map((word, at) => (at === words.length - 1 ? toSingular(word) : word)).join("");

/** The singular of an English word; the same for the word of the table and the one of a text. */
function toSingular(word: string): string {
  if (word.length < 4 || word.endsWith("ss")) return word;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (/(?:sh|ch|x|ss|zz|to)es$/u.test(word)) return word.slice(0, -2);
  return word.endsWith("s") ? word.slice(0, -1) : word;
}
