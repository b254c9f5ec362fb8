"""Words that several rules share, as parts of regular expressions."""

from __future__ import annotations

POLITE = (
    "(?:(?:please|kindly|now|then|(?:can|could|would|will) you|i (?:want|need) you to|i(?:'d| would) like (?:you "
    ")?to|help me(?: to)?),? ){0,3}"
)
"""What may stand before an order."""
START = rf"(?:^|[.?!;:\n] {{0,3}}|\band then ){POLITE}"
"""Where an order begins."""
ARTIFACT = (
    "(?:documents?|reports?|files?|papers?|articles?|books?|manuals?|contracts?|agreements?|polic(?:y|ies)|pages?|"
    "pdf|texts?|presentations?|slides?|decks?|spreadsheets?|workbooks?|sheets?|notebooks?|transcripts?|letters?|"
    "e-?mails?|threads?|logs?|filings?|stud(?:y|ies)|guides?|handbooks?|courses?|stor(?:y|ies)|scripts?|readme|"
    "archives?|folders?|collections?|patents?|claims?|data ?sets?|data|csv|tables?|minutes)"
)
"""What an artifact is called."""
PARTS = (
    "(?:rows?|entries|entry|records?|columns?|cells?|tables?|figures?|charts?|pages?|sections?|subsections?|"
    "chapters?|appendices|clauses?|paragraphs?|footnotes?|bullets?|files?|sheets?|slides?|equations?|references|"
    "citations|signatures?|headings?|annexes)"
)
"""What an artifact is made of, so that counting it means looking at all of it."""
ROWS = (
    "(?:rows?|entries|records?|lines?|items?|transactions?|orders?|invoices?|tickets?|incidents?|events?|errors?|"
    "warnings?|customers?|employees?|products?|requests?|cases?|claims?|shipments?|payments?)"
)
"""What the rows of tables and logs are about."""
ONE_PART = (
    "(?:section|clause|chapter|paragraph|article|appendix|annex|table|figure|page|step|item|part|slide|row|line)s? "
    r"(?:\d|[ivxlc]+\b|[a-z]\b)"
)
"""One numbered part of an artifact: what is asked of it is not asked of the whole."""
SUPERLATIVE = (
    "(?:highest|lowest|largest|smallest|biggest|greatest|longest|shortest|most|least|fewest|maximum|minimum|best|"
    "worst|oldest|newest|earliest|latest|cheapest|strongest|weakest|fastest|slowest|heaviest)"
)
EDITED = (
    f"(?:{ARTIFACT}|{PARTS}|typos?|spelling|grammar|formatting|code|function|class|config(?:uration)?|wording|"
    "headings?|title|values?|formulas?|bugs?|tests?|date format|words?|names?)"
)
"""What is edited."""
RUN = (
    "(?:scripts?|programs?|code|tests?|test suite|notebooks?|quer(?:y|ies)|macros?|commands?|cells?|pipelines?|jobs?|"
    "simulations?|benchmarks?|installer|migrations?|server|container|makefile|build)"
)
"""What is run."""
YEARS = r"(?:fy ?|q[1-4] ?(?:of )?)?'?(?:19|20)\d\d"
ZH_ARTIFACT = (
    "(?:文件|文档|文檔|报告|報告|文章|论文|論文|合同|合約|手册|手冊|说明书|說明書|全文|全书|全書|这本书|资料|資料|"
    "表格|数据|數據|日志|日誌|邮件|郵件|教材|课件|課件|条款|條款|年报|年報|专利|專利|制度|本文)"
)
"""What an artifact is called in Chinese."""
ZH_PART = "(?:第[0-9一二三四五六七八九十百]+[条條章节節页頁款行列段项項])"
"""One numbered part, in Chinese."""
ZH_START = (
    "(?:^|[。？！；，,.?!;：:] ?|再|然后)(?:请|請|麻烦|麻煩|帮我|幫我|你|能否|能不能|可以|把|将|將|给我|給我){0,4}"
)
"""Where an order begins in Chinese."""
