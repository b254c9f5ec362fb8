"""Words that say what is to be done with an artifact, in English and Chinese: to copy, to change or to run it."""

from __future__ import annotations

from .actions import Action
from .rule import IntentRule
from .words import ARTIFACT, EDITED, RUN, START, ZH_START

ACTIONS: tuple[IntentRule, ...] = (
    IntentRule(
        "copy",
        "en",
        Action.COPY,
        words=(
            (
                r"\b(?:verbatim|word[- ]for[- ]word|letter by letter|exact (?:wording|text|words|phrasing)|character "
                r"for character|in its original wording)\b"
            ),
            rf"{START}(?:copy|transcribe|reproduce)\b(?! (?:number|machine))",
            (
                r"\b(?:quote|cite|give|print|show|return|output)\b(?:[^.?!]|\.\d){0,40}\b(?:in full|unchanged|"
                r"unabridged|the full text)\b"
            ),
        ),
        example="Copy clause 7 word for word.",
        because="wants the text itself, in which nothing may be left out",
    ),
    IntentRule(
        "translation or conversion",
        "en",
        Action.COPY,
        words=(
            rf"{START}translate\b",
            (
                rf"{START}(?:convert|export|reformat|transcribe|transliterate)\b[^.?!]{{0,60}}(?:\b{ARTIFACT}\b|"
                r"\b(?:markdown|json|yaml|xml|html|csv|latex|plain text|pdf|docx)\b)"
            ),
        ),
        example="Convert the table to JSON.",
        because="turns each sentence or cell into another one",
    ),
    IntentRule(
        "edit",
        "en",
        Action.EDIT,
        words=(
            (
                f"{START}(?:fix|edit|rewrite|rephrase|redact|proof-?read|reformat|refactor|anonymi[sz]e|copy-?edit)"
                r"\b(?! (?:price|rate|asset|cost|term))"
            ),
            (
                f"{START}(?:correct|change|replace|rename|delete|remove|insert|add(?! up| together)|update|append|"
                rf"fill in|move|merge|split|shorten|sort|modify|adjust)\b[^.?!]{{0,60}}\b{EDITED}\b"
            ),
            rf"\bsave (?:the|it as|as) {ARTIFACT}\b",
            rf"\b(?:give|send|hand)\b[^.?!]{{0,40}}\b{ARTIFACT} back\b",
            rf"{START}write\b[^.?!]{{0,60}}\bagain with\b",
            (
                r"\b(?:give|send|hand) (?:me |us )?(?:back )?the (?:whole|complete|corrected|changed|updated|new|"
                rf"clean) (?:[\w-]+ ){{0,2}}{ARTIFACT}\b"
            ),
        ),
        example="Fix the typos in the file.",
        because="changes the artifact",
        unless=(
            r"\b(?:my|our) (?:account|profile|personal|data|information)\b",
            r"^(?:how|what|when|where|who|why|which|does|do|is|are|may|should)\b",
        ),
    ),
    IntentRule(
        "execute",
        "en",
        Action.EXECUTE,
        words=(
            rf"{START}(?:run|execute|launch|start|compile|deploy|install|invoke|re-?run)\b[^.?!]{{0,40}}\b{RUN}\b",
            (
                rf"{START}(?:plot|graph|chart|visuali[sz]e|draw(?! up))\b[^.?!]{{1,60}}\b(?:columns?|chart|graph|"
                r"histogram|curve|over time|against)\b"
            ),
        ),
        example="Run the script and tell me what it prints.",
        because="runs something on the artifact",
        unless=(r"^(?:how|what|when|where|who|why|which|does|do|is|are|may|should)\b",),
    ),
    IntentRule(
        "copy (zh)",
        "zh",
        Action.COPY,
        words=(
            "逐字",
            "原文照",
            "照抄",
            "抄录",
            "抄錄",
            "原样",
            "原樣",
            "一字不[差改漏]",
            "完整(?:抄|引用|复制|複製|给出原文|給出原文)",
            "(?:复制|複製|摘抄|引用)[^，。？！,?!]{0,10}(?:原文|全文)",
            "(?:给出|給出|列出|写出|寫出)[^，。？！,?!]{0,12}原文",
        ),
        example="逐字抄录第七条。",
        because="wants the text itself, in which nothing may be left out",
    ),
    IntentRule(
        "translation or conversion (zh)",
        "zh",
        Action.COPY,
        words=(
            (
                f"{ZH_START}[^，。？！,?!]{{0,16}}(?:翻译成|翻譯成|译成|譯成|译为中|译为英|转换成|轉換成|转换为|"
                "轉換為|转成|轉成|转为|轉為)"
            ),
            f"{ZH_START}(?:翻译|翻譯|转换|轉換)(?!成|为|為|局|者|家|是|过)",
        ),
        example="把这份说明书翻译成英文。",
        because="turns each sentence or cell into another one",
        unless=(
            (
                "(?:由谁|由誰|是谁|是誰|谁|誰|什么时候|什麼時候|哪一年|何时|何時|被|可以|可)"
                "[^，。？！,?!]{0,14}(?:翻译|翻譯|译|譯|转换|轉換|转|轉)"
            ),
            "什[么麼]",
            "哪",
        ),
    ),
    IntentRule(
        "edit (zh)",
        "zh",
        Action.EDIT,
        words=(
            (
                f"{ZH_START}[^，。？！,?!]{{0,14}}(?:修改|改正|更正|修正|改成|改为|改為|替换|替換|删除|刪除|删掉|"
                "刪掉|润色|潤色|校对|校對|重写|重寫|改写|改寫|插入|补上|補上|加上一)"
            ),
            "[把将將][^。？！?!]{2,40}改(?:成|为|為)",
            "另存(?:一份|为|為)",
        ),
        example="请修改文件中的错别字。",
        because="changes the artifact",
        unless=(
            "什[么麼]",
            "谁",
            "誰",
            "哪",
            "何",
            "多少",
            "几",
            "幾",
            "如何",
            "怎",
            "是否",
            "吗",
            "嗎",
            "被",
        ),
    ),
    IntentRule(
        "execute (zh)",
        "zh",
        Action.EXECUTE,
        words=(
            (
                f"{ZH_START}(?:运行|運行|执行|執行|启动|啟動|编译|編譯|部署)[^，。？！,?!]{{0,12}}(?:脚本|腳本|程序|"
                "程式|代码|代碼|测试|測試|命令|查询|查詢|宏|笔记本)"
            ),
            f"{ZH_START}(?:画出|畫出|绘制|繪製|画一|畫一)[^，。？！,?!]{{0,20}}(?:图|圖)",
        ),
        example="运行这个脚本并告诉我结果。",
        because="runs something on the artifact",
    ),
)
