"""Words for relations between people, each with its attribute and gender; common first names, and pronouns."""

from __future__ import annotations

from recollect.attributes.catalogue import catalogue

# Words for people that no attribute names; "m" and "f" say which pronoun fits. The others are in the records.
OTHER_RELATIONS = (
    "teacher, professor, trainer, babysitter, nanny, cleaner, gardener, client, customer, ex, ex-wife f, "
    "ex-husband m, ex-girlfriend f, ex-boyfriend m, in-law, parents, parent, grandparents, siblings, children, "
    "kids, sisters, brothers, friends, colleagues, family, in-laws, neighbours, neighbors, cousins, barber, "
    "hairdresser, accountant, lawyer, student, classmate, contractor, founder, co-founder, brothers-in-law, "
    "twins, sons, daughters, guest, recruiter, onboarding buddy, ex-boss, ex-manager, former boss, former "
    "manager, old boss, old manager"
)
# Whoever made something stays its maker, even if they leave, retire or die.
MAKERS = frozenset(
    "author co-author composer creator discoverer founder co-founder cofounder inventor sculptor".split()
)
# Also said to people who are no family: "Father Brown" is a priest.
KIN_TITLES = "sister brother father mother"
# What a relation is called when it has no name, where several words mean the same person.
_SAME = {
    "mother": "mum, mom, mama, mummy",
    "father": "dad, papa, daddy",
    "son": "boy",
    "daughter": "girl",
    "brother": "bro",
    "sister": "sis",
    "neighbour": "neighbor",
    "colleague": "co-worker, coworker, workmate",
    "doctor": "gp",
    "manager": "boss, line manager, supervisor",
    "grandmother": "grandma, granny, nan, nana",
    "grandfather": "grandpa",
    "partner": "spouse",
    "fiancé": "fiance",
    "fiancée": "fiancee",
}
SAME_RELATION = {word: same for same, words in _SAME.items() for word in words.split(", ")}

# How a short word for a relation is spelled in a sentence of ours.
SPELLED = {
    "bf": "boyfriend", "gf": "girlfriend", "hubby": "husband", "wifey": "wife", "missus": "wife", "sis": "sister",
    "bro": "brother", "brother in law": "brother-in-law", "sister in law": "sister-in-law",
    "mother in law": "mother-in-law", "father in law": "father-in-law", "boy": "son", "girl": "daughter",
}  # fmt: skip

# Those that are read so in a question, too.
SHORT_FOR = {word: SPELLED[word] for word in ("boy", "girl", "hubby", "bf", "gf")}
COUNTERPART = {"son": "daughter", "daughter": "son", "sister": "brother", "brother": "sister"}
OF_EITHER_SEX = frozenset("child children kid kids twins sons daughters sibling siblings sisters brothers".split())

# First names that are common enough to tell a person, and the pronoun that fits.
WOMEN = (
    "ana anna anne alice amelia amina amy andrea angela anita astrid aisha beatrice bea berta bianca birgit "
    "brigitte camila carla carmen caroline catherine cecilia chiara chloe christina claire clara claudia daniela "
    "deborah diana dora elena eleanor elisa elizabeth ella ellen emily emma erika esther eva evelyn farah fatima "
    "fiona flora frances freya gabriela georgia greta hanna hannah heidi helen helena ida ines ingrid irene iris "
    "isabel isabella jane janet jana jennifer jessica joan joanna johanna josephine judith julia julie karin karen "
    "kate katharina katie kim laura lea leila lena lily linda lisa louise lucia lucía lucy luisa maja mara "
    "margaret maria marie marina marta martha mary maya melissa mia mina mira miriam monica nadia naomi natalia "
    "natalie nina noor nora olena olga olivia paula petra priya priyanka rachel rebecca rita rosa ruth samira "
    "sandra sara sarah selma sofia sophia sophie stella susan svetlana tamara tanya teresa tessa ulla ursula "
    "valentina vera veronica victoria wanda yara yasmin yuki zoe zara"
)
MEN = (
    "adam adrian ahmed alan albert alejandro alexander ali anders andreas andrew andy anton antonio arjun arthur "
    "ben benjamin bernard bob boris brian bruno carl carlos charles christian christopher daniel dave david dennis "
    "dirk dmitri edward emil eric erik ethan felix fernando filip francesco frank fred gabriel george giovanni "
    "greg gustav hans harry hassan henrik henry hugo ian ibrahim igor ivan jack jacob jakob james jan jason javier "
    "jean jens jim joe john johan jonas jorge jose josé joseph juan jürgen karim karl kasper keith kevin klaus "
    "kurt lars leo leon liam lorenzo louis luca lucas luis lukas magnus marc marco mark markus martin mateo "
    "matthew max michael miguel mike mohamed mohammed nathan nicolas nick nikolai noah olaf oleg oliver omar oscar "
    "oskar otto pablo patrick paul pavel pedro peter philip pierre piet piotr rafael raj rashid ravi richard "
    "robert roberto roland ron samuel santiago sebastian sergei simon stefan steve steven sven thomas tim tobias "
    "tom tomas tomasz tony victor viktor vincent walter wei wilhelm william yusuf zoltan teo"
)
EITHER = (
    "alex sam robin chris kai charlie jamie jordan taylor morgan casey riley sasha nico andrea jess kit toni ash "
    "lou max aiko kenji jojo lee"
)
TITLES = "mr mrs ms miss dr prof professor sir madam herr frau"


def _relations() -> dict[str, tuple[str, str]]:
    found: dict[str, tuple[str, str]] = {}
    named = [(attribute.name, attribute.people) for attribute in catalogue()]
    for attribute, names in (*named, ("", OTHER_RELATIONS.split(","))):
        for name in names:
            words = name.split()
            gender = words.pop() if len(words) > 1 and words[-1] in ("m", "f") else ""
            found.setdefault(" ".join(words), (attribute, gender))
    return found


# By word: the attribute it is a value of, and "m", "f" or nothing.
RELATIONS = _relations()
