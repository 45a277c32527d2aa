"""Words that make a phrase one sort or another: organisations, occupations, teams, body parts, what can be owned."""

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
WEEK_DAYS = "monday tuesday wednesday thursday friday saturday sunday"
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
