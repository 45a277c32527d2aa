"""Talk that carries nothing to remember: requests to the assistant, small talk, and material that is only quoted.

Patterns are matched at the beginning of a sentence, in lower case, and end at a word.
"""

from __future__ import annotations

# Verbs of requests to an assistant. "Run" and "use" are missing on purpose: they also tell how a project is worked on.
REQUEST_VERBS = (
    "write rewrite give make tell show add explain list create generate help find provide describe summarise "
    "summarize translate continue fix improve edit proofread paraphrase correct convert compare calculate compute "
    "solve answer act pretend analyze analyse suggest recommend draft compose outline design draw implement "
    "refactor debug format reformat organize organise rank sort expand shorten elaborate clarify define discuss "
    "evaluate review check double-check verify confirm update change remove delete replace insert include exclude "
    "combine merge split count search google look read open close save send email print output respond reply "
    "repeat redo retry try start begin stop wait go keep let proceed finish complete extend turn take put set get "
    "bring choose pick select identify assume imagine consider suppose simulate role-play roleplay play teach "
    "guide walk help brainstorm come think focus reduce increase highlight incorporate ensure present pull map "
    "plan prepare schedule remind order book assist share discover predict estimate classify label mention "
    "note-down ask apply avoid copy paste enter type describe visualize visualise plot build develop train test "
    "feel tailor adapt adjust simplify mix generate produce suggest do be don't please-help use-this research "
    "investigate study outline critique grade score recreate reword restructure reorganize polish enhance optimize "
    "optimise see watch listen hold lay hit lock nail pull"
)
# Openings of a sentence after which the rest is material to work on, if a colon follows.
MATERIAL_OPENINGS = (
    "translate|rewrite|summari[sz]e|proofread|correct|paraphrase|fix|edit|improve|explain|here is|here's|this is|"
    "these are|given|consider|context|text|prompt|example|for example|e\\.g|passage|article|sample|quote|title|"
    "input|output|code|question|q|instructions?"
)
# Openings that ask the listener to keep in mind what follows: taken off before reading.
KEEP_IN_MIND = (
    "please remember that|please remember|remember that|remember|please note that|please note|note that|keep in "
    "mind that|keep in mind|don't forget that|don't forget|please don't forget that|just so you know|so you know|"
    "for the record|fyi|for your information|by the way|btw|you should know that|you should know|be aware that|let "
    "it be known that|for context|for reference|to be clear|just to be clear|as you know|good news|big news|great "
    "news|bad news|news|update|quick update|small update|status|heads up|heads-up|psa|reminder|i should mention "
    "that|i should mention|i forgot to mention that|i forgot to mention|i wanted to let you know that|i wanted to "
    "tell you that|did i mention that|did i tell you that|i want you to know that|i'd like you to know that|just a "
    "heads up|one more thing|also|oh|well|hey|hi|hello|ok|okay|yes|yeah|so|and|but|then|right|alright|sure|cool|"
    "honestly|frankly|funny thing|fun fact|turns out|it turns out that|it turns out|as it turns out|apparently|"
    "actually|in fact|signed|tl;dr|tldr|decided|done|finally|guess what|exciting news|sad news|life update|quick "
    "note|note to self|note|info|important|decision|agreed|scheduled|confirmed|i think|i believe|i guess|i'm "
    "pretty sure|i am pretty sure|i'm sure|pretty sure|as mentioned|as i said|like i said|i told you|i mentioned "
    "that|i already said that|as discussed|hooray|yay|wow"
)
# Signs that what a message says is invented, or is a text to be worked on.
PLAY = (
    r"\b(?:role-?play(?:ing)?|pretend(?:ing)?|make-believe|in character|persona|rhymes?|limerick|"
    r"poem|haiku|lyrics|dialogue|monologue|screenplay|short story|fan ?fiction|riddle|(?:finish|continue|complete) (?:it|this|that|the "
    r"(?:line|verse|sentence|story|text|joke)))\b"
)
GREETINGS = (
    "hi|hello|hey|thanks|thank you|good morning|good evening|good night|good afternoon|bye|goodbye|see you|cheers|"
    "lol|haha|ok|okay|cool|great|nice|sure|yes|no|yep|nope|sounds good|got it|perfect|awesome|alright|never mind|"
    "nevermind|no worries|no problem|welcome|congrats|congratulations|happy birthday|good luck"
)
# Openings of a sentence that takes the one before it back.
JOKING = (
    r"[(\s]*(?:no,? |nah,? |lol,? |haha,? )?(?:just |only |i'?m |i am |totally )*(?:kidding|joking*|jk|j/k|not really)\b"
    r"|[(\s]*(?:this|that) (?:is|was) a joke\b|[(\s]*(?:\w+,? )?jokin*g+\b"
)
# Words of a sentence that is about the conversation or about a text, not about the world.
ABOUT_THE_TALK = (
    r"\b(?:your (?:answer|response|reply|suggestion|last|previous|help)|the above|as above|below|the following|"
    r"this (?:conversation|chat|text|sentence|paragraph|response|answer|prompt)|you (?:said|wrote|told|gave|"
    r"suggested|mentioned|are|were)|act as|pretend (?:to be|you)|in the style of)\b"
)
# Blocks that were put into the conversation by machines: never evidence of anything.
INJECTED_BLOCKS = (
    "memory",
    "memories",
    "recollect",
    "recollection",
    "recall",
    "context",
    "system-reminder",
    "system",
    "tool_result",
    "tool_call",
    "function_results",
    "private",
    "retrieved",
    "injected",
    "untrusted",
    "document",
    "search_results",
    "observation",
    "note",
)
ECHO_MARKS = (
    "[recalled]",
    "[memory]",
    "[recollect]",
    "[from memory]",
    "known facts:",
    "relevant memories:",
    "relevant facts:",
    "what i remember:",
    "## memory",
    "# memory",
    "recalled memories:",
    "user profile:",
    "memories:",
)
