"""English words that say how much of an artifact a question is about; ``intent_rules`` says how they are used."""

from __future__ import annotations

from ...relevance.scores import Scope
from .rule import IntentRule
from .words import ARTIFACT, ONE_PART, PARTS, ROWS, START, SUPERLATIVE, YEARS

ENGLISH: tuple[IntentRule, ...] = (
    IntentRule(
        "summary",
        "en",
        Scope.WHOLE,
        words=(
            rf"{START}(?:summari[sz]e|recap|condense)\b(?! compensation)",
            (
                r"\b(?:a|an|the|give|write|brief|short|one-page|executive)\b[^.?!]{0,20}\b(?:summary|overview|"
                r"synopsis|abstract|digest|gist|outline) of (?:th[ei]s?|all|every|each|our|my)\b(?: [\w-]+){0,3} "
                rf"{ARTIFACT}\b"
            ),
            (
                rf"{START}(?:give|write|make|provide|prepare|draft|create|produce)\b(?: me| us)?(?: a| an| the)?(?: "
                r"[\w-]+){0,3} (?:summary|overview|synopsis|outline)\b"
            ),
            r"\btl;?dr\b",
        ),
        example="Summarise the document in five sentences.",
        because="asks for all of it in short",
        unless=(ONE_PART,),
    ),
    IntentRule(
        "main points",
        "en",
        Scope.WHOLE,
        words=(
            (
                r"\b(?:main|key|central|principal|most important) (?:points|ideas?|topics?|themes?|messages?|"
                r"takeaways?|arguments|conclusions|findings) (?:of|in|from) (?:th[ei]s?|these|the whole)\b(?: [\w-]+"
                rf"){{0,2}} {ARTIFACT}\b"
            ),
        ),
        example="What are the key takeaways of this report?",
        because="is decided by everything the artifact says",
        unless=(ONE_PART,),
    ),
    IntentRule(
        "about what",
        "en",
        Scope.WHOLE,
        words=(
            (
                rf"\bwhat(?: is|'s| are| does| do) (?:it|this|these|th[ei]s? (?:[\w-]+ ){{0,2}}{ARTIFACT}) (?:all "
                r")?(?:about|cover)\s*(?:\?|$)"
            ),
        ),
        example="What is this document about?",
        because="asks what the artifact as a whole is about",
    ),
    IntentRule(
        "entire artifact",
        "en",
        Scope.WHOLE,
        words=(
            rf"\b(?:whole|entire|complete|full) (?:[\w-]+ )?{ARTIFACT}\b",
            r"\b(?:read|review|proofread|go) (?:through )?(?:it all|everything)\b",
            r"\bfrom (?:the )?(?:beginning|start|cover|first page) to (?:the )?(?:end|cover|last page)\b",
            rf"{START}(?:proof-?read|critique|peer[- ]review)\b",
        ),
        example="Read the entire contract and tell me whether it is balanced.",
        because="names the artifact as a whole",
        unless=(
            (
                r"\b(?:whole|entire|complete|full) (?:text|page|table|data|line|story) (?:of|on|in) (?:the "
                ")?(?:section|clause|page)"
            ),
        ),
    ),
    IntentRule(
        "all of it, copied",
        "en",
        Scope.WHOLE,
        words=(
            (
                f"{START}(?:translate|convert|transcribe|copy|reproduce|export|reformat|rewrite|paraphrase|"
                r"transliterate)\b(?: (?:out|all of))? (?:(?:the|this|these|our|my|all|every|each|it) ?)(?:[\w-]+ "
                rf"){{0,3}}?(?:{ARTIFACT}|everything)\b"
            ),
            (
                rf"{START}(?:translate|convert|export|reformat|turn)\b(?: all of)? (?:the|this|these|our|my|all|it) "
                r"?(?:[\w-]+ ){0,3}?(?:in)?to\b"
            ),
        ),
        example="Translate this manual into German.",
        because="uses every sentence of the artifact",
        unless=(ONE_PART,),
    ),
    IntentRule(
        "list every",
        "en",
        Scope.AGGREGATE,
        words=(
            (
                r"\b(?:list|name|enumerate|find|show|identify|extract|collect|give(?: me)?|return|tabulate|mark|flag|"
                r"get|pull out|count)(?: me| out| up)? (?:all(?: of)?(?: the| our| my)?|every|each(?: of)?)\b"
            ),
            r"\benumerate (?:the|them|each|all)\b",
            (
                r"\b(?:make|draw up|build|create|compile|produce|give me|write) an? (?:[\w-]+ )?(?:table|list|"
                r"register|index) of (?:all|every|each|the)\b"
            ),
            r"\b(?:what|which) (?:are|were) all (?:of )?(?:the|these)\b",
            (
                r"\b(?:what|which|who) (?:are|were) (?:the|all)\b[^.?!]{1,60}\b(?:mentioned|listed|named|described|"
                rf"discussed|cited|covered) (?:in|throughout|across) (?:the|this) (?:[\w-]+ ){{0,2}}{ARTIFACT}\b"
            ),
        ),
        example="List every supplier that missed a delivery.",
        because="wants each of a kind, and one that is skipped is missed",
        unless=(
            (
                r"\b(?:format|write|return|give|list) (?:all )?(?:of )?(?:the )?(?:years|dates|answers?|numbers|"
                "pages|colors)? ?(?:in|as) (?:a |the )?list (?:format|like)"
            ),
        ),
    ),
    IntentRule(
        "count of parts",
        "en",
        Scope.AGGREGATE,
        words=(
            (
                rf"\b(?:how many|(?:the|total) number of)(?: [\w-]+){{0,3}}? {PARTS}\b(?! (?:thick|deep|long|wide|"
                "apart|per))"
            ),
        ),
        example="How many rows are in the sheet?",
        because="counts parts of the artifact",
    ),
    IntentRule(
        "count of what is there",
        "en",
        Scope.AGGREGATE,
        words=(
            (
                r"\bhow many\b[^.?!]{1,80}\b(?:are there|(?:is|are|were) (?:still |now )?(?:listed|mentioned|"
                "recorded|shown|named|logged|marked|flagged|plotted|cited|open|overdue|missing)|appear(?:s|ed)?|"
                rf"(?:in|across|over|throughout) (?:th[ei]s?|these|all|both|the whole) (?:[\w-]+ ){{0,2}}{ARTIFACT}|"
                r"in (?:total|all|sum)|altogether|combined|collectively)\b"
            ),
        ),
        example="How many suppliers are there in the register?",
        because="counts over all that the artifact lists",
    ),
    IntentRule(
        "count by a condition",
        "en",
        Scope.AGGREGATE,
        words=(
            (
                r"\bhow many\b[^.?!]{1,80}\b(?:exceed(?:s|ed|ing)?|(?:more|less|fewer|greater|higher|lower|older|"
                r"longer|shorter|larger|smaller) than|(?:above|below|over|under|at least|at most) [$€£¥]?\d)"
            ),
            r"\bhow many of (?:the|these|those|them|our)\b",
            (
                r"\bhow (?:many times|often) (?:do|does|did|is|are|was|were|has|have)\b[^.?!]{1,60}\b(?:appear|"
                "mention|come up|show up|logged|recorded)"
            ),
            (
                r"\bwhich (?:[\w-]+ ){0,3}[\w-]+s\b[^.?!]{1,60}\b(?:exceed(?:s|ed)?|(?:more|less|fewer|greater|"
                "higher|lower|older|longer|shorter|larger|smaller) than|above|below|over|under|at least|at most) "
                r"[$€£¥]?\d"
            ),
            (
                r"\b(?:how many|which)\b[^.?!]{1,60}[\w-]+s\b[^.?!]{0,30} (?:are|were|have|had) (?:only|still|not|"
                r"already|fallen|failed|missed|expired|exceeded)\b"
            ),
        ),
        example="In how many years did net income exceed $3 million?",
        because="counts what meets a condition, so all must be looked at",
    ),
    IntentRule(
        "count of a table's rows",
        "en",
        Scope.AGGREGATE,
        words=(rf"\b(?:count|tally)\b[^.?!]{{0,40}}\b(?:{ROWS}|{PARTS}|occurrences?|times)\b",),
        example="Count the tickets with status open.",
        because="counts over all rows",
        unless=(
            r"\b(?:head|blood|cell|platelet|word) count\b",
            r"\baccount",
        ),
    ),
    IntentRule(
        "sum",
        "en",
        Scope.AGGREGATE,
        words=(
            (
                r"\b(?:sum of(?= \w)|sum up|summed|add (?:up|together)|adds? up to|added (?:up|together)|(?:total|sum) "
                r"(?:up )?(?:all|every|each)\b|(?:total|sum)\b[^.?!]{0,60}\b(?:of|by|for|from|across|over) (?:all|"
                r"every|each)\b|(?:across|over|for) all (?:of )?(?:the )?(?:[\w-]+ ){0,2}[\w-]+s\b|\ball (?:of "
                r")?(?:the )?(?:[\w-]+ ){0,3}[\w-]+s\b[^.?!]{0,30}\b(?:together|come to))"
            ),
        ),
        example="What is the sum of the freight column?",
        because="adds up over rows, and one that is skipped is missed",
        unless=(
            r"\b(?:in|a|the) sum of (?:money|[$€£¥\d])",
            r"\blump sum\b",
        ),
    ),
    IntentRule(
        "average of a set",
        "en",
        Scope.AGGREGATE,
        words=(
            (
                r"\b(?:average|mean|median|standard deviation|variance|percentile|correlation)\b[^.?!]{0,60}\b(?:of|"
                rf"by|for|from|across|over|per|among) (?:(?:all|every|each)\b|(?:the |these )?(?:[\w-]+ )?(?:{ROWS}|"
                r"columns?|table|quarters|months|weeks|stations|departments|branches)\b)"
            ),
            (
                r"\b(?:compute|calculate|work out|find)\b[^.?!]{0,20}\b(?:average|mean|median|standard deviation|"
                r"variance|correlation)\b"
            ),
            r"\baverage (?:quarterly|monthly|weekly|daily)\b",
        ),
        example="What is the average delay over all shipments?",
        because="is computed over all rows",
    ),
    IntentRule(
        "choice from a set",
        "en",
        Scope.AGGREGATE,
        words=(
            (
                r"\b(?:which of|(?:among|out of) (?:all|the|these|those|our)\b|of all\b)"
                rf"[^.?!]{{0,120}}\b{SUPERLATIVE}\b"
            ),
            (
                r"\bwhich\b(?: [\w&'-]+){1,6}? (?:has|had|have|shows?|showed|with|received|generated|recorded|"
                "reported|reached|paid|sold|spent|brought in|costs?|made|took|grew|fell|lost|performed|contributed)"
                rf"(?: [\w'-]+){{0,2}} (?:the )?{SUPERLATIVE}\b"
            ),
            rf"\bwhich (?:[\w&'-]+ ){{1,4}}(?:the )?{SUPERLATIVE}(?= ?\?| (?:in|on|during|over|at|for|of)\b)",
            rf"\bwhich (?:year|quarter|month|week|day|period)s? (?:was|were|saw)\b[^.?!]{{0,60}}\b{SUPERLATIVE}\b",
            rf"\bwho (?:has|had|received|sold|spent|made|earned|scored) the (?:[\w-]+ )?{SUPERLATIVE}\b",
        ),
        example="Which of the depots is largest?",
        because="compares all of a set to choose one",
    ),
    IntentRule(
        "order of a set",
        "en",
        Scope.AGGREGATE,
        words=(
            r"\b(?:rank|sort|order)\b[^.?!]{1,60}\b(?:by|from|according|descending|ascending)\b",
            r"\btop[- ]?(?:\d+|three|five|ten|two|four)\b[^.?!]{0,60}\bby\b",
            r"\bin (?:descending|ascending|chronological) order\b",
        ),
        example="Rank the branches by turnover.",
        because="puts all of a set in order",
        unless=(
            r"\b(?:in|by|with|write)[^.?!]{0,40}(?:answer|list)[^.?!]{0,40}(?:alphabetical|descend|ascend)",
            r"\bin order (?:to|for|that)\b",
            "(?:purchase|court|executive) order",
        ),
    ),
    IntentRule(
        "each group",
        "en",
        Scope.AGGREGATE,
        words=(
            r"\b(?:group(?:ed)? by|broken down by|breakdown (?:of|by)|distribution of|histogram|pivot)\b",
            (
                r"\b(?:for|in|of|per) each (?:of the )?(?:month|quarter|year|department|region|category|country|"
                rf"product|customer|branch|team|{ROWS}|{PARTS})\b"
            ),
            r"\bper (?:department|region|category|country|customer|branch|team)\b",
        ),
        example="Show the spend per department.",
        because="gives a number for each group, from all rows",
    ),
    IntentRule(
        "whether any or none",
        "en",
        Scope.AGGREGATE,
        words=(
            (
                r"\b(?:are there any|is there any|does any|do any|do all|does every|does each|are all(?: of)?(?: the"
                rf")?|is every|check (?:all|every|each|whether all))\b[^.?!]{{0,40}}\b(?:{ROWS}|{PARTS}|duplicates?|"
                r"gaps?|outliers?|contradictions?|inconsistenc(?:y|ies)|blanks?|missing values?)\b"
            ),
            (
                r"\b(?:find|check for|look for|spot) (?:any )?(?:duplicates?|gaps?|outliers?|contradictions?|"
                r"inconsistenc(?:y|ies)|missing values?)\b"
            ),
        ),
        example="Are there any duplicate invoices?",
        because="is settled only when all have been looked at",
    ),
    IntentRule(
        "comparison",
        "en",
        Scope.SEVERAL,
        words=(
            (
                r"\b(?:compare[sd]?|comparison|contrast|versus|vs\.?|differ(?:s|ed|ent)? (?:from|between)|"
                "differences? (?:between|in|of|from)|gap (?:between|of)|relation(?:ship)? (?:between|of)|in common)"
                r"\b"
            ),
            (
                r"\bwhich (?:year|quarter|month|period|one|of the two)\b[^.?!]{0,80}\b(?:higher|lower|more|less|"
                r"larger|greater|better|worse|smaller|fewer|longer|shorter)\b"
            ),
            (
                r"\b(?:higher|lower|more|less|larger|greater|better|worse|smaller|fewer|earlier|later|longer|shorter|"
                r"faster)\b[^.?!]{0,60}\bthan\b[^.?!]{0,60}\b(?:in|of|at|section|chapter|the)\b"
            ),
            r"\bprior to or\b",
            r"\bbefore or after\b",
        ),
        example="How does the 2021 warranty compare to that of 2022?",
        because="sets two things side by side",
        unless=(
            r"\bno (?:more|less|later|longer|earlier) than\b",
            r"\b(?:more|less|fewer|greater|later|longer) than (?:one|two|three|\d)",
        ),
    ),
    IntentRule(
        "change over time",
        "en",
        Scope.SEVERAL,
        words=(
            (
                r"\b(?:chang(?:e|ed|es|ing)|increas\w*|decreas\w*|improv\w*|declin\w*|rises?|grow(?:th|n)?|grew|rose|"
                r"risen|fell|fallen|drop(?:ped)?|difference|reduction|trend|average|mean|sum|evol\w+)"
                rf"\b[^.?!]{{0,80}}\b(?:between|from|since|over|during|to|and)\b[^.?!]{{0,40}}{YEARS}"
            ),
            rf"{YEARS} ?[-–] ?{YEARS}[^.?!]{{0,30}}\b(?:average|growth|change|trend|cagr)\b",
            (
                r"\b(?:year[- ]over[- ]year|yoy|historically|over time|over the years|(?:in|over|during) the (?:last|"
                r"past) (?:\d+|two|three|four|five|ten|few|several) (?:years|quarters|months))\b"
            ),
        ),
        example="By how much did rent rise from 2019 to 2021?",
        because="needs the figures of several times",
        unless=(r"\bfor the (?:period|year|quarter)s? (?:ended|from)\b",),
    ),
    IntentRule(
        "several at once",
        "en",
        Scope.SEVERAL,
        words=(
            r"\brespectively\b",
            r"\b(?:for|in|of|at|by|to) both\b",
            r"\bboth\b[^.?!]{1,40}\band\b",
            f"{YEARS},? (?:and|&) {YEARS}",
            f"{YEARS}, {YEARS}",
            r"\beach of the (?:two|three|four|five|six|\d+)\b",
        ),
        example="What were the fees in 2019 and 2020 respectively?",
        because="asks the same of several",
    ),
    IntentRule(
        "calculation",
        "en",
        Scope.SEVERAL,
        words=(
            (
                r"\b(?:(?:quick|current|cash|debt|leverage|coverage|payout|turnover|flow|equity) ratio|percentage "
                "(?:change|increase|decrease|point|gap|difference)|as a (?:percentage|share) of|per ?cent of the "
                r"total|return on|days (?:payable|sales)|margin profile)\b"
            ),
            rf"{START}(?:calculate|compute|work out)\b",
            r"\bcalculated? (?:as|using)\b",
            r"\bis defined as\b",
            r"\bdefine\b[^.?!]{1,60}\bas\b",
        ),
        example="What is the quick ratio at the end of the year?",
        because="is worked out from several figures",
    ),
    IntentRule(
        "course of events",
        "en",
        Scope.SEVERAL,
        words=(
            (
                r"\b(?:timeline|chronolog\w+|sequence of events|reorder|history of|step by step|steps? (?:from|"
                r"between)|how did\b[^.?!]{1,60}\b(?:evolve|develop|progress|unfold))\b"
            ),
        ),
        example="Put the outages on a timeline.",
        because="follows something through several places",
    ),
)
