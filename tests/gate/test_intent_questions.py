"""Questions as people ask them, with the scope and action that a reader of the question would choose.

Each is a short invented paraphrase of the kind of question that a public set holds, or of what an agent is asked (the
last groups). Within each group they alternate between a half on which the rules were made and a half that was kept
apart: when it was first looked at, 2 of 86 scopes and 1 action were wrong, and the rules were mended after that.
"""

from __future__ import annotations

import pytest

from workbench.gate.intent import intent_of

QUESTIONS = """
# filings
point What was the total revenue of Norvik for FY2021?
point What is the year end net property of Norvik? Answer in USD millions, using the balance sheet.
several How does the effective tax rate of Norvik in FY2022 compare to FY2021?
several Did the gross margin of Norvik improve between FY2021 and FY2022?
point Who are the main customers of Norvik as of FY2022?
point Which auditor signed the opinion on Norvik's accounts?
aggregate Which of Norvik's product lines had the highest sales growth in FY2022?
aggregate Among all of the segments, which one brought in the most cash in FY2022?
several What acquisitions did Norvik make in FY2020, FY2021 and FY2022?
several What is the quick ratio of Norvik at the end of FY2022? If it is not useful for such a company, say so.
point As of May 4, 2023, how much may Norvik borrow under its credit line?
point Is Norvik's business subject to the seasons?
several What is the FY2019 - FY2021 average operating margin of Norvik?
several By how much did inventories change from 2020 to 2021?
point What industry does Norvik work in?
point What was the outcome of the vote on the shareholder proposal?
# tables of reports
point What was the amount of finished goods in 2019?
point What was the total cost of sales in 2018?
several What was the change in deferred income between 2018 and 2019?
several What was the percentage change in net loss from 2018 to 2019?
several What were the lease costs in 2019 and 2018 respectively?
several What is the difference between cash used in 2018 and in 2019?
aggregate In how many years did interest income exceed $1,500 thousand?
aggregate How many years did the rate of interest exceed 3%?
aggregate Which director has the lowest total pay?
aggregate Which year had the highest amount of share awards?
several In which year was the cost of staff larger, 2018 or 2019?
several What is the average of deferred income for 2018 and 2019?
aggregate What is the sum of all tax credits carried forward?
aggregate What is the average pay over all directors in the table?
point What does other income consist of?
point How was the value of the options found?
point What is the total fair value of the funds as at June 30, 2019?
point How many employees worked in sales in 2018?
aggregate How many categories of liabilities are there in the table?
aggregate How many kinds of inventory are listed?
# contracts
point Does either party have the right to end the contract without cause?
point What is the notice period that is needed to stop the renewal?
point On what date does the agreement take effect?
point Is there a cap on the liability of the supplier?
point Which state's law governs the contract?
point Can the licence be passed on to an affiliate?
aggregate List every clause under which the buyer owes money.
aggregate Find all clauses that survive the end of the agreement.
several How do the duties of the licensor differ from those of the licensee?
several Compare the warranty of the first agreement with that of the amendment.
# reports and papers as PDF
aggregate How many tables are in this report?
aggregate How many pages contain a map?
point What is the title of Figure 4?
point What date stands on the cover page? Format it as YYYY-MM-DD.
aggregate How many signatures appear on pages 15 and 16?
aggregate How many chapter authors come from Uppsala in total?
point Who verified and signed the complaint?
point What is the telephone number of the care home?
aggregate Which programme has the longest duration among all the programmes?
aggregate Which type of error has the lowest share in the corpus?
several What is the gap between men and women who are online at home?
several How much higher was the dividend in 2003 compared to 2002?
aggregate What are the counties mentioned in the document?
aggregate Who are the independent directors? Enumerate all of them.
point According to the plan, who leads the program?
point What percentage of older adults do not go online?
several Does Section 3.3 cite more papers than Section 3.1?
several What were growth rates in the first and second quarters respectively?
# long articles
point Where was the architect born?
point Who was arrested on 10 January?
several Put the events of the siege on a timeline.
several Was the town plan made prior to or after the merger of the villages?
point What did the court find about the police?
point How did the architect plan the lights?
several What is the relationship between the drought and the revolt?
several How did the role of the mayor develop over time?
point How many deaths were caused by the flu each year?
point How many samples were taken?
several What is the difference between the two coats of the virus?
several How does the new strain compare with other viruses?
point What is the most common method of giving the drug?
point What is the largest city in the region?
point How many people lived in the borough at the last census?
point What is the sum that the widow was paid?
# privacy policies
point Do you allow others to see my data?
point Will you delete all my information when I close the account?
point Can I change my address on your site?
point Does the website let users edit their profile?
point For what purpose do you collect my location?
point Is my data shared with advertisers? If yes, then why?
# conversations
point Is that all? I heard that there is a ferry pass too.
point How do I file a response?
several What is the new therapy and how does it differ from the old one?
several When did the series begin and when did it end?
point Tell me about the ferry terminal.
point Can I change my certificate then?
point How can I add a rule to the network policy?
point Add user identity information
several Which is better, a fixed loan or one backed by the state, and why is it cheaper at first?
several Can you compare the two plans for me?
# Chinese encyclopaedia, simplified
point 这座桥是哪一年建成的？
point 该站由哪家公司经营？
several 幼鱼和成鱼的颜色有什么不同？
several 新版与旧版相比有哪些改变？
point 他一共出演了几部电视剧？
point 全长是多少公里？
several 东站台和西站台分别在什么地方？
several 两位作者的父亲分别是谁？
point 谁最早提出了这个概念？
point 世界上最大的淡水湖是哪一个？
point 为什么这个湖叫翡翠湖？
point 该镇的总人口是多少？
point 比赛共分为几站？
point 书中提到的统计局在哪里？
# Chinese encyclopaedia, traditional
point 這座燈塔是誰建造的？
point 博物館總共有多少件藏品？
point 加拿大最大的城市有多少人？
point 他在哪一年畢業於師範學校?
several 東岸與西岸的氣候有什麼不同？
several 兩座島的面積分別是多少？
# an agent's requests, English
whole Summarise the document in five sentences.
whole Give me a short overview of this manual.
whole What is this report about?
whole What are the key takeaways of this paper?
whole copy Translate the whole manual into German.
whole copy Convert this document to Markdown.
point copy Copy clause 7 word for word.
point copy Quote section 4.2 in full.
edit Fix the typos in the file.
edit Please replace the old address in the contract with the new one.
execute Run the script and tell me what it prints.
execute Execute the notebook from top to bottom.
aggregate What is the sum of the freight column?
aggregate What is the average delay over all rows?
aggregate Sort the suppliers by number of complaints.
aggregate Show total spend per department.
aggregate Are there any duplicate invoices in the sheet?
aggregate How many tickets are still open?
aggregate Count the errors in the log with code 503.
aggregate Calculate the median price of the orders.
point Summarise clause 4 in one line.
point What does the summary of accounting policies say about leases?
point What is the total on invoice 1041?
point What is the highest pressure that the valve can take?
whole Read the entire policy and judge whether it is fair.
whole edit Proofread the whole report.
point Who approved the budget in the executive summary?
point Is a copy of the notice sent to the landlord?
# an agent's requests, Chinese
whole 请总结这份报告的主要内容。
whole 用三句话概括全文。
whole 这份文件讲了什么？
whole 给这篇论文写一个摘要。
whole copy 把这份说明书翻译成英文。
whole copy 将本合同全文翻译成英文。
point copy 逐字抄录第七条。
point copy 请给出第三条的原文。
edit 请修改文件中的错别字。
edit 把表格里的旧地址替换成新地址。
execute 运行这个脚本并告诉我结果。
execute 请执行测试代码。
aggregate 列出所有未按时交货的供应商。
aggregate 找出全部逾期的发票。
aggregate 各分店的运费之和是多少？
aggregate 所有订单的平均延误是多少天？
aggregate 表中一共有多少家供应商？
aggregate 名单里有多少名工程师？
aggregate 各车间中哪一个能耗最高？
aggregate 哪个月的故障次数最多？
aggregate 按营业额对分店排序。
aggregate 表里有没有重复的发票？
point 发票1041的总金额是多少？
point 2018年的营业总收入是多少？
several 从2019年到2021年租金涨了多少？
several 2020年和2021年的保险费分别是多少？
point 保修期由谁负责？
point 超过三万元的费用由谁批准？
"""

Labelled = tuple[str, str, str]
ACTIONS = ("copy", "edit", "execute")
SCOPES = ("point", "several", "aggregate", "whole")


def labelled(half: int) -> list[Labelled]:
    """The questions of one half as scope ("" where any will do), action and question."""
    groups: list[list[Labelled]] = []
    for line in QUESTIONS.strip().splitlines():
        if line.startswith("#"):
            groups.append([])
            continue
        first, rest = line.split(" ", 1)
        if first not in SCOPES:
            groups[-1].append(("", first, rest))
            continue
        second, _, question = rest.partition(" ")
        groups[-1].append((first, second, question) if second in ACTIONS else (first, "read", rest))
    return [entry for group in groups for entry in group[half::2]]


def rates(half: int) -> dict[str, tuple[float, float]]:
    """Precision and recall of each scope, over the questions that have one."""
    entries = [(scope, intent_of(question).scope.value) for scope, _, question in labelled(half) if scope]
    found = {}
    for scope in SCOPES:
        right = sum(wanted == said == scope for wanted, said in entries)
        said = sum(said == scope for _, said in entries)
        wanted = sum(wanted == scope for wanted, _ in entries)
        found[scope] = (right / max(1, said), right / wanted)
    return found


def test_there_are_enough_questions_of_each_scope_in_both_halves() -> None:
    assert len(labelled(0)) + len(labelled(1)) >= 150
    for half in (0, 1):
        counts = [sum(scope == wanted for scope, _, _ in labelled(half)) for wanted in SCOPES]
        assert min(counts) >= 5


@pytest.mark.parametrize("half", [0, 1], ids=["made on", "kept apart"])
def test_each_scope_is_found_and_seldom_where_it_is_not(half: int) -> None:
    for scope, (precision, recall) in rates(half).items():
        assert (precision, recall) >= (0.9, 0.85), scope


@pytest.mark.parametrize("half", [0, 1], ids=["made on", "kept apart"])
def test_what_is_to_be_done_is_read_from_orders_alone(half: int) -> None:
    wrong = [question for _, action, question in labelled(half) if intent_of(question).action != action]
    assert wrong == []
