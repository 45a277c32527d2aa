"""Which wordings tell which attribute of a person.

A line is a subject, a verb and what follows it. `WHO` is somebody, `=home` one of these very words; a verb with `!`
is in the passive; `|` separates alternatives. A complement is a preposition (none for the object) and a slot: `VALUE`
or `OLD` with the sort of phrase it takes after a colon, `=word` for one of these words, `*` for anything. `?` before
a complement makes it optional, `+word` asks for one of these words, `-word` for none of them. After `>` stands what the wording does: `ended`,
`past`, `negated`, `event`, `soft` (believed less).
"""

from __future__ import annotations

LIFE_FRAMES = {
    "name": """
        =name be VALUE:person
        WHO !call|!name VALUE:person
        WHO be VALUE:firstname
    """,
    "nickname": """
        =everyone|everybody|people|friend|colleague|they call =me|us VALUE:name
        YOU call =me VALUE:name
        WHO go by VALUE:name
    """,
    "age": """
        WHO be VALUE:age -down|up|about
        WHO turn VALUE:age
    """,
    "birthday": """
        WHO !bear on|in|* VALUE:birthdate
    """,
    "birthplace": """
        WHO !bear in|at|near VALUE:place
        WHO !bear|raise in|at VALUE:place
    """,
    "nationality": """
        WHO be VALUE:citizen
        WHO be|become =citizen|national of|of VALUE:place
        WHO be VALUE:people
        WHO have|hold|get|receive VALUE:passport
    """,
    "religion": """
        WHO be VALUE:religion
        WHO convert to VALUE:religion
        WHO !affiliate with VALUE:religion
    """,
    "languages": """
        WHO speak|understand|know|read VALUE:tongue
        WHO speak VALUE:ownname > present
        WHO be =fluent|native|conversational|proficient in VALUE:tongue
        WHO hold =conversation in VALUE:tongue
        WHO pass =exam|test|certificate|course in VALUE:tongue
        WHO take|pass VALUE:tongueexam
        WHO grow ?with|speaking VALUE:tongue +up
    """,
    "school": "WHO go|attend|start to|at|* VALUE:school > state",
    "dentist": """
        WHO see|visit|go to|* VALUE:titled & teeth|tooth|dental|fillings?|crown|braces|cavity|cavities
    """,
    "doctor": """
        WHO see|visit|go to|* VALUE:titled
        WHO !register|!enrol|!enroll with|at VALUE:titled
    """,
    "height": "WHO be VALUE:height",
    "weight": "WHO weigh VALUE:number",
    "location": """
        WHO live|reside|dwell|settle in|at|near|within|on VALUE:place
        WHO !base|!locate|!settle|live in|at|near VALUE:place
        WHO move|relocate|emigrate|immigrate|return|come|go|migrate from OLD:place to|into VALUE:place
        WHO move|relocate|emigrate|immigrate to|into VALUE:place
        WHO return|come|go to|in VALUE:place +back|permanently|home
        WHO move in|to VALUE:place +back
        WHO move|live with SKIP:any in VALUE:place
        WHO move from|of VALUE:place > ended
        WHO be|stay in|near VALUE:place +back|still|now|currently|permanently|here|nowadays|home
        WHO be|stay in|near VALUE:place & these days|at the moment|for now|right now|for good|weeks now|months now|years now|days now > soft
        WHO buy|rent|get|have|own|find|lease|share =house|flat|apartment|home|place|room|studio|condo|cottage|bungalow|loft|key|1br|2br|3br|townhouse|sharehouse|duplex|maisonette|bedsit in|to|for VALUE:place
        WHO leave|abandon VALUE:place & for good|behind > ended
        WHO leave OLD:place for VALUE:place
        WHO call VALUE:place =home
        WHO spend =winter|summer|year in VALUE:place > soft
        =home|address be in|at VALUE:place
        VALUE:place be =home -to|of|for & now|these days|nowadays|again
        =home|base for|of =me|us be in|at|* VALUE:place
    """,
    "hometown": """
        WHO be|come|hail from VALUE:origin -back|home|just|help|visit|visiting|over > present
        WHO grow in|near|on|at VALUE:origin +up
        WHO !raise in|near VALUE:place
        WHO be SKIP:role from VALUE:place
    """,
    "timezone": """
        WHO be|live|work in|on VALUE:timezone
    """,
    "address": """
        WHO live|move|be at|to VALUE:street
    """,
    "email": """
        WHO !reach at|under|via|through VALUE:email
        YOU reach|email|write|contact|mail =me|us at|to|on|via VALUE:email
        WHO can be =reached at VALUE:email
    """,
    "phone_number": """
        WHO !reach at|under|on|via VALUE:phone
        YOU reach|call|text|ring|contact|phone =me|us at|on|under VALUE:phone
    """,
    "team": """
        WHO be|work|sit on|in|with VALUE:team
        WHO join|lead|head VALUE:team
        WHO move|switch|transfer|change|go from OLD:team to VALUE:team
        WHO move|switch|transfer|change|go to|into VALUE:team
        WHO !transfer|!move|!assign to VALUE:team
        WHO leave|quit VALUE:team > ended
    """,
    "gym": """
        WHO train|lift|exercise at|in VALUE:club
        WHO work at|in VALUE:club +out
        WHO go to =gym at|in VALUE:club
        WHO go|sign|train|head to|at|with VALUE:gym_
        WHO join VALUE:gym_
        WHO sign at|with|for VALUE:club & three|twice|times a week|mornings|evenings|workout|gym|train
        WHO have =pass|membership|locker|contract for|at|with VALUE:club
        WHO cancel|end|terminate|quit|drop =membership|contract|subscription|pass at|with|for VALUE:club > ended
        WHO cancel|end|terminate|quit|drop|leave VALUE:gym_ > ended
        WHO cancel|end|terminate|quit|drop VALUE:membership > ended
        VALUE:membership !terminate|!cancel|!end|end|expire > ended
    """,
    "memberships": """
        WHO be =member of|in|at VALUE:any
        WHO join VALUE:society
        WHO leave|quit VALUE:society > ended
    """,
    "employer": """
        WHO work|intern|freelance|consult for|at VALUE:org
        WHO clean|teach|cook|drive|bartend|lecture at|for VALUE:org
        WHO work in VALUE:workplace
        WHO run|own VALUE:workplace
        WHO work with VALUE:orgish
        WHO !employ|!hire|!recruit|!poach by|at|with VALUE:org
        WHO be in|on =payroll|staff of|at VALUE:org
        WHO start|begin at|with VALUE:org
        WHO start|begin|get|land|have|hold|accept|take|find =job|position|role|gig|contract|post at|with|for VALUE:org
        WHO quit|leave|lose|resign =job|position|role|post at|with|from VALUE:org > ended
        WHO hand|return|give in|* =badge|notice|resignation|laptop at|to VALUE:org > ended
        WHO quit|leave VALUE:orgish > ended
        WHO leave OLD:orgish for VALUE:orgish
        WHO resign|retire from VALUE:org > ended
        WHO !lay|!fire|!sack|!let from|by|at|off VALUE:org > ended
        WHO join VALUE:org
        WHO be with VALUE:org & since|for * years|for a while
        WHO be at VALUE:namedorg -doing|studying|learning|reading|majoring|waiting|sitting|standing|queueing|stuck > soft
        WHO do =internship|apprenticeship|traineeship|placement at|with VALUE:org > past
        WHO be VALUE:jobless
        WHO freelance > says:freelance
        WHO be|become SKIP:role of|at VALUE:org
        WHO run|own|found|cofound|co-found VALUE:company
        =day at|with VALUE:org be
        =job|day job|contract|employment be with|at|for VALUE:org
        WHO interview|apply|dream at|to|of|with|for VALUE:org > never
    """,
    "certifications": """
        WHO be VALUE:certified
        WHO !certify|!license|!qualify as|in|* VALUE:any
        WHO be =certified|licensed|qualified VALUE:any
        WHO have|hold|get|earn|pass VALUE:certificate
    """,
    "role": """
        WHO work|serve|act|start|intern as VALUE:role
        WHO make|earn =living as VALUE:role
        WHO be|become VALUE:role -such
        WHO !promote|!appoint|!elect|!make|!name to|as|* VALUE:role
        WHO get =promotion|promoted to VALUE:role
    """,
    "manager": """
        WHO report to VALUE:person
        WHO work under VALUE:person
        VALUE:person take|step|come|start as =boss|manager|supervisor|lead
        VALUE:person become|be =boss|manager|supervisor|lead|line manager of|for =me
        VALUE:person manage|supervise =me|us
        WHO !manage|!supervise by VALUE:person
    """,
    "reports": "WHO manage|supervise VALUE:person",
    "salary": "WHO earn|make VALUE:money",
    "work_schedule": """
        WHO work VALUE:worktime
        WHO work from =home|office|remote|anywhere > tail
    """,
    "education": """
        WHO study|major|minor in|at|* VALUE:study > tail
        WHO do VALUE:subject at SKIP:org > tail
        WHO switch|change|transfer from|to|into VALUE:subject
        WHO graduate from|in|with VALUE:study > tail
        WHO be at VALUE:org +doing|studying|majoring|reading > tail
        WHO attend|finish VALUE:education
        WHO go to VALUE:education
        WHO !educate at|in VALUE:study
        WHO have|hold|get|earn|finish|do|complete|receive VALUE:degree > tail
        WHO take =degree|course in VALUE:study
    """,
    "partner": """
        WHO !marry|!engage to|with VALUE:person
        WHO marry|date VALUE:person
        WHO be in =relationship with VALUE:person
        WHO split|break|separate with|from VALUE:person > ended
        WHO divorce VALUE:person > ended
    """,
    "marital_status": "WHO be VALUE:marital",
    "children": """
        WHO have|raise|adopt VALUE:child
        WHO be =mother|father|mum|dad|mom|parent of|to VALUE:child
    """,
    "pets": """
        ANY give|bring|get|buy =me|us VALUE:pet
        WHO have|own|adopt|get|buy|keep|rescue|foster VALUE:pet
        VALUE:pet join =family|household|us
        =there be VALUE:pet in =house|home|flat|household
        WHO rehome|lose VALUE:pet > ended
        VALUE:pet die|pass > ended
    """,
    "allergies": """
        WHO be =allergic|intolerant|sensitive to|of VALUE:any
        WHO have|develop =allergy|intolerance to|against VALUE:any
        WHO have|develop VALUE:allergy
        WHO be VALUE:intolerant
        WHO react to VALUE:allergen +badly|allergically
        VALUE:allergen give =me =hives|rash|migraine|migraines
        VALUE:allergen be =problem for =me
        VALUE:allergen make =me =sick|itch|sneeze
        WHO tolerate|eat|touch VALUE:allergen & can't tolerate|cannot tolerate|can not tolerate
    """,
    "health": """
        WHO have|develop|get VALUE:illness
        WHO suffer from VALUE:any
        WHO !diagnose with|as VALUE:any
        WHO live with VALUE:illness
        WHO break|fracture|sprain|tear|injure|twist VALUE:bodypart
        WHO be =diabetic|prediabetic|celiac|coeliac|asthmatic|epileptic|pregnant|colour-blind|colorblind|dyslexic|deaf|blind|anaemic|anemic|autistic > adjective
    """,
    "medication": """
        =doctor|doc|gp|they|nurse|specialist|psychiatrist|neurologist|cardiologist|oncologist put|start|switch|move =me on|onto|to VALUE:drug
        =doctor|doc|gp|they|nurse|specialist|psychiatrist|neurologist|cardiologist|oncologist drop|stop|discontinue VALUE:medicine > ended
        =doctor|doc|gp|they|nurse|specialist|psychiatrist|neurologist|cardiologist|oncologist take =me off VALUE:drug > ended
        WHO put|start =me on VALUE:drug
        WHO take VALUE:medicine
        WHO be on VALUE:medicine
        WHO !prescribe VALUE:any
        WHO stop|quit|finish VALUE:medicine > ended
    """,
    "usual_drink": """
        WHO drink|order|have|take VALUE:drink +always|usually|normally|typically|mostly
        WHO drink|have|take|order VALUE:drink & every|each|daily|in the morning|for breakfast|on weekdays
        WHO drink VALUE:drink
        WHO start =day|morning with VALUE:drink
        WHO go for VALUE:drink & always|usually|every
        WHO live on VALUE:drink
        WHO give VALUE:drink +up > ended
        WHO quit|stop|drop VALUE:drink > ended
        WHO go off VALUE:drink > ended
        WHO switch|swap|trade|exchange|replace OLD:drink for|to|with VALUE:drink
        WHO switch|change|move|go from OLD:drink to VALUE:drink
        WHO switch|change|move to VALUE:drink
        =barista|waiter|waitress make|bring VALUE:mydrink
        VALUE:drink be =usual
        =it be VALUE:drink for =me
        WHO take|drink|have VALUE:drink with|without * > tail
    """,
    "diet": """
        WHO be VALUE:diet
        WHO go|become|turn|stay VALUE:diet
        WHO eat VALUE:diet
        WHO eat|consume|have|touch|drink VALUE:food & never|n't|not|no longer
        WHO keep|follow|do|try|start|be VALUE:dietnoun
        WHO be on VALUE:dietnoun
        WHO cut|give|drop VALUE:food +out|up > ended
        WHO give|stop|quit|drop on|* VALUE:dietnoun > ended
        YOU forget VALUE:dietnoun > ended
        WHO avoid VALUE:food > negated
        WHO drink =alcohol & never|n't|not|no longer
    """,
    "likes": """
        WHO like|love|enjoy|adore VALUE:taste
        WHO be =fan|lover of VALUE:taste
        WHO be into|fond VALUE:taste
        WHO be =fond|keen of|on VALUE:taste
        WHO go off VALUE:taste > ended
        WHO listen to VALUE:taste & a lot|all the time|always|often|mostly
    """,
    "dislikes": """
        WHO hate|dislike|loathe|detest|despise VALUE:taste
        WHO stand|bear VALUE:taste & can't|cannot|can not|couldn't
        WHO be =fan of VALUE:taste & not|n't|never
    """,
    "preferences": "WHO prefer VALUE:taste > tail",
    "hobbies": """
        WHO take VALUE:activity +up
        WHO start|begin VALUE:hobby
        WHO collect VALUE:any > collecting present
        WHO play VALUE:hobby
        WHO do VALUE:hobby
        WHO give|quit|stop VALUE:hobby > ended
    """,
    "sports": """
        WHO play|do|practise|practice VALUE:sport
        WHO go VALUE:sport
        WHO take VALUE:sport +up
        WHO give|quit|stop VALUE:sport > ended
    """,
    "instruments": """
        WHO play VALUE:instrument
        WHO take =lesson in|on|for VALUE:instrument
    """,
    "skills": """
        WHO know VALUE:skill
        WHO be =good|great|skilled|experienced|proficient|expert|brilliant at|in VALUE:any
        WHO specialise|specialize|excel in|at VALUE:any
        WHO have =experience|expertise with|in VALUE:any
    """,
    "goals": """
        WHO train for VALUE:any
        WHO save for VALUE:any
        WHO aim for VALUE:any
        WHO work toward|towards VALUE:any
        WHO learn VALUE:learned > learn
    """,
    "reading": """
        WHO read VALUE:title & progressive
    """,
    "watching": """
        WHO watch VALUE:title & progressive
    """,
    "plans": """
        WHO plan VALUE:venture > tail
        WHO book VALUE:venture > tail
        WHO !marry & getting married > says:getting married
    """,
    "appointments": """
        WHO have|book|get VALUE:appointment
    """,
    "vehicle": """
        WHO drive|lease VALUE:vehicle
        ANY give|lend|buy|get|leave =me|us VALUE:car
        WHO have|own|buy|get|purchase|rent|lease|pick|order VALUE:car
        WHO have|own|buy|get|keep VALUE:anyvehicle in =garage|driveway|carport
        WHO sell|scrap|total|crash|wreck|ditch|return|rid VALUE:car > ended
        WHO trade|swap|exchange|replace OLD:car for|with|against VALUE:car
        WHO trade|hand VALUE:car > ended
        WHO own|have VALUE:nocar
    """,
    "bicycle": "WHO ride|cycle|own|have|buy|get VALUE:bike",
    "phone": """
        WHO use|have|get|buy|own|carry|order VALUE:phone_
        WHO switch|upgrade|change|move|go from OLD:phone_ to VALUE:phone_
        WHO switch|upgrade|change|move to VALUE:phone_
        WHO type|write|post on|from VALUE:phone_
    """,
    "laptop": """
        WHO use|have|get|buy|own|carry|order|work ?on VALUE:laptop_
        WHO switch|upgrade|change|move from OLD:laptop_ to VALUE:laptop_
        WHO switch|upgrade|change|move to VALUE:laptop_
    """,
    "subscriptions": """
        WHO subscribe to VALUE:name
        WHO !subscribe to VALUE:name
        WHO have|get|pay ?for VALUE:subscription_
        WHO be =subscriber of|to VALUE:name
        WHO cancel|drop|quit|end|stop|give VALUE:subscription_ > ended
        WHO cancel|end|drop =subscription to|for|of|with VALUE:name > ended
        WHO unsubscribe from VALUE:name > ended
    """,
    "bank": """
        WHO bank with|at VALUE:name
        WHO have|open =account|accounts|giro with|at VALUE:name
        WHO do =banking with|at VALUE:name
        WHO move|switch|transfer =account|bank|banking|money|saving from OLD:name to VALUE:name
        WHO move|switch|transfer =account|bank|banking|money|saving to VALUE:name
        WHO close =account at|with VALUE:name > ended
        =account|saving|money|salary be|sit|live with|at VALUE:name
    """,
    "insurance": """
        WHO !insure with|at|by VALUE:name
        =insurance|policy be with|from|at VALUE:name
    """,
    "internet_provider": """
        WHO be with VALUE:name for =internet|broadband|wifi|fibre|fiber
        WHO have|get =internet|broadband|fibre|fiber from|with|through VALUE:name
        =internet|broadband|wifi|fibre come|be from|with|by VALUE:name
    """,
    "mobile_carrier": """
        =plan|contract|sim|number be with|from|on VALUE:name
    """,
    "energy_provider": """
        WHO get|have =electricity|power|gas|energy from|with VALUE:name
        =electricity|power|gas|energy come|be from|with VALUE:name
    """,
    "possessions": """
        WHO own VALUE:object
        WHO buy|purchase VALUE:object
        WHO have VALUE:object at|in =home|house|garden|garage|basement|attic
        WHO sell VALUE:sold > ended
    """,
    "events": """
        WHO visit|attend|win|celebrate VALUE:happening > event
        WHO run VALUE:race > event
        WHO marry ?* > event
        WHO !marry|!engage|!divorce|!promote|!fire & got|get > event
        WHO travel|fly to|from VALUE:happening > event
    """,
}
