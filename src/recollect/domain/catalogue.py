"""The attribute catalogue, as data: shared by what reads messages and by what reads questions.

An entry is a line with its name, its cardinality, whom it is said of (a person, unless it says otherwise), how many
days it stays fresh and whether it is essential; after `=` the sentence it is put into. Below it, indented, what
people call it and, after `|`, the words of a question that asks for it. Where two are called the same, the earlier
one is meant. How sentences are taken apart, and for how long something is believed, is decided elsewhere.
"""

from __future__ import annotations

from recollect.domain.attributes import About, Attribute, Cardinality


def attribute_named(name: str) -> Attribute | None:
    """The entry with this very name."""
    return _BY_NAME.get(name)


def attribute_called(words: str) -> Attribute | None:
    """The entry that people call so, in the singular and in lower case; or the one of that name."""
    return _BY_SYNONYM.get(words)


_TABLE = """
# Who somebody is
name one essential = {who} is called {value}
  full name, first name, last name, surname | called
nickname one essential = {who} goes by {value}
  nick, short name, alias | go by, nickname
pronouns one essential = {who} uses the pronouns {value}
  preferred pronouns | pronouns
age one 365d = {who} is {value} years old
  | how old, age
birthday one essential
  date of birth, birth date, dob, bday | born on, birthday
birthplace one essential = {who} was born in {value}
  place of birth, birth place | born, birthplace
nationality one essential
  citizenship, passport, country of citizenship | citizen, nationality
religion one
  faith, denomination | religion, faith, believe
marital_status one 730d = {who} is {value}
  relationship status | married, single
languages many = {who} speaks {value}
  language, spoken language, mother tongue, native language | speak, languages
height one = {who} is {value} tall
  body height | tall, height
weight one 180d = {who} weighs {value}
  body weight | weigh, weight
shoe_size one
  size of shoe | shoe size
zodiac_sign one
  star sign | star sign
# Where
location one 730d essential = {who} lives in {value}
  city, town, home, home city, residence, home base, place of residence, current city, country of residence,
  | live, where, based, city, home, moved, reside, suburb, neighbourhood, neighborhood
address one 730d
  home address, postal address, street address, mailing address | address, street
hometown one essential = {who} comes from {value}
  home town, origin | from, grow up, hometown
timezone one 730d = {who}'s time zone is {value}
  time zone, tz, local time | time zone, timezone
office one 730d
  workplace, office location, desk, place of work | office, desk
# Work and learning
employer one 730d essential = {who} works at {value}
  company, workplace company, job, day job, current company, current employer, firm, payroll,
  | work for, work at, employer, company, job, employed
role one 730d essential
  position, job title, title, occupation, profession, current role, current position,
  | do for a living, do for work, role, position, title, profession
team one 365d = {who} is on the team {value}
  squad, department, group | team, department
manager one 365d
  boss, line manager, supervisor, team lead, lead, superior, direct manager, new manager, new boss,
  reporting line | report to, manager, boss, supervisor
reports many 365d = {who} manages {value}
  direct report, report | manage, reports
colleagues many 365d = {who} works with {value}
  colleague, coworker, co-worker, teammate, workmate | work with, colleagues
mentor one 365d
  coach, advisor, adviser, thesis advisor | mentor, coach
salary one 365d = {who} earns {value}
  pay, wage, income, base salary | earn, salary
work_schedule one 365d = {who} works {value}
  working hour, work hour, office hour, shift, working day, core hour | working hours, shift
education many essential = {who} studied {value}
  degree, alma mater, university, college, major, field of study, diploma | study, degree, university, educated
school one 730d = {who} goes to {value}
  high school, primary school, kindergarten, daycare, nursery | school
certifications many = {who} holds {value}
  certification, certificate, licence, driving licence | certified, certificate
# People and animals
partner one 1825d essential
  wife, husband, spouse, girlfriend, boyfriend, fiancé, fiancée, fiance, fiancee, significant other,
  other half | partner, wife, husband, married to, dating, spouse
children many essential = {who}'s child is {value}
  child, kid, son, daughter, baby, toddler, stepson, stepdaughter, twin | children, kids, son, daughter
sister many essential
  sis, stepsister, half-sister, older sister, younger sister | sister
brother many essential
  bro, stepbrother, half-brother, older brother, younger brother | brother
mother one essential
  mum, mom, mama, mummy, mommy | mother, mum, mom
father one essential
  dad, papa, daddy | father, dad
relatives many = {who}'s relative is {value}
  aunt, uncle, cousin, niece, nephew, grandmother, grandfather, grandma, grandpa, granny, grandson,
  granddaughter, mother-in-law, father-in-law, sister-in-law, brother-in-law, godmother, godfather, godson,
  goddaughter | aunt, uncle, cousin, grandmother, grandfather, family
friends many 1095d = {who}'s friend is {value}
  friend, best friend, mate, buddy, old friend | friend
flatmates many 365d = {who} shares a home with {value}
  flatmate, roommate, housemate | flatmate, roommate
neighbours many 730d = {who}'s neighbour is {value}
  neighbour, neighbor | neighbour
pets many 1825d = {who} has {value}
  pet, dog, cat, puppy, kitten, parrot, hamster, rabbit, goldfish, horse, tortoise, guinea pig,
  | pet, pets, dog, cat, animal
landlord one 730d
  landlady | landlord
doctor one 730d
  gp, physician, family doctor, general practitioner | doctor
dentist one 730d
  | dentist
therapist one 730d
  psychologist, counsellor, physio, physiotherapist | therapist
# Health
allergies many essential = {who} is allergic to {value}
  allergy, food allergy, intolerance | allergic, allergy, react
health many essential = {who} has {value}
  condition, health condition, diagnosis, illness, disease, injury | condition, health, illness
medication many 365d essential = {who} takes {value}
  medicine, meds, prescription, pill | take, medication, medicine, pill, prescribed
blood_type one essential
  blood group | blood type
diet one 730d essential
  eating habit, dietary restriction, food restriction, dietary preference | eat, diet, vegetarian, vegan
# Tastes, habits, aims
likes many 1095d = {who} likes {value}
  | like, love, enjoy, into
dislikes many 1095d = {who} dislikes {value}
  pet peeve | dislike, hate, stand
preferences many 730d = {who} prefers {value}
  preference | prefer, preference
usual_drink one 365d
  usual order, usual coffee, coffee order, go-to drink, go-to coffee, morning coffee, regular order,
  morning drink, usual | drink, coffee, order, tea
hobbies many 730d = {who}'s hobby is {value}
  hobby, pastime, leisure activity | hobby, hobbies, free time, for fun
sports many 730d = {who} does {value}
  sport | sport, sports
instruments many = {who} plays {value}
  instrument, musical instrument | play, instrument
skills many = {who} is good at {value}
  skill, strength, expertise, specialty, speciality | good at, skill, skills, know
habits many 365d = {who}'s habit is {value}
  habit, routine, morning routine, ritual | usually, habit, routine
goals many 365d = {who}'s goal is {value}
  goal, objective, aim, ambition, target, resolution | goal, aim, target
plans many 90d = {who} plans {value}
  plan | plan, plans, planning
events many = {who} {value}
  event | happen, happened, when
appointments many 90d = {who} has {value}
  appointment, booking, reservation | appointment
reading one 90d = {who} is reading {value}
  current book, current read | reading, book
watching one 90d = {who} is watching {value}
  current show | watching, show, series
# Belongings and how to reach somebody
vehicle one 730d = {who} drives {value}
  car, automobile, ride, company car, van, truck, motorbike, motorcycle | drive, car, vehicle
bicycle one 1095d = {who} rides {value}
  bike, road bike, e-bike, mountain bike, cycle | bike, bicycle, ride
phone one 730d
  smartphone, mobile, mobile phone, cell phone, cellphone, handset, daily driver | phone, smartphone, mobile
laptop one 1095d
  computer, notebook, machine, work laptop, dev machine, pc, desktop | laptop, computer, machine
tablet one 1095d
  e-reader, ebook reader | tablet
watch one 1095d
  smartwatch, fitness tracker | watch
camera one 1095d
  photo camera | camera
headphones one 1095d = {who}'s headphones are {value}
  headphone, earbud, earphone, headset | headphones, earbuds
keyboard one 1095d
  mechanical keyboard | keyboard
console one 1095d = {who}'s games console is {value}
  games console, gaming console | console
coffee_machine one 1095d
  coffee maker, espresso machine | coffee machine
possessions many 1095d = {who} owns {value}
  possession, belonging | own, have
email one 1095d essential
  e-mail, mail, email address, e-mail address, mail address | email, mail
phone_number one 1095d essential
  telephone number, mobile number, cell number, number | phone number, number, call
website one 1095d
  homepage, home page, blog, site, portfolio | website, blog
handles many = {who}'s handle is {value}
  handle, username, user name, github handle, login | handle, username
# Contracts
gym one 365d = {who} trains at {value}
  fitness studio, workout spot, fitness club, training spot, box, sports club | gym, train, work out, exercise
memberships many 365d = {who} is a member of {value}
  membership, club | member, club
subscriptions many 365d = {who} subscribes to {value}
  subscription, streaming service | subscribe, subscription
bank one 730d = {who} banks with {value}
  bank account, account, current account, checking account, main bank | bank, account
insurance one 730d = {who} is insured with {value}
  health insurance, insurer, health insurer, car insurance, insurance company | insured, insurance
internet_provider one 730d
  isp, broadband provider, internet, broadband, internet connection, wifi provider | internet, broadband, provider
mobile_carrier one 730d
  carrier, mobile provider, phone plan, mobile plan, phone provider, network operator, sim | carrier, mobile plan
energy_provider one 730d
  electricity provider, power company, utility, gas provider, energy supplier, electricity supplier,
  | electricity, energy provider
# What is being built, and how
database one project 730d
  db, datastore, data store, persistence layer, persistence, storage layer, storage engine, storage backend,
  primary database, database engine, rdbms | database, db, store data, persist
cache one project 730d
  caching layer, cache layer, cache backend | cache
message_queue one project 730d
  queue, message broker, broker, event bus, job queue, task queue, message bus, event stream,
  queueing system | queue, broker, events
search_engine one project 730d
  search backend, search index, full-text search | search engine
object_storage one project 730d
  blob storage, file storage, bucket, object store, file store | files, blobs, bucket
programming_language one project 730d
  language, main language, coding language, implementation language | written in, language
framework one project 730d
  web framework, backend framework, ui framework, frontend framework, front-end framework | framework
frontend one project 730d
  front end, front-end, frontend stack, ui, user interface | frontend
backend one project 730d
  back end, back-end, backend stack | backend
orm one project 730d
  data mapper, database library | orm
package_manager one project 730d
  dependency manager, dependency management, dependency tool, package tool | package manager, dependencies, install
build_tool one project 730d
  bundler, build system, task runner, compiler | build tool, bundle, build
test_command one project 730d
  test entry point, test runner command, command for test, test script, way to run the test,
  | run the tests, test command, tests
test_framework one project 730d
  test runner, testing framework, testing library, test library, test suite | test framework
linter one project 730d
  linting tool, lint tool, static analyser, static analyzer | linter, lint
formatter one project 730d
  code formatter, formatting tool | formatter, format
type_checker one project 730d
  type checking tool, static type checker | type checker, types
ci one project 730d
  continuous integration, ci system, ci provider, ci server, build server, ci pipeline, pipeline,
  | ci, pipeline, build
deploy_target one project 730d
  hosting, deployment target, deployment, production, production environment, host, hosting provider, cloud,
  cloud provider, prod, platform, infrastructure, runtime environment, server provider,
  | deploy, deployed, host, hosted, run, production, cloud
region one project 730d
  cloud region, aws region, data centre, data center, availability zone | region
orchestrator one project 730d
  container orchestrator, container platform | orchestrator
infrastructure_as_code one project 730d
  iac, provisioning, provisioning tool, infrastructure tool | provision, infrastructure
monitoring one project 730d
  observability, metric, alerting, monitoring tool, error tracking, error tracker, apm,
  | monitoring, errors, metrics
logging one project 730d
  log aggregation, log, log shipping, logging stack | logs, logging
auth_provider one project 730d
  authentication, identity provider, auth, login provider, sso, single sign-on | auth, login
payment_provider one project 730d
  payment, payment processor, payment gateway, psp | payments, payment provider
email_provider one project 730d
  mail provider, email service, transactional email, mailer | send email
cdn one project 730d
  content delivery network, edge | cdn
dns_provider one project 730d
  dns, domain registrar, registrar | dns, registrar
branching_model one project 730d
  branch policy, branching strategy, branching policy, branch strategy, git workflow, branch model,
  branching, git strategy, branching rule | branch, branches, branching, merge
default_branch one project 730d
  main branch, trunk | default branch
merge_policy one project 730d
  merge strategy, merging policy, merge method | merge
review_policy one project 730d
  code review, code review policy, review process, approval rule, review rule | review, approvals
commit_style one project 730d
  commit message, commit message format, commit convention, commit format | commit message
release_cycle one project 730d
  release cadence, release schedule, release process, release train, release policy | release, releases
versioning one project 730d
  version scheme, versioning scheme, versioning policy | version numbers
license one project 730d
  licence, software license, software licence | license
code_style one project 730d
  style guide, coding style, indentation, coding standard | style, indentation
api_style one project 730d
  api protocol, interface style, api format | api style
code_host one project 730d
  code hosting, git host, git hosting, repository host, source control, version control | repository, code host
issue_tracker one project 730d
  project tracker, ticket system, bug tracker, ticketing, ticketing system, task tracker, tracker,
  project management tool | tickets, issues, tracker
chat_tool one project 730d
  team chat, messenger, chat, chat platform | chat
docs_tool one project 730d
  documentation, wiki, documentation tool, knowledge base, docs | documentation, docs
design_tool one project 730d
  design software, mockup tool, prototyping tool | design
meeting_tool one project 730d
  video call tool, video tool, conferencing tool, call tool | video calls
ai_model one project 730d
  model, llm, language model, embedding model | model, llm
owner one project 365d
  maintainer, code owner, owning team, product owner, tech lead, project lead | owner, maintains, responsible
deadline one project 180d
  due date, launch date, release date, ship date, go-live, go-live date, cut-off, delivery date,
  | deadline, due, launch, ship
budget one project 365d
  spending limit, cost limit | budget
team_meeting one project 180d
  team sync, weekly sync, weekly meeting, team call, weekly team meeting, weekly, sync, weekly call,
  team weekly, meeting slot | meeting, sync, call
standup one project 180d
  stand-up, daily, daily standup, daily stand-up, daily sync, scrum, daily scrum | standup, daily
one_on_one one project 180d
  1:1, one-on-one, one to one, 1-1, 1on1 | one-on-one
retrospective one project 180d
  retro, sprint retrospective | retro
planning one project 180d
  sprint planning, planning meeting | planning
on_call one project 90d
  on-call, on-call rota, pager, on-call rotation, on-call person | on call, pager
conventions many project 730d = {who} keeps to the rule: {value}
  convention, coding convention, house rule, naming convention, team rule, rule of thumb | convention, rule
decisions many project 730d = {who} has decided: {value}
  decision, design decision, architecture decision | decide, decision, chose
dependencies many project 730d
  dependency, third-party library | dependencies, libraries
# Tools
editor one either 730d
  ide, code editor, text editor, development environment | editor, ide
operating_system one either 730d
  os, distro, linux distribution, linux distro | operating system, os, distro
shell one either 730d
  command shell, login shell | shell
terminal one either 730d
  terminal emulator, terminal app | terminal
browser one either 730d
  web browser, default browser | browser
search_provider one either 730d
  default search engine, web search | search
password_manager one either 730d
  password vault, password store | passwords, password manager
note_app one either 730d
  note-taking app, notes app, notebook app, note tool | notes, note-taking
todo_app one either 730d
  task app, to-do app, todo list, task manager, to-do list app | tasks, to-dos
calendar_app one either 730d
  calendar | calendar
mail_client one either 730d
  email client, mail app, email app | mail client
music_service one either 730d
  music app, music streaming service, music streaming | music, stream
ai_assistant one either 730d
  assistant, coding assistant, coding agent, ai tool | assistant
backup one either 730d
  backup tool, backup solution, backup provider | backup
tools many either 730d = {who} uses {value}
  | use, tool, tools
"""


def _entries(table: str) -> tuple[Attribute, ...]:
    found: list[tuple[str, str]] = []
    for line in table.splitlines():
        if line.startswith("  "):
            found[-1] = (found[-1][0], found[-1][1] + line)
        elif line and not line.startswith("#"):
            found.append((line, ""))
    return tuple(_entry(head, words) for head, words in found)


def _entry(head: str, words: str) -> Attribute:
    properties, _, sentence = head.partition(" = ")
    name, *said = properties.split()
    called, _, asked = words.partition("|")
    return Attribute(
        name,
        Cardinality(said[0]),
        sentence or f"{{who}}'s {name.replace('_', ' ')} is {{value}}",
        synonyms=_listed(called),
        asked=_listed(asked),
        about=next((About(word) for word in said if word in tuple(About)), About.PERSON),
        fresh_days=next((int(word[:-1]) for word in said if word[:-1].isdigit()), None),
        essential="essential" in said,
    )


def _listed(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


CATALOGUE: tuple[Attribute, ...] = _entries(_TABLE)

_BY_NAME = {attribute.name: attribute for attribute in CATALOGUE}
_BY_SYNONYM = {
    words: attribute
    for attribute in reversed(CATALOGUE)
    for words in (*attribute.synonyms, attribute.name.replace("_", " "))
}
