"""What the self-test of the backends reads: questions, and passages of the kinds and lengths that documents have."""

QUESTIONS = (
    "What was the capital expenditure of the year?",
    "When may the landlord end the lease?",
    "How often must the pump be inspected?",
    "Which side effects were seen in the trial?",
    "Who has to approve a transfer of personal data?",
    "What triggers a backup?",
    "How large was the drop in revenue, and why did it happen?",
    "Which material is the valve made of according to the first claim?",
)

PASSAGES = (
    "Liquidity and capital resources",
    "Purchases of property, plant and equipment were $1,577 million, against $1,373 million in the year before. The"
    " increase is due to two new lines for filtration media and to the consolidation of three warehouses.",
    "Net sales fell by 4.7 percent to $30.1 billion. Organic volumes accounted for a decrease of 2.9 percent, "
    "currency translation for 2.1 percent, while prices rose by 0.3 percent. Weak demand from makers of cars and of"
    " consumer electronics in China was the main cause; destocking by distributors added to it in the second and "
    "third quarter.",
    "Consolidated statement of cash flows years ended December 31 millions cash flows from operating activities net"
    " income including noncontrolling interest depreciation and amortization company pension and postretirement "
    "contributions deferred income taxes accounts receivable inventories accounts payable",
    "The company has 91,536 employees, of whom 37,480 work in the United States.",
    "Goodwill is tested for impairment every year in the fourth quarter, and between the annual tests if an event "
    "occurs that would more likely than not reduce the fair value of a reporting unit below its carrying amount.",
    "The landlord may terminate this lease by written notice of thirty days if the tenant fails to pay two "
    "instalments of rent in a row and does not pay them within fourteen days of a reminder.",
    "Force majeure. Neither party is liable for a failure to perform that is caused by events beyond its reasonable"
    " control, including acts of God, war, strikes and the failure of public networks, provided that the other "
    "party is told without delay and that all reasonable steps are taken to limit the effects.",
    "This agreement is governed by the laws of the State of New York.",
    "Any notice under this agreement shall be in writing and is deemed received on the third business day after it "
    "was sent by registered mail to the address named in schedule 2.",
    "The supplier shall keep the customer harmless from claims of third parties that arise from an infringement of "
    "their intellectual property by the deliverables, unless the infringement results from specifications of the "
    "customer or from a combination with products that the supplier did not deliver.",
    "Inspect the shaft seal every 500 operating hours or once a month, whichever comes first. Replace the seal when"
    " more than ten drops a minute leak.",
    "WARNING: Disconnect the supply before opening the cover. Capacitors stay charged for five minutes.",
    "Error E-217 means that the flow sensor reports no pulses although the pump runs. Check the plug X4, then the "
    "filter in front of the sensor.",
    "A backup is started when the free space of the primary volume falls below 15 percent, when the battery takes "
    "over the supply, or by the schedule, which is 02:00 by default.",
    "Restoring. Choose the snapshot by its date, confirm the target folder, and wait until the light stops "
    "blinking. Do not switch the unit off in the meantime: an interrupted restore leaves the volume read-only, and "
    "a service engineer has to release it.",
    "Maximum torque of the bolts M8: 24 Nm",
    "Patients were randomly assigned in a ratio of two to one to receive 40 mg of the drug or placebo once a day "
    "for 24 weeks. The primary end point was the change from baseline of the forced expiratory volume in one "
    "second.",
    "The most frequent adverse events were headache (12.4 percent against 9.8), nausea (8.1 against 3.3) and "
    "dizziness (5.0 against 4.7). Three patients in the treatment group left the trial because of raised liver "
    "enzymes, which returned to normal within four weeks.",
    "Contraindications: severe renal impairment, pregnancy, known hypersensitivity to the active substance.",
    "The incubation period is five days at the median, and in 97.5 percent of those who develop symptoms these "
    "appear within 11.5 days.",
    "We share information about you with service providers who process it on our behalf, with authorities where the"
    " law demands it, and with others only after you have agreed. You can withdraw your consent at any time in the "
    "settings of your account.",
    "Cookies are kept for thirteen months at most.",
    "Transfers of personal data to a country outside the European Economic Area need the approval of the data "
    "protection officer, who examines whether the standard contractual clauses are sufficient and keeps a record of"
    " the decision.",
    "1. A valve for a fuel line, comprising a body of sintered stainless steel, a needle that is guided in the "
    "body, and a spring that holds the needle against a seat, wherein the seat is coated with titanium nitride.",
    "2. The valve of claim 1, wherein the thickness of the coating is between 2 and 6 micrometres.",
    "The invention relates to the metering of fuels that contain ethanol, which attack the seats of known valves "
    "and lead to leakage after a few thousand hours.",
    "By the end of this unit you will be able to explain why the sample mean varies less than a single observation,"
    " to compute a confidence interval, and to say in your own words what it does and does not mean.",
    "Exercise 4.2. A coin is tossed 400 times and shows heads 225 times. Is it fair?",
    "References",
    "Devlin, J., Chang, M.-W., Lee, K. and Toutanova, K.: Pre-training of deep bidirectional transformers for "
    "language understanding. Proceedings of NAACL, 2019, pages 4171 to 4186.",
    "The committee met seven times in the course of the year. Attendance was complete with the exception of the "
    "meeting in July, for which one member sent his apologies. It reviewed the interim accounts, the programme of "
    "the internal audit, the independence and the fees of the auditor, two cases that were reported through the "
    "line for whistleblowers, and the state of the preparations for the new rules on reporting about "
    "sustainability, and it recommended to the board to put the mandate of the auditor out to tender in the year "
    "after next, so that a change can take place without haste.",
)
