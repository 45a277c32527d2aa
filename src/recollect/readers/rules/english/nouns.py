"""Nouns that are told apart by what they do in a statement: names of attributes, of things, and of nothing at all."""

from __future__ import annotations

# Words in front of an attribute's name that do not change which attribute it is.
LIGHT_MODIFIERS = (
    "new current main primary own latest usual regular present actual brand-new next updated chosen preferred "
    "go-to everyday current-day minimum supported required exact very first second third day-to-day real full "
    "correct proper permanent temporary whole entire old former previous"
)
# Heads that say what sort of thing it is and no more: "the billing service" is "billing".
GENERIC_HEADS = (
    "service app application system server component module package repo repository codebase project site website "
    "image container runtime deployment microservice daemon instance cluster environment stack subsystem platform "
    "tool program library build layer production process setup installation"
)
# What "the project" can be called when it is the one being worked on.
THIS_PROJECT = (
    "repo repository project codebase code library package software app application team company product system "
    "stack service site monorepo workspace code-base we prod production everything all build builds org "
    "organisation organization group tests test pipeline squad"
)
# Names of what can be set, measured or chosen: the head of an open attribute.
ATTRIBUTE_HEADS = (
    "policy limit budget size rate timeout port version level name title code number id key rule model mode format "
    "standard convention strategy schedule cadence cycle length duration period window interval frequency "
    "threshold quota retry replica retention provider vendor supplier host hosting region zone domain address url "
    "endpoint path directory folder branch tag label colour color theme font logo mascot motto slogan logo "
    "currency price fee rent salary mortgage tariff plan contract subscription membership account bank insurance "
    "carrier network password-hint username handle nickname alias code-name codename owner lead leader manager "
    "maintainer contact coordinator admin administrator reviewer approver captain chair chairperson director "
    "president head secretary treasurer doctor dentist therapist coach trainer tutor teacher mentor accountant "
    "lawyer notary tailor hairdresser barber vet nanny babysitter cleaner gardener plumber mechanic capital "
    "language religion sport position instrument genre author creator founder developer publisher performer "
    "producer broadcaster headquarters country continent city database cache queue broker framework tool editor "
    "ide browser shell terminal linter formatter compiler bundler runner pipeline deployment runtime stack tracker "
    "wiki docs deadline launch release meeting standup sync retro review call slot time date shift rota order "
    "drink breakfast lunch dinner snack dish meal recipe restaurant cafe café bar bakery supermarket shop store "
    "brand team club band artist singer album song book novel film movie show series game podcast sla slo uptime "
    "latency target goal milestone priority estimate score grade rating rank ratio percentage share dosage dose "
    "allergy diet diagnosis condition medication blood-type height weight car vehicle bike phone laptop computer "
    "monitor keyboard mouse headset camera watch tablet printer router charger desk chair bag backpack shoes "
    "glasses tent instrument guitar piano seat room floor building office flat apartment house home neighbourhood "
    "neighborhood street commute route airline airport hotel destination school university college kindergarten "
    "class course major minor degree subject thesis topic hobby pastime sport interest habit routine ritual "
    "commute pronouns birthday anniversary age hometown nationality citizenship timezone license licence encoding "
    "indentation style guide log-level loglevel sprint iteration velocity on-call escalation gate check approval "
    "signature header prefix suffix naming casing scheme schema protocol transport api sdk client algorithm "
    "optimizer optimiser dimension embedding model index partition shard replica replication backup snapshot "
    "archive bucket storage disk memory ram cpu gpu machine instance node architecture distro os kernel driver "
    "firmware default fallback baseline benchmark dataset corpus metric kpi locale country-code vat tax iban swift "
    "bic pin passphrase-hint emergency-contact beneficiary guardian godparent pharmacy hospital clinic gym studio "
    "pool court pitch spot place choice pick favourite favorite theme-song ringtone wallpaper avatar locker "
    "parking entrance gate terminal platform line bus train tram station stop tyre tire fuel roast bean blend brew "
    "milk sweetener temperature thermostat setting preset profile persona voice accent registrar mailer crm erp "
    "cms payroll hr ats lms vpn firewall proxy gateway load-balancer ingress mesh scheduler orchestrator secrets "
    "vault registry artifact mirror feed sdk"
)
# Heads of phrases that only talk about the conversation, or about the moment.
EMPTY_HEADS = (
    "question point problem issue guess bet idea thought answer reason thing step plan case fact result conclusion "
    "solution opinion feeling hope fear concern worry request query task job-to-do situation understanding "
    "impression assumption suggestion recommendation advice feedback comment remark mistake fault error bug "
    "trouble challenge difficulty struggle focus way approach method difference similarity example purpose "
    "intention intent motivation part rest bottom top end beginning start middle side hand foot head mind brain "
    "heart body back neck shoulder knee stomach eye eyes energy mood life day morning evening night week weekend "
    "month year moment time attempt try turn next last first second one ones other others text paragraph sentence "
    "word essay article email letter story poem chapter section draft version output input code snippet file "
    "document paper report table list summary outline slide slides presentation script prompt message number-one "
    "lot bit kind sort type stuff matter truth lie catch trick key secret downside upside advantage disadvantage "
    "benefit risk cost chance odds possibility likelihood probability assignment homework exam test quiz lesson "
    "class professor-note trip itinerary vacation holiday journey flight hotel-room weather forecast rain sun news "
    "update progress status state condition-now internet connection wifi signal battery screen computer-now deal "
    "everything nothing something anything goal-now aim-now next-step call-now people person man woman guy girl "
    "boy kid character protagonist hero villain scene plot setting-scene theme-scene dialogue dialog narrator "
    "world universe game-state patient user users customer customers audience reader readers viewer data "
    "dataset-now variable function method-name class-name value values parameter argument row column field-name "
    "equation formula graph chart figure image picture photo video"
)
# Meetings that recur: their value is a day and a time.
MEETINGS = (
    "meeting sync standup stand-up call retro retrospective planning review weekly daily scrum demo refinement "
    "grooming 1:1 one-on-one check-in jour-fixe townhall town-hall all-hands huddle"
)
# Nouns that describe a piece of work rather than name it.
PAST_EDITIONS = (
    "prototype demo version codebase project job release build worker edition generation setup stack repo system "
    "team rewrite company office flat house apartment"
)
PLURAL_FORMS = {
    "children": "child",
    "people": "person",
    "men": "man",
    "women": "woman",
    "mice": "mouse",
    "feet": "foot",
    "teeth": "tooth",
    "wives": "wife",
    "lives": "life",
}
NEVER_PLURAL = frozenset(
    "news status address business process access kubernetes series species always perhaps gas bus class glass pass "
    "canvas atlas tennis analysis basis basics headquarters pronouns headphones docs dns https aws gps ios macos "
    "cms sms os ms redis postgres rails jenkins swiss analytics james texas paris athens mathematics physics "
    "economics politics windows chess".split()
)
SPELLINGS = dict(
    pair.split("=")
    for pair in (
        "favorite=favourite, color=colour, neighbor=neighbour, center=centre, organization=organisation, flavor=flavour, "
        "fav=favourite, fave=favourite, time-zone=time zone, behavior=behaviour, license=license, licence=license, "
        "program=programme"
    ).split(", ")
)

# Names of attributes that mean something else with a word before them: an "error budget" is no budget of errors.
ONLY_BY_THEMSELVES = (
    "model log metric edge host platform production prod cloud infrastructure tracker chat payment auth trunk "
    "weekly daily sync planning target budget report box plan bucket registrar ui usual number mail site blog "
    "address internet job title position degree major app tool software language deployment queue hosting pipeline "
    "decision convention dependency library meeting"
)
# What a home has, not a project, when it is said to be "ours".
HOUSEHOLD = (
    "anniversary wedding honeymoon flat apartment house garden kitchen rent mortgage cleaner nanny babysitter "
    "landlord neighbour car dog cat family holiday vacation street balcony living-room bedroom sofa fridge "
    "dishwasher oven thermostat wifi wi-fi router doorbell mattress cat-sitter dog-walker pediatrician "
    "paediatrician gp vet supermarket bakery dinner breakfast tradition song"
)
