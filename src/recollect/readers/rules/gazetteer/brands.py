"""Makers and model names: the first words of a thing's name that tell what it is, and last words that do the same."""

from __future__ import annotations

# A name beginning with one of these, with more after it or alone, is of that kind.
FIRST_WORDS = {
    "vehicle": (
        "toyota, volkswagen, vw, renault, peugeot, citroën, citroen, fiat, skoda, škoda, seat leon, seat ibiza, "
        "ford, opel, vauxhall, volvo, kia, hyundai, honda, nissan, mazda, subaru, suzuki swift, mitsubishi, bmw, "
        "audi, mercedes, mercedes-benz, porsche, tesla, polestar, dacia, mini cooper, jaguar, land rover, range "
        "rover, lexus, chevrolet, chevy, dodge, jeep, chrysler, cadillac, buick, gmc, lincoln navigator, alfa "
        "romeo, lancia, maserati, ferrari, saab, byd, nio, cupra, smart fortwo, rivian, lucid air, ducati, yamaha "
        "mt, kawasaki, harley-davidson, harley, triumph bonneville, vespa, golf gti, model 3, model y, model s, "
        "model x, prius, corolla, yaris, civic, fiesta, passat, golf, polo, corsa, astra, clio, zoe, twingo, "
        "octavia, fabia, superb, panda, punto, picanto, leaf, qashqai, micra, ioniq, kona, i10, i20, i30, jimny, "
        "berlingo, kangoo, duster, sandero, sprinter, transit, f-150, silverado, wrangler, outback, forester, "
        "impreza, cx-5, cx-30, mx-5, miata, rav4, camry, hilux, land cruiser, tiguan, touran, caddy, transporter, "
        "id.3, id.4, id.7, e-golf, aygo, auris, niro, rio, ceed, sportage, sorento, ev6, cybertruck, fiat 500, "
        "mg4, mg zs, cayenne, jetta, beetle, accord, cr-v"
    ),
    "phone": (
        "iphone, pixel, galaxy s, galaxy a, galaxy z, galaxy note, samsung galaxy, fairphone, xperia, nothing "
        "phone, oneplus, huawei p, huawei mate, motorola, moto g, moto e, nokia 3310, redmi, xiaomi, poco, realme, "
        "oppo, vivo x, honor magic, honor 90, zenfone, rog phone, lg g, blackberry, light phone, punkt, murena, "
        "cmf phone, asus zenfone, sony xperia, google pixel, htc, galaxy s2, galaxy"
    ),
    "laptop": (
        "macbook, thinkpad, dell xps, xps 13, xps 15, framework laptop, framework 13, framework 16, surface "
        "laptop, surface pro, zenbook, vivobook, ideapad, yoga slim, hp spectre, hp envy, elitebook, latitude, "
        "precision 5, inspiron, chromebook, mac mini, mac studio, imac, mac pro, legion, rog zephyrus, razer "
        "blade, lg gram, swift 3, aspire, tuxedo, system76, matebook, steam deck dock, alienware, lemur pro, "
        "galaxy book, pinebook, yoga 7"
    ),
    "tablet": (
        "ipad, galaxy tab, kindle, kobo, remarkable, boox, surface go, fire hd, tolino, pocketbook era, supernote, "
        "lenovo tab"
    ),
    "watch": (
        "apple watch, garmin, fitbit, pixel watch, galaxy watch, withings, amazfit, suunto, coros, oura, whoop, "
        "casio, seiko, pebble, forerunner, fenix, polar vantage, huawei watch, mi band, omega seamaster, rolex"
    ),
    "camera": (
        "fujifilm, canon eos, nikon, sony a7, sony a6, leica, olympus om, lumix, pentax, hasselblad, gopro, ricoh "
        "gr, sony alpha, rx100, polaroid, instax"
    ),
    "headphones": (
        "airpods, sony wh, wh-1000xm, bose quietcomfort, bose qc, sennheiser, jabra, galaxy buds, pixel buds, "
        "beyerdynamic, audio-technica, airpods pro, nothing ear, soundcore, beats studio, shure se, marshall "
        "major, hd 600, momentum 4"
    ),
    "keyboard": (
        "keychron, hhkb, kinesis, ergodox, moonlander, nuphy, das keyboard, ducky, varmilo, leopold, mx keys, "
        "magic keyboard, zsa, corne, filco, logitech mx, glove80, anne pro, gmmk"
    ),
    "console": (
        "playstation, ps4, ps5, xbox, nintendo, switch oled, switch 2, steam deck, wii, gamecube, game boy, sega, "
        "rog ally"
    ),
    "bicycle": (
        "brompton, canyon, cannondale, specialized, trek fx, trek domane, bianchi, cube, vanmoof, gazelle, cowboy "
        "4, surly, giant defy, scott addict, pinarello, rose backroad, riese & müller, orbea, ribble, cervélo, "
        "cervelo, kona sutra, batavus, swapfiets, tern, stromer, decathlon bike, urban arrow"
    ),
    "coffee_machine": (
        "gaggia, la marzocco, rancilio, breville, de'longhi, delonghi, jura, nespresso, moccamaster, sage barista, "
        "lelit, profitec, rocket appartamento, aeropress, chemex, bialetti, philips 3200, philips lattego, dolce "
        "gusto, la pavoni, hario v60, flair espresso, saeco"
    ),
    "bank": (
        "monzo, revolut, n26, starling, ing, ing-diba, deutsche bank, commerzbank, sparkasse, hsbc, barclays, "
        "lloyds, natwest, santander, bbva, bnp paribas, société générale, crédit agricole, unicredit, intesa "
        "sanpaolo, ubs, credit suisse, raiffeisen, wells fargo, chase, bank of america, citibank, capital one, td "
        "bank, rbc, scotiabank, nordea, danske bank, seb, swedbank, handelsbanken, abn amro, rabobank, bunq, wise, "
        "dkb, comdirect, c24, tomorrow bank, triodos, gls, nationwide, first direct, halifax bank, metro bank, "
        "charles schwab, ally bank, postbank, volksbank, erste bank, boursorama, fortuneo, openbank, mbank, pko, "
        "zkb, neon bank, yuh, klarna bank, sbanken, dnb, op bank, kbc, belfius"
    ),
    "insurance": (
        "allianz, axa, aok, barmer, techniker krankenkasse, dak, huk-coburg, ergo, generali, zurich insurance, "
        "helvetia, css, sanitas, bupa, aviva, admiral, direct line, geico, state farm, progressive insurance, "
        "aetna, cigna, unitedhealthcare, kaiser permanente, blue cross, lemonade, cosmosdirekt, debeka, signal "
        "iduna, mobiliar, swica, assura, vhv, hellosafe"
    ),
    "internet_provider": (
        "telekom, deutsche telekom, vodafone, o2, 1&1, comcast, xfinity, verizon fios, spectrum, cox, bt "
        "broadband, virgin media, sky broadband, talktalk, hyperoptic, telia, bahnhof, orange livebox, free "
        "freebox, sfr, bouygues, ziggo, kpn, proximus, telenet, swisscom, sunrise, salt fiber, movistar, starlink, "
        "init7, m-net, netcologne, plusnet, zen internet, at&t fiber, google fiber, pyur"
    ),
    "mobile_carrier": (
        "t-mobile, ee, giffgaff, three uk, congstar, aldi talk, fonic, winsim, mint mobile, google fi, verizon "
        "wireless, at&t, cricket wireless, lebara, lycamobile, smarty, voxi, tello, us mobile, freenet, blau, "
        "simyo, klarmobil, wingo, yallo, talkmobile"
    ),
    "energy_provider": (
        "octopus energy, british gas, edf, e.on, eon, vattenfall, enbw, lichtblick, naturstrom, tibber, ovo "
        "energy, bulb, scottish power, engie, enel, eneco, pg&e, con edison, fortum, polarstern, ewe, green planet "
        "energy, ostrom, yello, eni plenitude"
    ),
    "subscriptions": (
        "netflix, disney+, disney plus, hulu, hbo max, amazon prime, prime video, paramount+, peacock, "
        "crunchyroll, dazn, sky sports, apple tv+, audible, patreon, the economist, new york times, the new york "
        "times, the guardian weekly, new yorker, the new yorker, xbox game pass, playstation plus, nintendo switch "
        "online, headspace, calm premium, duolingo plus, skillshare, masterclass, hellofresh, blinkist, scribd, "
        "medium membership, washington post, mubi, icloud+, youtube premium, google one, dropbox plus, strava "
        "premium"
    ),
    "gym": (
        "mcfit, fitx, john reed, planet fitness, puregym, virgin active, david lloyd, basic-fit, anytime fitness, "
        "holmes place, gold's gym, 24 hour fitness, equinox, la fitness, fitness first, urban sports club, clever "
        "fit, orangetheory, barry's, f45, crunch fitness, ymca, snap fitness, energie fitness, nuffield health, "
        "third space, crossfit, kieser training, superfit, boulderwelt"
    ),
}

# A name ending in one of these is of that kind.
LAST_WORDS = {
    "gym": (
        "gym, fitness, crossfit, fitness club, athletic club, fitness studio, gyms, boxing club, barbell club, "
        "bouldering hall, climbing hall"
    ),
    "bank": "bank, sparkasse, credit union, savings bank, building society",
    "employer": (
        "inc, ltd, gmbh, corp, corporation, labs, systems, technologies, consulting, industries, solutions, "
        "software, & co, llc, plc, partners, holdings, pharma, ventures, studios, logistics, robotics, analytics, "
        "dynamics, biotech, motors, associates"
    ),
    "education": (
        "university, college, polytechnic, university of applied sciences, business school, law school, medical "
        "school, institute of technology"
    ),
    "insurance": "insurance, krankenkasse, assurance, versicherung",
    "energy_provider": "energy, electricity, power company, stadtwerke",
    "school": (
        "primary, school, primary school, high school, elementary, kindergarten, nursery, academy, gymnasium, "
        "grundschule, preschool, secondary"
    ),
    "internet_provider": "broadband, telecom, fiber, fibre",
}
