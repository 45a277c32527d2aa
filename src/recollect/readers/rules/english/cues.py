"""What gives a value away without saying so: winter tyres on a Panda, a payslip from Ovalis, an index in DuckDB.

Each line: the attribute, where its value stands, and the words that give it away. `at Name` is a name after that
preposition, `the Name` a name with "the" or "my" before it, `my thing` whatever "my" stands before, `person` somebody
named as the subject, `with Person` somebody after "with". Words are parts of regular expressions, in lower case.
"""

from __future__ import annotations

CUES = (
    (
        "vehicle", "the Name",
        r"oil change|oil leak|tyres?|tires?|windscreen|windshield|mileage|\bmot\b|brakes?|brake pads|wipers|"
        r"parking (?:spot|space|ticket|fine)|parked|petrol|refuel\w*|charging station|car wash|mechanic|dashboard "
        r"light|clutch|gearbox|roof rack|number plate|license plate|headlights?|exhaust|jump.?start\w*|bonnet|"
        r"engine|seat heating|dealership|car seat|towed|bumper|inspection|odometer|trunk|car insurance|road tax|"
        r"wheel alignment|garage|flat battery|test drive of my",
    ),
    (
        "phone", "the Name",
        r"\bcase\b|screen protector|charger|camera|\bsim\b|ringtone|night shots|selfies?|charging port|voicemail|"
        r"cracked (?:the )?screen|screen time|home screen|lock screen|pocket",
    ),
    ((
        "laptop"
    ), (
        "the Name"
    ), (
        r"\bram\b|trackpad|keyboard|docking|dock|fan noise|hinge|lid|ssd|screen|docking station|battery|charger|"
        r"dongle|usb-c"
    )),
    ((
        "bicycle"
    ), (
        "the Name"
    ), (
        r"saddle|chain|handlebars?|flat tyre|puncture|inner tube|pedals?|bike shop|derailleur|mudguards?|bell|"
        r"brake pads"
    )),
    ("camera", "the Name", r"lens|shutter|film roll|tripod|memory card|sensor|aperture|viewfinder"),
    ("coffee_machine", "the Name", r"descal\w+|portafilter|grinder|steam wand|beans|group head|gasket|water tank"),
    ("headphones", "the Name", r"ear ?pads|noise.cancell\w+|ear tips|pairing|headband|charging case"),
    ("console", "the Name", r"controller|joy-?con|save file|hdmi"),
    (
        "employer", "at|from|for|of|with|to Name",
        r"payslips?|paycheck|onboarding|badge|travel policy|pension|probation|payroll|all-hands|off-?site|canteen|"
        r"expense report|induction|company retreat|work anniversary|employee|my desk|hr department|employment "
        r"contract|company laptop|welcome package|(?:years|months|time) (?:with|at)|starter kit|first week|second "
        r"week|security training|staff",
    ),
    (
        "location", "in|of Name",
        r"landlord|landlady|town hall|city hall|boiler|boxes|walk home|way home|my (?:place|flat|apartment|house|sharehouse|bungalow|cottage|bedsit|"
        r"street|neighbourhood|neighborhood|balcony|building|landlord)|our (?:place|flat|apartment|house|street|"
        r"neighbourhood|new home|landlord)|rent (?:is|went)|lease|council tax|moving (?:boxes|van|truck)|unpack\w*|"
        r"resident(?:s'? )?parking|residence permit|local library card|anmeldung",
    ),
    ("location", "to Name", r"\b(?:since|after) (?:the|our|my) move to\b"),
    ((
        "manager"
    ), (
        "person"
    ), (
        r"(?:signed off|approved|rejected|declined|denied|granted|okayed|ok'd) (?:on )?my (?:\w+ )?(?:holiday|"
        r"vacation|leave|expenses?|request|time off|pto|days off|raise|promotion|budget|timesheet|trip)"
    )),
    ((
        "manager"
    ), (
        "with Person"
    ), (
        r"\bmy (?:\w+ )?(?:review|appraisal|one-on-one|1:1|performance talk|feedback talk|salary talk|salary "
        r"negotiation|check-in|goal setting|career chat|evaluation)\b"
    )),
    (
        "gym", "at Name",
        r"locker|trainer|workout|leg day|squats?|sauna|spin class|personal trainer|deadlifts?|bench press|"
        r"kettlebells?|weights|changing room|swim lane|yoga class|pilates|membership card|gym|pool|opening hours|"
        r"showers|squat rack|equipment",
    ),
    ((
        "usual_drink"
    ), (
        "my thing"
    ), (
        r"barista|before my|without my|my morning|first sip|waiter|café|cafe\b|coffee shop|vending machine"
    )),
    ("diet", "kind", r"(?:menu|options?|bakery|canteen|lunch|buffet)(?=.*\b(?:my|me)\b)"),
    ((
        "database"
    ), (
        "kind"
    ), (
        r"index|indexes|backups?|quer(?:y|ies)|migrations?|schema|replicas?|vacuum\w*|tables?|fail-?over|dump|"
        r"restore\w*|connection pool|deadlock|upgrade|dashboard|rows|console|cluster|version|driver"
    )),
    ("cache", "kind", r"cluster|evict\w*|keys?|hit rate|flush\w*|memory|restart\w*|ttl|node"),
    ((
        "message_queue"
    ), (
        "kind"
    ), (
        r"topic|consumer|lag|partition|dead.letter|broker|exchange|offset|cluster|messages|backlog|restart\w*"
    )),
    ((
        "deploy_target"
    ), (
        "kind"
    ), (
        r"instances?|secrets?|scal\w+|dyno|region|bill|invoice|logs?|rollback|deploy\w*|outage|certificate|nodes?|"
        r"pods?|restart\w*|console|machines?|autoscal\w+|env vars?"
    )),
    ("ci", "kind", r"runner|workflow|pipeline|build|cache|minutes|job|queue|flaky|artifact"),
    ("package_manager", "kind", r"lockfile|lock file|install|dependenc\w+|workspace|resolver|cache|registry|upgrade"),
    ("build_tool", "kind", r"config|build time|bundle|plugin|hot reload|hmr|cold start|cache"),
    ("test_framework", "kind", r"fixtures?|suite|flaky|mock|snapshot|coverage|parametri\w+|plugin|spec"),
    ("linter", "kind", r"rule|warning|complain\w*|config|ignore|violation|error"),
    ("monitoring", "kind", r"alert|dashboard|panel|incident|trace|metric|spike|issue|event"),
    ("issue_tracker", "kind", r"ticket|board|backlog|issue|sprint|epic|story|label|card"),
    ("docs_tool", "kind", r"page|space|template|article|onboarding doc|search"),
    ("code_host", "kind", r"merge request|pull request|repo|mirror|runner|permission|token|issue"),
    ((
        "framework"
    ), (
        "kind"
    ), (
        r"component|upgrade|migration|middleware|route|render\w*|hook|template|deprecat\w+|compiler|warning|bundle|"
        r"page|view"
    )),
    ("editor", "kind", r"plugin|extension|config|keybinding|shortcut|theme|settings|crash\w*|macro|lsp|debugger"),
    ("operating_system", "kind", r"update|kernel|driver|upgrade|boot|installer|desktop|package"),
    ("infrastructure_as_code", "kind", r"state|module|plan|apply|drift|provider|playbook"),
    ("auth_provider", "kind", r"login|token|realm|tenant|client secret|sso|session|mfa"),
    ("payment_provider", "kind", r"webhook|payout|dispute|refund|invoice|checkout|chargeback"),
    ("branching_model", "kind", r"merge conflicts?|wiki page|newcomers|release|branch\w*|onboarding|hotfix|rebase"),
    ((
        "bank"
    ), (
        "the|my|at|with|from Name"
    ), (
        r"\bcard\b|\baccount\b|savings book|overdraft|standing order|direct debit|bank statement|savings account|"
        r"current account|transfer fee|atm|mortgage|branch|cash machine|credit card|debit card|app locked"
    )),
    ("insurance", "with|from|to Name", r"claim|premium|reimburs\w+|policy number|deductible|insurance card|excess"),
    ((
        "internet_provider"
    ), (
        "from|with|of Name"
    ), (
        r"router|modem|broadband|fibre|fiber|outage|technician|bandwidth|upload speed|wifi"
    )),
    ("mobile_carrier", "from|with|of Name", r"roaming|sim card|esim|data plan|phone bill|coverage|reception"),
    ((
        "energy_provider"
    ), (
        "from|with|of Name"
    ), (
        r"electricity bill|meter reading|power bill|gas bill|smart meter|tariff|kwh"
    )),
    ((
        "school"
    ), (
        "at|of|from Name"
    ), (
        r"parents' evening|school run|homework|headteacher|class teacher|school play|pick.?up|term starts|report "
        r"card"
    )),
    ((
        "dentist"
    ), (
        "person"
    ), (
        r"filling|filled|cavity|cavities|root canal|wisdom tooth|\b(?:my|our) (?:\w+ ){0,2}(?:crown|teeth|tooth)|"
        r"\b(?:pulled|cleaned|fixed|drilled|checked|whitened) (?:\w+ ){0,2}(?:teeth|tooth)"
    )),
    ("doctor", "person", r"prescribed|referred me|blood test|stethoscope|my check-?up|vaccinated me|my results"),
    ("therapist", "person", r"therapy session|coping"),
    ("doctor", "with|at|by|from|to Person", r"check-?up|prescription|blood test|referral|surgery hours|sick note"),
    ((
        "dentist"
    ), (
        "with|at|by|from|to Person"
    ), (
        r"teeth|tooth|cavity|braces|filling|root canal|cleaning|wisdom tooth|crown"
    )),
    ("pets", "kind", r"\bvet\b|litter|leash|walkies|flea|worming|kibble|dog park|cat food|vaccinat\w+"),
    ("bicycle", "kind", r"saddle|chain|puncture|handlebar|tyre"),
    ("license", "kind", r"header|license file|notice|copyright|spdx"),
)  # fmt: skip

# Nouns that, with a name before them, tell whose they are: "my Copperline card". For names nobody has heard of.
TELLING_HEADS = {
    "bank": "card account statement overdraft mortgage",
    "gym": "membership locker trainer",
    "employer": "badge payslip canteen onboarding offsite",
    "insurance": "claim premium policy",
    "internet_provider": "router technician modem",
    "mobile_carrier": "sim roaming",
    "energy_provider": "meter tariff",
    "phone": "charger case",
}
# Nouns that, with the name of a skill before them, tell that it is being learned or done: "my cello teacher".
LESSONS = "teacher lesson lessons class classes coach practice tutor instructor course training rehearsal"
# Where somebody is for a while, or where somebody else lives.
FOR_A_WHILE = (
    r"\b(?:this (?:week|weekend|month|summer|winter)|tonight|for (?:a|the) (?:week|weekend|month|night|few (?:days|"
    r"weeks))|on holiday|on vacation|visiting|airbnb|hotel|hostel|landl(?:ord|ady) (?:lives?|lived|moved|is|comes|went))\b"
)
