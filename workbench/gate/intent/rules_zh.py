"""Chinese words, simplified and traditional, that say how much of an artifact a question is about."""

from __future__ import annotations

from ...relevance.scores import Scope
from .rule import IntentRule
from .words import ZH_ARTIFACT, ZH_PART

CHINESE: tuple[IntentRule, ...] = (
    IntentRule(
        "summary (zh)",
        "zh",
        Scope.WHOLE,
        words=(
            "(?:写|寫|做|拟|擬)(?:一)?(?:份|篇|个|個)[^，。？！,?!]{0,20}(?:摘要|概要|总结|總結|综述|綜述)",
            (
                "(?:总结|總結|概括|概述|归纳|歸納|提炼|提煉|摘要|综述|綜述)(?:一下|出)?(?:这|這|本|该|該|整|全|上述|"
                f"以下)?(?:份|篇|个|個|本|部)?[^，。？！,?!]{{0,8}}{ZH_ARTIFACT}"
            ),
            (
                f"{ZH_ARTIFACT}[^，。？！,?!]{{0,6}}(?:的|做|进行|進行|写|寫)?(?:一个|一份|個)?(?:简短的?|簡短的?"
                ")?(?:摘要|概要|大意|梗概|总结|總結|概述|中心思想|要点|要點|主旨|提纲|提綱)(?=[。？！，?!是有]|$)"
            ),
            "^(?:请|請)?(?:总结|總結|概括)(?:一下)?[。？！]?$",
        ),
        example="请总结这份报告。",
        because="asks for all of it in short",
        unless=(ZH_PART,),
    ),
    IntentRule(
        "about what (zh)",
        "zh",
        Scope.WHOLE,
        words=(
            f"{ZH_ARTIFACT}(?:主要)?(?:讲|講|说|說|谈|談|写|寫|介绍|介紹)(?:述|了|的)*(?:是)?(?:些)?什[么麼]",
            f"{ZH_ARTIFACT}的?(?:主要内容|主要內容|核心内容|核心內容|主题|主題)(?:是|有|为|為)",
        ),
        example="这份文件讲了什么？",
        because="asks what the artifact as a whole is about",
    ),
    IntentRule(
        "entire artifact (zh)",
        "zh",
        Scope.WHOLE,
        words=(
            (
                "(?:通读|通讀|整篇|整份|整本|整个|整個|全篇|从头到尾|從頭到尾|全文(?:翻译|翻譯|校对|校對|阅读|閱讀|"
                "朗读|检查|檢查))"
            ),
            "(?:校对|校對|翻译|翻譯|润色|潤色|审阅|審閱)全文",
        ),
        example="请通读合同后告诉我是否公平。",
        because="names the artifact as a whole",
        unless=("(?:整个|整個)(?!文|报|報|合|手|表|日)",),
    ),
    IntentRule(
        "all of it, copied (zh)",
        "zh",
        Scope.WHOLE,
        words=(
            (
                "(?:翻译|翻譯|译成|譯成|转换|轉換|转成|轉成|抄录|抄錄|照抄|复制|複製|转写|改写|改寫)"
                f"[^，。？！,?!]{{0,6}}{ZH_ARTIFACT}"
            ),
            (
                f"(?:把|将|將)[^，。？！,?!]{{0,6}}{ZH_ARTIFACT}[^，。？！,?!]{{0,4}}(?:翻译|翻譯|译|譯|转换|轉換|转|"
                "轉|抄|复制|複製|改写|改寫)"
            ),
        ),
        example="把这份说明书翻译成英文。",
        because="uses every sentence of the artifact",
        unless=(ZH_PART,),
    ),
    IntentRule(
        "list every (zh)",
        "zh",
        Scope.AGGREGATE,
        words=(
            (
                "(?:列出|列举|列舉|找出|罗列|羅列|列明|统计|統計|汇总|匯總|整理|给出|給出|写出|寫出)"
                "[^，。？！,?!]{0,10}(?:所有|全部|每一|每个|每個|每条|每條|各个|各個|各项|各項|全体|全體)"
            ),
            "(?:把|将|將)?(?:所有|全部)[^，。？！,?!]{0,20}(?:列出|列举|列舉|找出|挑出|罗列|羅列)",
            "逐一列",
            "逐条列",
            "逐條列",
            "一一列",
            "有哪些[^，。？！,?!]{0,6}(?:全部|所有)列",
        ),
        example="列出所有未按时交货的供应商。",
        because="wants each of a kind, and one that is skipped is missed",
    ),
    IntentRule(
        "count (zh)",
        "zh",
        Scope.AGGREGATE,
        words=(
            (
                f"(?:{ZH_ARTIFACT}|表|表中|清单|清單|名单|名單|列表|册)(?:中|里|裡|上|内|內"
                ")?[^，。？！,?!]{0,16}(?:一共|总共|總共|共有|共|合计|合計)?[^，。？！,?!]{0,6}(?:多少|几|幾)(?:个|"
                "個|条|條|行|列(?!车|車)|张|張|页|頁|章|节|節|项|項|家|名|位|笔|筆|份|次|种|種|台|款)"
            ),
            "(?:多少|几|幾)(?:行|列(?!车|車)|页|頁|章|条记录|條記錄|条记|笔|筆|张表|張表|个文件|個文件)",
            "(?:^|[，。请請])(?:统计|統計)(?!数据|資料|资料|學|学)",
            "数一数",
            "數一數",
            "计数",
            "計數",
        ),
        example="表中一共有多少家供应商？",
        because="counts over all that the artifact lists",
        unless=(
            "第几",
            "第幾",
            "第多少",
        ),
    ),
    IntentRule(
        "count by a condition (zh)",
        "zh",
        Scope.AGGREGATE,
        words=(
            (
                "(?:有)?(?:多少|几|幾)(?:个|個|条|條|家|名|位|笔|筆|份|次|年|天|项|項|台|款)"
                "[^，。？！,?!]{0,30}(?:超过|超過|大于|大於|高于|高於|低于|低於|小于|小於|不足|以上|以下|未)"
            ),
            (
                "(?:超过|超過|大于|大於|高于|高於|低于|低於|小于|小於|不足)[^，。？！,?!]{0,20}有?(?:多少|几|幾)"
                "(?:个|個|条|條|家|名|位|笔|筆|份|次|年|天|项|項|台|款)"
            ),
        ),
        example="超过三万元的发票有几张或几笔，超过三万元的有几笔？",
        because="counts what meets a condition, so all must be looked at",
    ),
    IntentRule(
        "sum (zh)",
        "zh",
        Scope.AGGREGATE,
        words=(
            "求和",
            "之和",
            "(?:表[里裡中]|清单|清單)[^，。？！,?!]{0,24}(?:合计|合計|总计|總計|总共|總共|一共)",
            "(?:加总|加總)(?!统|統)",
            "相加",
            "累加",
            (
                "(?:所有|全部|各|每(?![年月天日]))[^，。？！,?!]{0,24}(?:总和|總和|总计|總計|合计|合計|总额|總額|总数|總數|加起来|"
                "加起來)"
            ),
            "(?:加起来|加起來|合在一起)[^，。？！,?!]{0,6}(?:是|有|共)?(?:多少|几|幾)",
        ),
        example="各分店的运费之和是多少？",
        because="adds up over rows, and one that is skipped is missed",
    ),
    IntentRule(
        "average of a set (zh)",
        "zh",
        Scope.AGGREGATE,
        words=(
            "(?:所有|全部|各|每)[^，。？！,?!]{0,20}(?:平均|均值|中位数|中位數|标准差|標準差|方差)",
            "(?:计算|計算|求)[^，。？！,?!]{0,14}(?:平均|均值|中位数|中位數|标准差|標準差|方差)",
            "(?:平均|均值|中位数|中位數)[^，。？！,?!]{0,10}(?:每列|整列|该列|該列)",
        ),
        example="所有订单的平均延误是多少天？",
        because="is computed over all rows",
    ),
    IntentRule(
        "choice from a set (zh)",
        "zh",
        Scope.AGGREGATE,
        words=(
            (
                "(?:其中|当中|當中|之中|里面|裡面|以上|所有|全部|各|表中)[^，。？！,?!]{0,24}(?:哪|谁|誰)"
                "[^，。？！,?!]{0,20}最"
            ),
            (
                "(?:所有|全部|各|表中|其中)[^，。？！,?!]{0,20}最(?:高|低|大|小|多|少|长|長|短|早|晚|好|差)"
                "的[^，。？！,?!]{0,10}(?:是哪|是谁|是誰|是什)"
            ),
            (
                "哪(?:个|個|一个|一個|家|一家|位|项|項|类|類|一年|年|个月|個月|几|些)[^，。？！,?!]{0,16}最(?:高|低|"
                "大|小|多|少|长|長|短|早|晚|好|差)(?:[？?。]|$)"
            ),
        ),
        example="各车间中哪一个能耗最高？",
        because="compares all of a set to choose one",
        unless=(
            "世界",
            "全球",
            "全国",
            "全國",
            "历史",
            "歷史",
            "史上",
        ),
    ),
    IntentRule(
        "order of a set (zh)",
        "zh",
        Scope.AGGREGATE,
        words=(
            "(?:按|按照|依|根据|根據)[^，。？！,?!]{1,16}(?:排序|排列|排名|分组|分組|分类汇总|分類匯總|汇总|匯總)",
            "从[高大多低小少早][到至][低小少高大多晚](?:排|列)",
            "前[0-9三五十]+(?:名|大|位)(?:是|有)哪",
            "最[高低大小多少长長短]的?前[0-9一二三四五六七八九十]",
        ),
        example="按营业额对分店排序。",
        because="puts all of a set in order or in groups",
    ),
    IntentRule(
        "whether any (zh)",
        "zh",
        Scope.AGGREGATE,
        words=(
            (
                "(?:有没有|有沒有|是否有|是否存在|检查|檢查|查找)[^，。？！,?!]{0,12}(?:重复|重複|缺失|空值|异常值|"
                "異常值|矛盾|不一致|遗漏|遺漏|前后不符|前後不符)"
            ),
            "是否(?:都|全部|均)",
            "(?:都|均)(?:符合|满足|滿足|通过|通過)[^，。？！,?!]{0,10}(?:吗|嗎)",
        ),
        example="表里有没有重复的发票？",
        because="is settled only when all have been looked at",
    ),
    IntentRule(
        "comparison (zh)",
        "zh",
        Scope.SEVERAL,
        words=(
            "(?:^|[，。请請])(?:比较|比較)",
            "(?:比较|比較)(?:一下)",
            "对比",
            "對比",
            "相比(?!邻|鄰)",
            "相较",
            "相較",
            "区别",
            "區別",
            "差异",
            "差異",
            "差别",
            "差別",
            "不同之处",
            "不同之處",
            "异同",
            "異同",
            "有什么不同",
            "有什麼不同",
            "有何不同",
            (
                "(?:与|與|和|跟|及)[^，。？！,?!]{1,20}(?:(?:之间|之間)的?|有什[么麼](?:样的|樣的)?|有何)(?:关系|"
                "關係|联系|聯繫|差距)"
            ),
        ),
        example="两个版本的保修期有什么不同？",
        because="sets two things side by side",
    ),
    IntentRule(
        "change over time (zh)",
        "zh",
        Scope.SEVERAL,
        words=(
            (
                "(?:同比|(?<!下)(?:环比|環比)|增幅|降幅|增减|增減|(?:历年|歷年)(?!来|來)|逐年|(?:变化|變化)?(?:趋势|"
                "趨勢))"
            ),
            (
                "[从從自][^，。？！,?!]{0,8}[0-9][^，。？！,?!]{0,8}(?:到|至)[^，。？！,?!]{1,30}(?:多少|变|變|增|减|"
                "減|降|升|涨|漲|几|幾)"
            ),
        ),
        example="从2019年到2021年租金涨了多少？",
        because="needs the figures of several times",
    ),
    IntentRule(
        "several at once (zh)",
        "zh",
        Scope.SEVERAL,
        words=(
            "分别",
            "分別",
            "各自",
            "各是(?:多少|什|谁|誰|几|幾)",
            "各为",
            "各為",
            "各有(?:多少|几|幾)",
            r"(?:19|20)\d\d年?(?:和|与|與|及|、)(?:19|20)\d\d",
        ),
        example="2019年和2020年的费用分别是多少？",
        because="asks the same of several",
        unless=(
            "(?:分别|分別)(?:由|於|于)",
            "[和与與]哪",
        ),
    ),
    IntentRule(
        "calculation (zh)",
        "zh",
        Scope.SEVERAL,
        words=(
            "(?:^|[，。；？请請])(?:计算|計算)",
            "(?:计算|計算)(?:一下|出来)",
            "算一下",
            "求出",
            "(?:周转率|週轉率|流动比率|流動比率|速动比率|速動比率|资产负债率|資產負債率)",
        ),
        example="请计算研发费用占营业收入的比例。",
        because="is worked out from several figures",
        unless=(
            "计算机",
            "計算機",
            "计算器",
        ),
    ),
)
