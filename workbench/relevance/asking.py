"""Words that ask and join but name nothing; they are left out of questions, never out of documents."""

from __future__ import annotations

import re

_ENGLISH = (
    "a about all am an and any are as at be been being between by can could did do does for from give had has have how "
    "i if in into is it its list many me much of on or our please shall should show so some tell than that the their "
    "them then there these they this those to us was we were what when where whether which while who whom whose why "
    "will with would you your"
)
ASKING_WORDS = frozenset(_ENGLISH.split())
"""English, in lower case. "may" is no part of it, for it is a month as well."""

ASKING_PHRASES = re.compile(
    "请问|請問|请给出|請給出|为什么|為什麼|为何|為何|什么时候|什麼時候|什么|什麼|甚么|甚麼|如何|怎么样|怎麼樣|怎么|怎麼|怎样|怎樣|"
    "是否|有没有|有沒有|多少|多久|几个|幾個|哪一|哪些|哪个|哪個|哪种|哪種|哪里|哪裡|哪裏|哪儿|哪年|哪|谁|誰|何时|何時|何地|何种|何種|"
    "以及|还是|還是|或者|[的地得了吗嗎呢吧是在和与與或及]"
)
"""Chinese; they end a run of characters, so that no pair is made over them."""
