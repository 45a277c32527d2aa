"""Kinds of things that have English names: drinks, diets, sports, tongues, peoples, illnesses, pets, colours."""

from __future__ import annotations

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
