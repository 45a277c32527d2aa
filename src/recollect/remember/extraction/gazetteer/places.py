"""Countries, regions and large cities: names that are places and not companies."""

from __future__ import annotations

PLACES = (
    "argentina, australia, austria, bangladesh, belgium, bolivia, brazil, bulgaria, cambodia, canada, chile, china, colombia, costa rica, croatia, cuba, cyprus, czechia, "
    "czech republic, denmark, ecuador, egypt, england, estonia, ethiopia, finland, france, georgia, germany, ghana, greece, guatemala, hungary, iceland, india, indonesia, iran, iraq, "
    "ireland, israel, italy, jamaica, japan, jordan, kazakhstan, kenya, korea, south korea, north korea, kuwait, laos, latvia, lebanon, lithuania, luxembourg, malaysia, malta, mexico, moldova, mongolia, "
    "montenegro, morocco, nepal, netherlands, the netherlands, new zealand, nicaragua, nigeria, norway, oman, pakistan, panama, paraguay, peru, philippines, poland, portugal, qatar, romania, russia, "
    "rwanda, saudi arabia, scotland, senegal, serbia, singapore, slovakia, slovenia, south africa, spain, sri lanka, sudan, sweden, switzerland, syria, taiwan, tanzania, thailand, tunisia, turkey, uganda, "
    "ukraine, united kingdom, uk, united states, united states of america, usa, us, uruguay, uzbekistan, venezuela, vietnam, wales, zambia, zimbabwe, europe, asia, africa, america, bavaria, tuscany, "
    "catalonia, andalusia, provence, brittany, normandy, california, texas, florida, oregon, washington, new york, nyc, massachusetts, colorado, arizona, ontario, quebec, british columbia, "
    "aarhus, aberdeen, abu dhabi, addis ababa, amsterdam, ankara, antwerp, athens, atlanta, auckland, austin, baltimore, bangalore, bengaluru, bangkok, barcelona, basel, bath, beijing, beirut, belfast, belgrade, "
    "bergen, berlin, bern, bilbao, birmingham, bogotá, bogota, bologna, bonn, bordeaux, boston, bratislava, bremen, brighton, brisbane, bristol, brno, bruges, brussels, bucharest, budapest, buenos aires, "
    "cairo, calgary, cambridge, canberra, cape town, caracas, cardiff, casablanca, charlotte, chennai, chicago, cincinnati, cleveland, cologne, copenhagen, cork, dakar, dallas, delhi, new delhi, denver, detroit, "
    "dortmund, dresden, dubai, dublin, düsseldorf, dusseldorf, edinburgh, eindhoven, espoo, essen, florence, frankfurt, freiburg, gdańsk, gdansk, geneva, genoa, ghent, glasgow, gothenburg, granada, graz, grenoble, groningen, "
    "guadalajara, hamburg, hanoi, hanover, hannover, havana, heidelberg, helsinki, ho chi minh city, hong kong, honolulu, houston, hyderabad, innsbruck, istanbul, jakarta, jerusalem, johannesburg, karachi, karlsruhe, kathmandu, "
    "kiel, kigali, kingston, köln, kraków, krakow, kuala lumpur, kyiv, kiev, kyoto, la paz, lagos, lahore, las vegas, lausanne, leeds, leicester, leiden, leipzig, lille, lima, lisbon, liverpool, ljubljana, łódź, lodz, london, los angeles, "
    "luanda, lucerne, lund, lviv, lyon, madrid, maastricht, mainz, malaga, málaga, malmö, malmo, manchester, manila, mannheim, marseille, medellín, melbourne, miami, milan, minneapolis, minsk, montevideo, montpellier, montreal, moscow, mumbai, "
    "munich, münchen, münster, nagoya, nairobi, nantes, naples, nashville, newcastle, nice, nottingham, nuremberg, nürnberg, oakland, odense, odessa, oporto, osaka, oslo, ottawa, oxford, padua, palermo, palma, panama city, paris, perth, philadelphia, "
    "phoenix, pisa, pittsburgh, plovdiv, porto, portland, potsdam, poznań, poznan, prague, pune, quito, reykjavik, riga, rio de janeiro, rome, rostock, rotterdam, salzburg, san diego, san francisco, san jose, santiago, sao paulo, são paulo, sapporo, "
    "sarajevo, seattle, seoul, seville, shanghai, sheffield, shenzhen, siena, skopje, sofia, split, st. louis, stavanger, stockholm, strasbourg, stuttgart, sydney, taipei, tallinn, tampa, tampere, tartu, tbilisi, tel aviv, the hague, thessaloniki, tokyo, "
    "toronto, toulouse, trieste, tromsø, trondheim, tunis, turin, turku, uppsala, utrecht, valencia, valparaíso, vancouver, venice, verona, vienna, vilnius, warsaw, wellington, winnipeg, wrocław, wroclaw, york, zagreb, zaragoza, zürich, zurich, crete, sicily, bali, halifax, galway"
)
