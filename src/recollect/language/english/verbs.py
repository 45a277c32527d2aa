"""English verbs: which words are verbs, how the regular ones are inflected, and all the irregular forms we know."""

from __future__ import annotations

REGULAR = (
    "accept access ache achieve acquire act adapt add admit adopt adore advise affiliate affect age agree aim "
    "allow announce answer apologise appear apply appoint appreciate approve archive argue arrive ask assign "
    "associate assume attach attack attend avoid back backup bake bank base batch battle behave believe belong "
    "benefit bike bill block board book boot borrow bother brew bump bundle bury cache calculate call camp cancel "
    "care carry cash cause celebrate change charge chat check cherish chop claim clean clear climb close coach "
    "code collect combine commit commute compare compete compile complain complete compose concern confirm connect "
    "consider consist contact contain continue contribute convert cook cool cope copy correct cost count cover "
    "crack crash crave create cross cry cycle damage dance date deal decide declare decline default defend define "
    "delay delete deliver deny depend deploy depart describe deserve design despise detect detest develop devote "
    "diagnose die direct disagree disappear disable discard discontinue discover discuss dislike display ditch "
    "divorce document donate doubt download draft dream dress drop dry dump earn educate email employ empty enable "
    "encounter encourage end enforce engage enjoy enrol enroll ensure enter escape establish exchange excite "
    "excuse execute exercise exist expand expect expire explain explore expose express extend face fail fancy farm "
    "fast favour favor fear feature fetch file fill film finish fire fish fit fix flash float focus follow force "
    "form format found frame freelance fry fund gain garden gather generate govern grab graduate greet grill group "
    "guarantee guess guide hack hand handle happen harvest hate head heal heat help hike hire honour hope "
    "host house hug hunt hurry identify ignore imagine implement import impress improve include increase index "
    "inform inherit injure insist inspect install instruct insure integrate intend interest intern interview "
    "introduce invent invest invite involve iron issue jog join joke judge juggle jump kick kill kiss knit knock "
    "label lack land last laugh launch learn lease license lift like limit link list listen live load loathe "
    "locate lock log look love lower maintain major manage march mark marry match matter measure meditate mention "
    "merge message migrate miss mix model monitor mount move multiply name need nickname notice number obtain "
    "occur offer onboard open operate opt order organise organize own pack paint park participate pass pause "
    "perform permit persist phase phone photograph pick pin place plan plant play point post pour practice "
    "practise praise pray prefer prepare present press pretend prevent print produce program promise promote "
    "pronounce propose protect protest provide provision publish pull pump purchase push qualify question queue "
    "race raise rain reach react realise realize rebase recall receive reckon recognise recognize recommend record "
    "recover recruit recycle reduce refactor refer refuse register regret reject relate relax release relicense "
    "relocate rely remain remember remind remove rename renew renovate rent repair repeat replace reply report "
    "represent request require rescue research reserve reside resign resist resolve respect respond rest restart "
    "result retire return review revise reward rip roast rock rotate ruin rule rush sack sail sample save scale "
    "schedule scrap scratch scream search seat seem select separate serve settle share shave shift ship shop shout "
    "sign skate skateboard sketch ski skip slip slow smell smile smoke snow solve sort sound source spam "
    "specialise specialize specify spell splash spoil sponsor spray squash squeeze stack staff stage stain stamp "
    "stare start state stay steer step stir stop store strand stream stress stretch struggle study style submit "
    "subscribe succeed suffer suggest suit supply support suppose surf surprise surround survive suspect suspend "
    "swallow swap switch tackle tag talk target taste tease tend terminate test thank tidy tie tire touch tour tow "
    "trace track trade train transfer transform translate transport trap travel treat trim trip trouble trust try "
    "tune turn tutor type uninstall unite unsubscribe update upgrade upload urge use utilise vanish vary version "
    "visit voice volunteer vote wait walk wander want warm warn wash waste watch water wave weigh welcome wheel "
    "whine whip whisper whistle wish wonder work worry worship wrap wreck yell yawn zip compete co-own co-found "
    "cofound co-author moonlight telecommute mentor supervise chair captain situate license pair pilot prototype "
    "validate verify revert decommission sunset deprecate retract retrain reassign reorganise rebrand relaunch "
    "rewire restore reinstall refurbish resell resume retain scan seed shard sync synchronise persist mirror proxy "
    "route schedule serialise stream tail throttle trigger tweak vend whitelist babysit breastfeed fundraise "
    "crochet box fence row rap blog vlog podcast game stack trek"
)

# base, past, participle; a form that is missing is the same as the one before it
IRREGULAR = (
    "become became become|begin began begun|bend bent|bet bet|bind bound|bite bit bitten|bleed bled|blow blew "
    "blown|break broke broken|breed bred|bring brought|broadcast broadcast|build built|burn burnt|burst burst|buy "
    "bought|catch caught|choose chose chosen|come came come|cost cost|creep crept|cut cut|deal dealt|dig dug|draw "
    "drew drawn|drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|feed fed|feel felt|fight "
    "fought|find found|fit fit|flee fled|fly flew flown|forbid forbade forbidden|forget forgot forgotten|forgive "
    "forgave forgiven|freeze froze frozen|get got gotten|give gave given|go went gone|grind ground|grow grew grown|"
    "hang hung|hear heard|hide hid hidden|hit hit|hold held|hurt hurt|keep kept|kneel knelt|know knew known|lay "
    "laid|lead led|leave left|lend lent|let let|lie lay lain|light lit|lose lost|make made|mean meant|meet met|"
    "outgrow outgrew outgrown|overcome overcame overcome|oversee oversaw overseen|pay paid|put put|quit quit|read "
    "read|rebuild rebuilt|rewrite rewrote rewritten|rethink rethought|rid rid|ride rode ridden|ring rang rung|rise "
    "rose risen|run ran run|say said|see saw seen|seek sought|sell sold|send sent|set set|sew sewed sewn|shake "
    "shook shaken|shoot shot|show showed shown|shrink shrank shrunk|shut shut|sing sang sung|sink sank sunk|sit "
    "sat|sleep slept|slide slid|speak spoke spoken|speed sped|spend spent|spin spun|split split|spread spread|"
    "stand stood|steal stole stolen|stick stuck|sting stung|strike struck|swear swore sworn|sweep swept|swim swam "
    "swum|swing swung|take took taken|teach taught|tear tore torn|tell told|think thought|throw threw thrown|"
    "understand understood|undo undid undone|undergo underwent undergone|wake woke woken|wear wore worn|weave wove "
    "woven|win won|wind wound|withdraw withdrew withdrawn|write wrote written|overhaul overhauled|bear bore born|"
    "dream dreamt|learn learnt|spell spelt|spill spilt|bust bust|upset upset|reset reset|cast cast|outsource "
    "outsourced|mow mowed mown|sow sowed sown|sublet sublet|offload offloaded|override overrode overridden"
)

# How the regular forms are made: (ending of the base, letters taken off, letters put on), first match wins.
THIRD_PERSON = ((("s", "x", "z", "ch", "sh", "o"), 0, "es"), (("ay", "ey", "oy", "uy"), 0, "s"), (("y",), 1, "ies"))
PAST_FORM = ((("e",), 0, "d"), (("ay", "ey", "oy", "uy"), 0, "ed"), (("y",), 1, "ied"))
ING_FORM = ((("ie",), 2, "ying"), (("ee", "oe", "ye"), 0, "ing"), (("e",), 1, "ing"))
THIRD_PERSON_ENDING, PAST_ENDING, ING_ENDING = "s", "ed", "ing"
# Verbs that double their last letter: stop, stopped, stopping. Other spellings of the doubled ones are taken too.
DOUBLING = (
    "stop plan drop ship shop swap tag trim trap trip chat chop pin log jog hug pop ban bet cut dig fit get hit "
    "let put quit rid run set sit split spin swim swing win begin prefer refer commit admit permit submit transfer "
    "travel cancel label model enrol rob rub nod pat pet plug rip scrap scan skip slip snap step strip tap top "
    "wrap zip upset program format knit kidnap equip occur regret drag grab brag flag blog vlog rap shut bid whip "
    "flip spam reset sublet"
)

# Verbs that are nouns as well: "work", "plan". After an article they are nouns, after "I" they are verbs.
ALSO_NOUNS = (
    "work use run plan move start book drive test build deploy release report call play name love need change stop "
    "order end return cost visit check claim cause drink fish fly guide head help hope house interest issue joke "
    "judge land lead level lift light limit link list lock log look mail map mark match mind model mount note "
    "notice number offer pack paint park part pass pay phone photo pick place plant point post power practice "
    "present press price print process produce program progress project promise protest pull push question race "
    "rain range rate read record refund register release rent repair reply request rescue research rest result "
    "review reward ride ring rise risk roast rock roll rule rush sail sale sample save scale schedule score screen "
    "search season seat sense service set shape share shift ship shock shop shot show sign sleep smell smile smoke "
    "snow sort sound source space speech speed split sport spot spread stack staff stage stand state stay step "
    "stick stock store storm stream stress stretch strike study style supply support surf surprise survey switch "
    "talk target task taste tax team tear term test text ticket time title tool touch tour track trade traffic "
    "train transfer travel treat trip trouble trust turn type update upgrade value version view voice vote wait "
    "walk wash waste watch water wave way weather weight wheel wind wish wonder wood word worry yield answer "
    "attack bake bank base battle bike bill block board box camp care cash challenge charge chat code comment "
    "commit concern contact contract copy count cover crash credit cross cry cycle damage dance date deal debate "
    "delay demand design desk display document doubt download draft dream dress drop effect effort email escape "
    "estimate exchange excuse exercise experience experiment export express face fall fan farm fast favour fear "
    "feature feel field fight figure file fill film filter find finish fire fit fix flash flight flow focus force "
    "form format frame fund garden grade group grant guess hand hike hit hold host hunt hurt import impact "
    "increase index influence input insert install intern interview invite iron jump key kick kill kiss knock "
    "label lack laugh launch leave lie like cache handle message home noon ski brew rap prototype pilot pair proxy "
    "mirror route default license seed scan stream trigger tweak sync lease queue cut feed hack trail bump merge "
    "backup code gate game row fence cook guide pilot nurse coach"
)

# Verbs of getting and changing: their past tense tells what holds since then, not what is over.
CHANGING = (
    "adopt become begin buy change choose convert decide develop drop ditch downgrade enrol exchange found get go "
    "inherit install join launch lease marry merge migrate move name open order pick pin purchase receive register "
    "relocate rename replace rewrite rebuild settle sign split start subscribe swap switch take trade transfer "
    "turn upgrade update bump transition graduate promote hire bring return opt introduce acquire appoint enroll "
    "put rewire standardise port standardize settle create establish find diagnose win rent make set elect select "
    "agree commit qualify hand come schedule found break injure catch tear sprain lend give"
)

# Verbs of giving up: what they are said of holds no more.
ENDING = (
    "abandon cancel close decommission deprecate discard discontinue ditch divorce drop dump end finish forget "
    "kill lose leave offload quit remove resign retire scrap sell shut stop sunset terminate uninstall unsubscribe "
    "outgrow wreck crash axe delete eliminate die vanish scratch total"
)

# Forms in -ing that are nouns of their own: "the team meeting", "our hosting".
ING_NOUNS = (
    "meeting building training hosting branching billing testing logging monitoring marketing engineering painting "
    "booking wedding parking landing ending heating housing pricing routing caching clothing recording planning "
    "gathering opening greeting evening morning ring king thing string spring wing onboarding provisioning lodging "
    "catering mailing naming versioning scheduling lighting spelling reading finding ruling saving rating ranking "
    "listing hearing drawing warning setting"
)

# Of the verbs that are nouns as well, those whose form in -s is hardly ever a plural: "the team uses release branches".
MOSTLY_VERBS = (
    "use need run work play drive drink love like want live report cost require follow store ship host deploy prefer"
)
