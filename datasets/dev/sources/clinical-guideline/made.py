"""Dose tables of invented medicines, and a register of audits of an invented network of hospitals."""

# ruff: noqa: E501 (rows of one table stand side by side)

from __future__ import annotations

DOSES = {
    "Veloxaban": ("5 mg twice a day", "5 mg twice a day", "2.5 mg twice a day", "contraindicated"),
    "Ordigatran": ("150 mg twice a day", "110 mg twice a day", "contraindicated", "contraindicated"),
    "Tessaparin": (
        "1.2 mg/kg once a day",
        "1.0 mg/kg once a day",
        "0.6 mg/kg once a day",
        "unfractionated product instead",
    ),
    "Calumarin": ("by INR", "by INR", "by INR, start with half", "by INR, start with half"),
    "Fondolinux": ("7.5 mg once a day", "5 mg once a day", "contraindicated", "contraindicated"),
}
BRIDGING = (
    ("Atrial fibrillation, score 0 to 4", "none", "day 1 after operation"),
    ("Atrial fibrillation, score 5 to 6", "none, unless stroke within 3 months", "day 1"),
    ("Mechanical aortic valve", "none if no other risk", "evening of operation"),
    ("Mechanical mitral valve", "Tessaparin 0.5 mg/kg twice a day from day -3", "day 2"),
    (
        "Venous thrombosis within 3 months",
        "Tessaparin 1.0 mg/kg once a day from day -3",
        "day 2, after 3 months reassess",
    ),
    ("Venous thrombosis 3 to 12 months ago", "none", "day 1"),
)
AUDIT = {
    "Carrow": (212, 188, 9), "Netherby": (148, 121, 11), "Sandholm": (97, 91, 2), "Wyke": (176, 139, 14),
    "Port Averil": (243, 229, 6), "Lindow": (64, 51, 5),
}  # fmt: skip
STOP = {
    "Veloxaban": ("24 hours", "48 hours", "72 hours", "96 hours"),
    "Ordigatran": ("24 hours", "48 hours", "96 hours", "not given"),
    "Tessaparin": ("12 hours", "24 hours", "24 hours", "36 hours"),
    "Calumarin": ("not stopped", "5 days", "5 days", "6 days"),
    "Fondolinux": ("36 hours", "72 hours", "108 hours", "not given"),
}
OPERATIONS = (
    ("Removal of a skin tumour up to 2 cm", "none", "8 minutes of pressure"), ("Implant of one tooth", "none", "suture"), ("Arthroscopy of the knee", "low", "prevention for 7 days"),
    ("Hernia of the groin, open", "low", "none"), ("Gall bladder by keyhole", "low", "day case allowed"), ("Biopsy of the breast", "low", "bandage for 12 hours"),
    ("Plate at the wrist", "low", "tourniquet allowed"), ("Ankle fracture", "low", "prevention until the cast is off, at most 42 days"), ("Biopsy of the prostate", "high", "by the perineum low"),
    ("Biopsy of the kidney", "high", "bed rest for 18 hours"), ("Replacement of the shoulder", "high", "no prevention beyond the stay"), ("Replacement of the ankle", "high", "prevention for 21 days"),
    ("Womb by keyhole", "high", "haemoglobin on day 1"), ("Large bowel", "high", "prevention for 28 days if cancer"), ("Thyroid", "high", "watch for six hours"),
    ("Aneurysm of the aorta, stent", "high", "surgeon decides on the pause"), ("Lung lobe", "high", "drain, see 9.5"), ("Prostate through the urethra, laser", "low", "catheter for two days"),
    ("Prostate through the urethra, loop", "high", "rinsing"), ("Middle ear", "high", "microscope"), ("Back of the eye", "low", "nothing stopped for injections"),
)  # fmt: skip
RESTART = (
    ("Veloxaban", "12 hours", "60 hours", "with food at the dose of 5 mg"), ("Ordigatran", "18 hours", "66 hours", "first dose halved"), ("Tessaparin, full dose", "24 hours", "54 hours", "in two doses on the first day"),
    ("Calumarin", "evening of the day", "evening of the next day", "usual dose, no loading"), ("Fondolinux", "24 hours", "72 hours", "not with a drain in place"),
)  # fmt: skip
PREVENTION = (
    ("Veloxaban, after joints", "2.5 mg twice a day", "2.5 mg twice a day", "2.5 mg once a day", "not given"), ("Ordigatran, after joints", "220 mg once a day", "150 mg once a day", "not given", "not given"),
    ("Tessaparin, surgical", "40 mg once a day", "40 mg once a day", "20 mg once a day", "unfractionated, 5,000 units twice"), ("Tessaparin, medical", "40 mg once a day", "40 mg once a day", "20 mg once a day", "pumps"),
    ("Fondolinux", "2.5 mg once a day", "1.5 mg once a day", "not given", "not given"),
)  # fmt: skip
LIVER = (
    ("Veloxaban", "unchanged", "not given", "not given"), ("Ordigatran", "110 mg twice a day", "not given", "not given"), ("Tessaparin", "unchanged", "0.8 mg/kg once a day", "not given"),
    ("Calumarin", "unchanged, INR weekly for 4 weeks", "half the starting dose", "not given"), ("Fondolinux", "unchanged", "5 mg once a day", "not given"),
)  # fmt: skip
YOUNG = (
    ("35 to 44 kg", "2.5 mg twice a day", "1.2 mg/kg in two doses", "not given"), ("45 to 59 kg", "5 mg twice a day", "1.0 mg/kg in two doses", "5 mg once a day"),
    ("60 to 79 kg", "5 mg twice a day", "1.3 mg/kg once a day", "5 mg once a day"), ("80 kg and more", "as adults", "as adults", "as adults"),
)  # fmt: skip
ADVERSE = (
    ("Dyspepsia", "2.1", "11.3", "0.4", "0.9", "0.3"), ("Nausea", "3.4", "4.8", "1.0", "1.2", "1.1"), ("Rash", "0.9", "0.7", "2.6", "0.8", "0.5"), ("Loss of hair", "1.6", "0.4", "3.1", "2.9", "0.2"),
    ("Enzymes above three times", "0.6", "0.5", "4.2", "0.7", "0.1"), ("Fall of platelets by half", "0.1", "0.1", "0.6", "0.1", "0.0"), ("Necrosis of skin", "0.0", "0.0", "0.01", "0.03", "0.0"),
    ("Heavy periods, women below 50", "19.8", "12.4", "7.7", "14.2", "6.9"), ("Fracture", "0.8", "0.7", "1.4", "1.3", "0.8"), ("Stopped for any reason", "17.2", "22.9", "31.0", "20.6", "9.4"),
)  # fmt: skip
MONITORING = (
    ("Veloxaban", "creatinine, haemoglobin", "before, after 3 months", "by clearance, see chapter 5"), ("Veloxaban with verapamil", "level, lowest", "after 7 days", "once"), ("Ordigatran", "creatinine, haemoglobin, thrombin time", "before, after 6 weeks", "by clearance, at least twice a year above 75 years"),
    ("Tessaparin, treatment", "haemoglobin, potassium in diabetes", "before, day 4", "every 3 months"), ("Tessaparin, above 120 kg", "level, highest", "after the third dose", "after each change of weight by 10 kg"), ("Tessaparin, cancer", "platelets", "before, day 7, before each cycle", "each cycle"),
    ("Calumarin", "INR", "days 3, 5, 7, 10", "every eight weeks at most"), ("Calumarin, new antibiotic", "INR", "day 4", "until four days after its end"), ("Calumarin, albumin below 20", "INR", "weekly", "weekly"),
    ("Fondolinux", "creatinine", "before, day 10", "every 2 months"), ("Fondolinux, heart operation", "platelets", "days 5 and 10", "none"), ("All, after bleeding", "haemoglobin, ferritin", "day 7, day 30", "until normal"),
)  # fmt: skip
LEVELS = (
    ("Veloxaban 5 mg", "90 to 240 ng/ml", "40 to 110 ng/ml", "3 hours"), ("Veloxaban 2.5 mg", "45 to 130 ng/ml", "20 to 70 ng/ml", "3 hours"), ("Ordigatran 150 mg", "120 to 280 ng/ml", "60 to 140 ng/ml", "2 hours"), ("Ordigatran 110 mg", "85 to 210 ng/ml", "43 to 102 ng/ml", "2 hours"),
    ("Tessaparin 1.2 mg/kg", "0.8 to 1.3 units/ml", "below 0.3 units/ml", "4 hours"), ("Tessaparin 0.6 mg/kg", "0.4 to 0.7 units/ml", "below 0.2 units/ml", "4 hours"), ("Fondolinux 7.5 mg", "1.2 to 1.8 mg/l", "0.4 to 0.7 mg/l", "3 hours"),
)  # fmt: skip
CRITERIA = (
    ("A1*", "Indication and duration in the file", "2.1", "95"), ("A2*", "Weight measured, not asked", "2.2", "98"), ("A3", "Clearance by the formula with weight", "2.2", "100"), ("A4*", "Maintenance dose agrees with the table", "3.1", "see chapter 16"),
    ("A5", "Doubled dose ended on time", "3.2", "97"), ("A6*", "Prevention ended on time", "3.4", "90"), ("A7", "Yearly review of treatment without limit", "3.5", "85"), ("A8", "No medicine of list A", "4", "100"), ("A9", "Calendar handed out before the operation", "9.1", "94"),
    ("A10", "No bridging in atrial fibrillation outside the exception", "6.2", "96"), ("A11*", "Antidote within 60 minutes in bleeding of the brain", "7.2", "90"), ("A12", "Second scan in patients with an INR above 3", "9.7", "93"), ("A13", "Report on form MF-15 within 72 hours", "13.3", "80"), ("A14*", "Card and sheet at discharge", "15", "99"),
)  # fmt: skip
OLDER = {"Carrow": (118, 97, 6), "Netherby": (80, 69, 4), "Sandholm": (52, 41, 3), "Wyke": (95, 84, 5), "Port Averil": (131, 112, 7), "Lindow": (34, 29, 1)}  # fmt: skip
STOCK = (
    ("Concentrate of four factors, 500 units", "24", "12", "8", "20", "36", "6"), ("Special antidote of Veloxaban, 200 mg", "5", "0", "0", "5", "10", "0"), ("Protamine, 50 mg", "10", "10", "10", "15", "20", "5"), ("Vitamin K, 10 mg ampoules", "40", "30", "30", "40", "60", "20"),
    ("Recombinant factor seven, 5 mg", "2", "0", "0", "0", "4", "0"), ("Fibrinogen, 1 g", "12", "6", "4", "10", "20", "4"), ("Tranexamic acid, 500 mg", "60", "40", "40", "60", "90", "30"), ("Antithrombin, 1,000 units", "4", "0", "0", "2", "8", "0"),
)  # fmt: skip
EXCHANGE = (
    ("Tessaparin once a day", "Veloxaban", "at the time of the next injection", "no overlap"), ("Tessaparin once a day", "Ordigatran", "two hours before the next injection", "after day 5 only"), ("Unfractionated product", "Veloxaban", "when the pump is stopped", "none"),
    ("Unfractionated product", "Tessaparin", "one hour after the pump is stopped", "full dose"), ("Veloxaban", "Calumarin", "together for three days", "INR just before the next tablet"), ("Veloxaban", "Tessaparin", "at the time of the next tablet", "none"),
    ("Ordigatran", "Calumarin", "three days before the end, one day if clearance is below 30", "INR is too high in the meantime"), ("Ordigatran", "Veloxaban", "12 hours after the last capsule", "24 hours if clearance is below 50"), ("Calumarin", "Veloxaban", "when the INR is below 2.0", "measure every other day"),
    ("Calumarin", "Ordigatran", "when the INR is below 1.8", "measure every other day"), ("Calumarin", "Tessaparin", "when the INR is below 2.5", "prevention dose first"), ("Fondolinux", "Calumarin", "together until the INR is above 2 twice", "at least five days"),
    ("Fondolinux", "Veloxaban", "24 hours after the last injection", "none"),
)  # fmt: skip
CLINICS = {
    "Carrow": ("611", "71.4", "38", "7", "2.4"), "Netherby": ("288", "66.0", "41", "5", "3.1"), "Sandholm": ("134", "74.8", "33", "1", "0.7"), "Wyke": ("402", "61.9", "52", "9", "3.6"),
    "Port Averil": ("873", "73.5", "36", "8", "1.5"), "Lindow": ("96", "72.2", "44", "2", "2.1"),
}  # fmt: skip
COMMENTS = (
    ("Surgeons, Wyke", "9.2", "hernia by keyhole should be named", "not taken up, most like the open one"), ("Dentists of the county", "9.4", "limit of the INR 4.0 for one tooth", "not taken up, no data above 3.5"), ("Nurses, Lindow", "6.1", "calendar in large print", "taken up"),
    ("Pharmacy, Netherby", "H", "ten ampoules more of vitamin K", "taken up, 30 instead of 20"), ("Renal unit", "10.2", "Fondolinux 1.5 mg below 50", "taken up"), ("Patients' council", "F", "sentence on alcohol less strict", "taken up in part"),
    ("Laboratory, Carrow", "14", "tubes filled to eight tenths suffice", "not taken up after a trial with 60 tubes"), ("Emergency, Carrow", "9.7", "scan within two hours", "not taken up, one hour"), ("Liver unit", "11.2", "banding to be repeated before treatment", "not taken up"),
    ("Children's hospital of Eastry", "12", "limit of growth in place of the birthday", "taken up, whichever is later"), ("Maker of Fondolinux", "9.6", "24 hours instead of 36", "not taken up"), ("Maker of Ordigatran", "3.1", "110 mg down to 20 ml/min", "not taken up"),
    ("A general practitioner", "5", "interval by a table and not by dividing", "not taken up, dividing is easier"), ("Anaesthetists, Port Averil", "9.6", "platelets of 70 for the spinal needle", "not taken up, three votes to two"), ("Physiotherapists", "3.4", "stockings for travel", "outside the guideline"),
    ("Ward 7, Sandholm", "13.3", "reports without names", "taken up, from January 2025"), ("Haematology, Carrow", "7.2", "80 micrograms in place of 90", "not taken up"), ("Heart unit", "9.3", "groin and wrist alike", "not taken up"),
)  # fmt: skip
TABLES = {
    "comments": [["From", "Section", "Comment", "Outcome"], *map(list, COMMENTS)],
    "exchange": [["From", "To", "First dose of the new one", "Remark"], *map(list, EXCHANGE)],
    "clinics": [
        [
            "Clinic",
            "Patients",
            "Time in range",
            "Days between two measurements",
            "Major bleeds",
            "Lost in the year (per cent)",
        ],
        *[[name, *row] for name, row in CLINICS.items()],
    ],
    "operations": [["Operation", "Class of risk", "Remark"], *map(list, OPERATIONS)],
    "restart": [["Medicine", "After low risk", "After high risk", "Remark"], *map(list, RESTART)],
    "prevention": [
        ["Medicine and use", "Above 50 ml/min", "30 to 50", "15 to 29", "below 15"],
        *map(list, PREVENTION),
    ],
    "liver": [["Medicine", "Class A", "Class B", "Class C"], *map(list, LIVER)],
    "young": [["Weight", "Veloxaban", "Tessaparin", "Fondolinux"], *map(list, YOUNG)],
    "adverse": [["Event", *DOSES], *map(list, ADVERSE)],
    "monitoring": [["Treatment", "What", "At first", "Later"], *map(list, MONITORING)],
    "levels": [["Medicine and dose", "Highest level", "Lowest level", "Time of the highest"], *map(list, LEVELS)],
    "criteria": [["No.", "Criterion", "Source", "Goal in per cent"], *map(list, CRITERIA)],
    "older": [["Hospital", "Patients audited", "Dose right", "Major bleeds"]]
    + [[name, str(n), str(right), str(bleeds)] for name, (n, right, bleeds) in OLDER.items()],
    "stock": [["Product", *AUDIT], *map(list, STOCK)],
    "doses": [["Medicine", "Clearance above 50 ml/min", "30 to 50", "15 to 29", "below 15"]]
    + [[name, *doses] for name, doses in DOSES.items()],
    "bridging": [["Indication", "Bridging before", "Full dose again"], *map(list, BRIDGING)],
    "stop": [
        [
            "Medicine",
            "Low risk of bleeding",
            "High risk",
            "High risk, clearance 30 to 50",
            "High risk, clearance 15 to 29",
        ]
    ]
    + [[name, *times] for name, times in STOP.items()],
    "audit": [["Hospital", "Patients audited", "Dose right", "Major bleeds", "Share right"]]
    + [[name, str(n), str(right), str(bleeds), f"{right / n:.1%}"] for name, (n, right, bleeds) in AUDIT.items()],
}

assert sum(n for n, _, _ in AUDIT.values()) == 940
assert sum(right for _, right, _ in AUDIT.values()) == 819
assert sum(bleeds for _, _, bleeds in AUDIT.values()) == 47
assert sum(n for n, _, _ in OLDER.values()) == 510
assert all(len(row) == 7 for row in STOCK)
