"""Words that make a phrase one sort or another, kinds of things, and wordings that name a technology.

`@` stands for the attribute of the kind of the value, `@version` for the version of what is named. The form of a line is
explained in `attributes.records`.
"""

from __future__ import annotations

ORGANISATIONS = (
    "company startup start-up firm agency bank hospital clinic school university ministry government museum ngo "
    "bakery studio restaurant hotel library charity foundation institute laboratory lab consultancy factory "
    "brewery theatre theater newspaper airline supermarket bookshop shop council city municipality court embassy "
    "police army navy post railway broadcaster publisher cooperative co-op nonprofit nursery garage pharmacy office "
    "workshop airport café cafe bar warehouse farm salon store depot kindergarten dealership winery orchestra printer's"
)
OCCUPATION_ENDINGS = (
    "er",
    "or",
    "ist",
    "ian",
    "eer",
    "man",
    "woman",
    "ant",
    "ee",
    "eur",
    "yst",
    "wright",
    "smith",
    "ier",
    "iatrist",
    "logist",
    "grapher",
    "person",
)
OCCUPATIONS = (
    "nurse chef cook judge clerk coach pilot guide surgeon architect student intern cto ceo cfo coo vp lead head "
    "president secretary vet dentist paramedic midwife sculptor poet priest nun monk rabbi imam pastor actress "
    "waitress chemist physicist economist mathematician diplomat freelancer researcher postdoc phd professor "
    "lawyer attorney consultant analyst scientist sre devops dba qa pm po scrum-master founder co-founder "
    "cofounder partner director minister mayor senator athlete dj model influencer artisan craftsman fireman "
    "policeman barista bartender au-pair nanny plumber carpenter mason tailor butcher fisherman sailor soldier "
    "officer captain detective spy scribe lecturer trainee apprentice representative executive administrator "
    "undergraduate graduate-student retiree pensioner homemaker housewife boss manager supervisor tutor "
    "entrepreneur physio physiotherapist notary guard accountant teacher photographer translator dispatcher baker "
    "barber beekeeper biologist bookkeeper bricklayer builder buyer caretaker cashier cleaner conductor courier "
    "dancer decorator designer developer driver editor electrician engineer farmer firefighter florist gardener "
    "geologist goldsmith hairdresser historian illustrator interpreter jeweller joiner journalist landscaper "
    "librarian locksmith masseuse mechanic musician optician optometrist painter paralegal pharmacist philosopher "
    "podiatrist potter programmer psychiatrist psychologist publicist radiographer radiologist ranger receptionist "
    "roofer scaffolder seamstress shepherd singer sommelier sonographer stylist surveyor technician therapist "
    "trucker undertaker veterinarian waiter warden welder winemaker writer zookeeper actor anaesthetist "
    "anesthesiologist cardiologist neurologist endocrinologist orthodontist paediatrician pediatrician oncologist "
    "carer caregiver childminder headteacher principal ta coder sysadmin bosun skipper stewardess steward ceramicist "
    "animator composer producer cameraman underwriter actuary auditor broker banker realtor bailiff magistrate "
    "preparatrice lorry-driver bus-driver train-driver taxi-driver"
)
NOT_OCCUPATIONS = (
    "game-changer changer role-model fan lover believer beginner member owner user reader customer number winner "
    "loser player-now newcomer passenger visitor follower supporter killer disaster matter monster computer paper "
    "daughter sister brother mother father partner foreigner outsider stranger loner thinker person human speaker "
    "sleeper riser eater drinker smoker vegetarian bit lot mess wreck victim other another either former latter "
    "order letter filter folder header footer number power answer corner counter paper water weather december "
    "september october november winter summer river error mirror door floor color colour minor major favor favour "
    "factor vector sensor author-of-this giant elephant restaurant important relevant constant instant variant "
    "plant grant aunt want tree free three coffee committee degree fee bee knee talker listener learner commuter "
    "cat-lover dog-lover quitter keeper survivor fighter bother layer buyer seller perfectionist procrastinator "
    "introvert extrovert optimist pessimist tester-of-this minimalist feminist maximalist overthinker christian lodger tenant renter"
)
TEAMS = "team squad group department crew tribe chapter division guild unit"
BODY_PARTS = (
    "wrist arm leg ankle foot toe finger hand nose rib collarbone shoulder knee elbow hip hamstring achilles acl "
    "tendon meniscus jaw thumb back neck shin"
)
MEDICINES = (
    "metformin ibuprofen aspirin paracetamol insulin antidepressants antibiotics antihistamines levothyroxine "
    "statins ritalin adderall sertraline prozac xanax lithium warfarin beta-blockers steroids cortisone omeprazole "
    "pantoprazole vitamin vitamins supplements pill pills medication medicine meds inhaler melatonin magnesium "
    "iron penicillin amoxicillin prednisone gabapentin lisinopril atorvastatin blood-thinners contraceptives "
    "concerta elvanse vyvanse citalopram escitalopram fluoxetine methylphenidate naproxen tablets drops creatine "
    "hrt testosterone estrogen ozempic"
)
# How the names of medicines end, by their kinds.
MEDICINE_ENDINGS = (
    "pril", "sartan", "statin", "olol", "azole", "formin", "cillin", "dipine", "cort", "profen", "tidine", "oxetine",
    "parin", "gliptin", "gliflozin", "mycin", "cycline", "lukast", "zepam", "triptan", "tinib", "thyroxine", "solone",
    "purinol", "floxacin", "pramine", "zosin", "terol", "tadine", "setron", "semide", "lactone", "glutide", "epezil",
)  # fmt: skip
FOODS = (
    "meat pork beef chicken fish seafood dairy milk cheese eggs egg gluten bread sugar wheat nuts alcohol wine "
    "beer caffeine red-meat lamb poultry pasta rice onions garlic mushrooms tomatoes shellfish soy carbs chocolate "
    "sweets junk-food fast-food butter honey animals animal-products ham bacon"
)
DEGREES = (
    "phd doctorate master masters master's bachelor bachelor's degree mba bsc msc ba ma diploma md llb llm minor "
    "major a-levels abitur ged"
)
CERTIFICATES = "certificate certification licence license permit black-belt belt badge"
VENTURES = (
    "trip holiday vacation wedding journey tour party move renovation visit retreat road-trip getaway cruise hike "
    "honeymoon celebration reunion surgery operation flight weekend sabbatical"
)
APPOINTMENTS = (
    "appointment interview surgery checkup check-up exam reservation viewing consultation hearing scan operation mri"
)
RACES = "marathon half-marathon race triathlon 10k 5k ultra"
OBJECTS_NEVER_OWNED = (
    "question idea problem issue point time feeling lot bit few look chance plan meeting call deadline test exam "
    "interview class lesson trip flight doubt concern request suggestion thought answer reason hope fear cold "
    "headache fever cough flu access permission right experience knowledge background interest preference "
    "understanding list table draft version copy file document story essay paper project task job work fun trouble "
    "difficulty difficulties luck faith trust confidence conversation chat discussion argument fight drink "
    "breakfast lunch dinner meal snack coffee tea ticket tickets something anything nothing everything one ones "
    "gift present groceries food milk bread"
)
TASTELESS = (
    "it that this these those them him her you me one ones idea way thing things part option version approach plan "
    "style look sound feel suggestion design result outcome answer job response question direction layout format "
    "tone title name draft paragraph sentence wording structure summary list table first second third last former "
    "latter point feature concept theme topic everything anything something nothing what how when where more most "
    "all none fact effort work help advice support attention detail energy vibe format"
)
TIMEZONE_CODES = (
    "cet cest gmt utc bst est edt cst cdt mst mdt pst pdt ist jst kst aest acst awst nzst eet eest wet sgt hkt msk "
    "brt art"
)
TIMEZONE_WORDS = "pacific eastern central mountain european atlantic"
STREET_WORDS = (
    "street st road rd lane ln avenue ave square drive boulevard blvd court place terrace way straße strasse weg "
    "platz gasse rue via calle rua plaza allee quai laan straat"
)
CURRENCIES = (
    "euro euros dollar dollars pound pounds franc francs eur usd gbp chf € $ £ k yen rupees kronor kroner zloty"
)
# What is studied.
SUBJECTS = (
    "accounting agronomy anthropology archaeology architecture art astronomy biochemistry biology botany business "
    "chemistry classics commerce communications communication-design criminology dentistry design drama economics "
    "education electronics engineering english-literature fashion film finance forestry french geography geology "
    "german graphic-design history industrial-design informatics international-relations journalism law linguistics "
    "literature management marketing mathematics maths mechanical-engineering civil-engineering "
    "electrical-engineering computer-science data-science medicine meteorology microbiology midwifery music "
    "neuroscience nursing nutrition philosophy physics physiotherapy politics political-science psychology "
    "public-health radiography social-work sociology software-engineering sonography statistics theatre theology "
    "veterinary-medicine zoology"
)


# The last words of a phrase: "oat flat white" is a drink.
DRINKS = (
    "coffee, espresso, cappuccino, latte, macchiato, flat white, cortado, cold brew, americano, mocha, ristretto, "
    "lungo, filter coffee, iced coffee, tea, matcha, chai, chai latte, green tea, black tea, herbal tea, rooibos, "
    "earl grey, kombucha, hot chocolate, cocoa, mate, yerba mate, lemonade, orange juice, smoothie, sparkling "
    "water, coke, diet coke, decaf, drip coffee, pour-over, nitro, affogato, red eye, long black, gibraltar, "
    "galão, café au lait, pour over, oolong, jasmine tea, peppermint tea, ginger tea, white coffee, v60, aeropress "
    "coffee, iced tea, bubble tea, turmeric latte, golden milk, club mate, tonic water"
)
DIETS = (
    "vegan, vegetarian, pescatarian, flexitarian, keto, ketogenic, paleo, gluten-free, gluten free, dairy-free, "
    "lactose-free, low-carb, low carb, halal, kosher, raw vegan, plant-based, mediterranean, omnivore, carnivore, "
    "sugar-free, low-fodmap, fodmap, whole30, omnivorous, fruitarian, lacto-vegetarian, atkins, macrobiotic, "
    "low-fat, low-sodium, low-sugar, intermittent fasting, dash, raw food, nut-free, meat-free, high-protein, "
    "whole-food, alkaline, zero-carb"
)
SPORTS = (
    "tennis, football, soccer, basketball, volleyball, badminton, squash, golf, hockey, ice hockey, cricket, "
    "rugby, swimming, running, cycling, climbing, bouldering, skiing, snowboarding, surfing, sailing, rowing, "
    "yoga, pilates, judo, karate, boxing, fencing, table tennis, handball, baseball, padel, jogging, crossfit, "
    "triathlon, skating, skateboarding, kayaking, hiking, horse riding, riding, archery, gymnastics, kickboxing, "
    "taekwondo, jiu-jitsu, bjj, weightlifting, powerlifting, lifting, diving, scuba diving, floorball, "
    "orienteering, ultimate frisbee, pickleball, spinning, aikido, paddling, canoeing, mountain biking, trail "
    "running, kitesurfing, windsurfing, parkour, wrestling, water polo, netball, darts, bowling, curling, lacrosse"
)
INSTRUMENTS = (
    "guitar, piano, violin, cello, drums, bass, flute, clarinet, saxophone, trumpet, ukulele, harp, viola, organ, "
    "accordion, banjo, mandolin, trombone, oboe, keyboard, harmonica, double bass, bagpipes, recorder, french "
    "horn, sitar, tuba, bassoon, percussion, electric guitar, bass guitar, synth, synthesizer, lute, fiddle"
)
HOBBIES = (
    "chess, board games, video games, poker, bridge, photography, pottery, knitting, gardening, painting, "
    "woodworking, cooking, baking, reading, birdwatching, origami, calligraphy, crochet, sewing, drawing, "
    "astronomy, geocaching, model trains, scrabble, sudoku, dancing, salsa, singing, blogging, fishing, camping, "
    "beekeeping, homebrewing, sketching, embroidery, stargazing, bird watching, juggling, magic tricks, stamp "
    "collecting, lego, dungeons & dragons, d&d, warhammer, genealogy, foraging, tango, ballet, improv, puzzles, "
    "quilting, leathercraft, candle making"
)
LANGUAGES = (
    "english, german, french, spanish, italian, portuguese, dutch, polish, russian, ukrainian, czech, slovak, "
    "hungarian, romanian, bulgarian, greek, turkish, arabic, hebrew, persian, farsi, hindi, urdu, bengali, "
    "punjabi, tamil, telugu, kannada, malayalam, marathi, gujarati, nepali, sinhala, thai, vietnamese, khmer, lao, "
    "burmese, malay, indonesian, tagalog, filipino, mandarin, cantonese, chinese, japanese, korean, mongolian, "
    "swahili, yoruba, igbo, hausa, amharic, zulu, xhosa, afrikaans, swedish, norwegian, danish, finnish, "
    "icelandic, estonian, latvian, lithuanian, croatian, serbian, bosnian, slovenian, macedonian, albanian, "
    "georgian, armenian, azerbaijani, kazakh, uzbek, catalan, basque, galician, welsh, irish, scottish gaelic, "
    "breton, luxembourgish, maltese, latin, esperanto, sign language, asl, bsl, kurdish, pashto, somali, tigrinya, "
    "haitian creole, quechua, guarani, hawaiian, maori, swiss german, frisian, yiddish, wolof, sanskrit, bahasa, "
    "brazilian portuguese, flemish"
)
PEOPLES = (
    "american, british, english, scottish, welsh, irish, canadian, australian, german, austrian, swiss, french, "
    "spanish, italian, portuguese, dutch, belgian, danish, swedish, norwegian, finnish, icelandic, polish, czech, "
    "slovak, hungarian, romanian, bulgarian, greek, turkish, russian, ukrainian, belarusian, estonian, latvian, "
    "lithuanian, croatian, serbian, bosnian, slovenian, albanian, indian, pakistani, bangladeshi, nepali, chinese, "
    "taiwanese, japanese, korean, south korean, vietnamese, thai, indonesian, malaysian, singaporean, filipino, "
    "brazilian, argentinian, argentine, chilean, peruvian, colombian, mexican, venezuelan, cuban, egyptian, "
    "moroccan, tunisian, algerian, nigerian, ghanaian, kenyan, ethiopian, south african, senegalese, israeli, "
    "palestinian, lebanese, syrian, iraqi, iranian, saudi, jordanian, georgian, armenian, kazakh, cypriot, "
    "maltese, luxembourgish, new zealander, kiwi, ecuadorian, bolivian, uruguayan, jamaican, sri lankan, ugandan, "
    "tanzanian, rwandan, mongolian, afghan, uzbek, macedonian, moldovan, catalan"
)
RELIGIONS = (
    "catholic, protestant, lutheran, orthodox, christian, muslim, jewish, hindu, buddhist, sikh, atheist, "
    "agnostic, mormon, quaker, anglican, methodist, baptist, taoist, jain, baha'i, evangelical, presbyterian, "
    "shinto, pagan"
)
ILLNESSES = (
    "asthma, diabetes, migraine, migraines, epilepsy, arthritis, adhd, autism, depression, anxiety, insomnia, "
    "anemia, anaemia, hypertension, high blood pressure, low blood pressure, celiac disease, coeliac disease, "
    "crohn's disease, ulcerative colitis, eczema, psoriasis, hay fever, tinnitus, scoliosis, osteoporosis, "
    "endometriosis, pcos, hypothyroidism, hyperthyroidism, bipolar disorder, ptsd, ocd, dyslexia, fibromyalgia, "
    "lupus, multiple sclerosis, parkinson's, alzheimer's, dementia, cancer, long covid, covid, sleep apnea, sleep "
    "apnoea, gout, glaucoma, cataracts, chronic fatigue, chronic back pain, back pain, vertigo, ibs, reflux, acid "
    "reflux, gerd, kidney stones, heart disease, arrhythmia, high cholesterol, colour blindness, tendonitis, "
    "sciatica, a herniated disc, herniated disc, rosacea, vitiligo, hepatitis, carpal tunnel, plantar fasciitis, "
    "narcolepsy, dyscalculia, hemophilia, cystic fibrosis, sickle cell, type 1 diabetes, type 2 diabetes, "
    "gestational diabetes, social anxiety, panic attacks, knee problems, heart condition, pacemaker, disorder, "
    "syndrome, disease"
)
PET_ANIMALS = (
    "dog, cat, puppy, kitten, parrot, hamster, rabbit, goldfish, horse, pony, tortoise, turtle, guinea pig, "
    "ferret, budgie, canary, snake, lizard, gecko, rat, mouse, fish, chicken, hen, duck, goat, labrador, poodle, "
    "beagle, dachshund, corgi, husky, retriever, golden retriever, terrier, bulldog, german shepherd, border "
    "collie, spaniel, greyhound, pug, chihuahua, tabby, siamese cat, bunny, axolotl, chinchilla, hedgehog, iguana, "
    "cockatiel, tarantula, alpaca, donkey, sheep, bearded dragon, parakeet, maine coon, collie, schnauzer, "
    "whippet, rottweiler, doberman, cockatoo, hermit crab, lovebird, cockapoo, labradoodle, rescue"
)
ALLERGENS = (
    "peanut, peanuts, nut, nuts, tree nuts, shellfish, shrimp, fish, soy, egg, eggs, milk, dairy, lactose, gluten, "
    "wheat, sesame, pollen, grass pollen, birch pollen, dust, dust mites, cat hair, cats, dogs, bee stings, bees, "
    "wasps, penicillin, latex, nickel, mould, mold, ibuprofen, aspirin, strawberries, kiwi, celery, mustard, "
    "sulfites, fructose, histamine, walnuts, hazelnuts, almonds, cashews, pistachios, amoxicillin, codeine, lupin, "
    "tomatoes, apples"
)
MARITAL = (
    "single, married, divorced, widowed, engaged, separated, in a relationship, in a long-distance relationship, "
    "newlywed"
)

KINDS = {
    "usual_drink": DRINKS,
    "diet": DIETS,
    "sports": SPORTS,
    "instruments": INSTRUMENTS,
    "hobbies": HOBBIES,
    "health": ILLNESSES,
    "pets": PET_ANIMALS,
}


KIND_FRAMES = {
    "@version": """
        ANY bump|upgrade|update|move|pin|downgrade|raise|take THING:tech from OLD:number to VALUE:number
        ANY bump|upgrade|update|pin|downgrade|raise THING:tech to|at VALUE:number
        THING:tech !bump|!upgrade|!update|!pin|!downgrade from OLD:number to|at VALUE:number
        THING:tech !bump|!upgrade|!update|!pin|!downgrade to|at VALUE:number
    """,
    "@": """
        ANY use|run|adopt|choose|pick|have|pin|employ|like|embrace|introduce|select|standardise|standardize|need|require VALUE:tech ?for|in|behind|on|with|as|at|inside THING
        ANY stick|stay|go|settle|standardise|standardize|rely|depend|be|run|live|sit|operate with|on|for|in VALUE:tech
        ANY switch|move|migrate|change|upgrade|convert|go|transition|port|bump|update|transfer ?THING from|off OLD:tech to|onto VALUE:tech
        ANY switch|move|migrate|change|upgrade|convert|go|transition|port|bump|update ?THING to|onto|over VALUE:tech
        ANY move|migrate ?THING off|from|away VALUE:tech > ended
        ANY swap|replace|exchange|trade|substitute|ditch|drop|abandon|retire|leave OLD:tech for|with|by|favour|against VALUE:tech
        ANY drop|ditch|abandon|retire|leave|replace|switch OLD:tech in VALUE:favour
        OLD:tech !replace|!swap|!exchange|!substitute by|with|for VALUE:tech
        VALUE:tech replace|supersede OLD:tech
        ANY stop|drop|ditch|abandon|quit|remove|retire|kill|deprecate|scrap|sunset|uninstall|phase|leave VALUE:tech ?in|from|for THING > ended
        VALUE:tech !drop|!remove|!retire|!kill|!deprecate|!scrap|!abandon|!replace|!phase|!sunset > ended
        THING !write|!build|!make|!power|!run|!base|!implement|!pin with|in|on|by|to|around|using|from VALUE:tech
        VALUE:tech power|drive|run|serve|back THING
        VALUE:tech be =database|cache|stack|choice|tool
        VALUE:tech be & is out|are out|is gone|is history|is dead > ended
        VALUE:tech !switch|!turn|!shut & off|down > ended
        VALUE:tech be & is in$|is here$ > soft
        THING be|become VALUE:techname
        ANY rewrite|rebuild|redo|redesign|reimplement THING from OLD:tech to|in|with|on VALUE:tech
        ANY put|place VALUE:tech in =front of THING
        ANY rip|throw|kick|take|pull|tear VALUE:tech ?of|from THING +out > ended
        ANY put|place|plug|drop VALUE:tech & in$|in place$|instead$
        ANY upgrade|bump|update|pin THING to|at|on VALUE:tech
        ANY rely|depend on|upon VALUE:tech
        ANY write|work|code|develop|edit in|with VALUE:tech
    """,
}
