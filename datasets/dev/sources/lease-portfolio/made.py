"""Sixteen lease abstracts under the same headings, from one table of terms: alike in words, different in terms."""

# ruff: noqa: E501 (a clause a line: cut clauses cannot be compared with their neighbours)

from __future__ import annotations

import runpy
from dataclasses import dataclass
from pathlib import Path
from random import Random


@dataclass(frozen=True)
class Lease:
    """The terms of one lease."""

    unit: str
    tenant: str
    number: str
    trade: str
    area: float
    start: str
    years: int
    expiry: str
    rent: int
    pay: str
    free: str
    review: str
    service: str
    cap: str
    use: str
    hours: str
    repair: str
    paint: str
    alter: str
    assign: str
    under: str
    insure: str
    broken: str
    deposit: int
    deposit_text: str
    reinstate: str
    notice: str
    special: str


LEASES = (
    Lease(
        "Unit 1, Tidewater House", "Pellworth Optical Limited", "PQ/0117", "optician", 184.5,
        "25 March 2021", 10, "24 March 2031", 46_125, "quarterly in advance on the usual quarter days",
        "No rent was payable from the commencement date until 24 June 2021.",
        "upwards only, to the open market rent, on 25 March 2026. The assumed term on review is the residue or five years, whichever is the longer",
        "a fixed share of 6.2 per cent of the estate expenditure", "is not capped",
        "the retail sale of spectacles and ancillary eye examinations", "07:30 to 20:00 on weekdays and 09:00 to 18:00 on Saturdays",
        "the interior only. The shop front and its glazing are the tenant's; the structure, the roof and the external walls are the landlord's",
        "every fourth year and in the last six months of the term", "Internal non-structural alterations are allowed with consent, not to be unreasonably withheld; demountable partitions need no consent but must be notified within 28 days",
        "of the whole with consent; an authorised guarantee agreement is required in every case", "Underletting is prohibited, save that an audiologist may share up to 20 square metres",
        "The landlord insures against the insured risks and recovers 6.2 per cent of the premium. Loss of rent is covered for three years",
        "The tenant may end the lease on 25 March 2026 on not less than six months' written notice, provided that the principal rent is paid up. There is no landlord's break",
        11_531, "held in a separate designated account and returned, with interest, within 28 days after expiry", "At expiry the tenant removes its testing equipment and makes good; fixed joinery may stay",
        "by hand or recorded post to the registered office; e-mail is not good service",
        "The landlord will not let another unit on the ground floor of Tidewater House to an optician while Pellworth is in occupation.",
    ),
    Lease(
        "Unit 2, Tidewater House", "Saltmarsh Stationers Limited", "PQ/0122", "stationery shop", 142.0,
        "24 June 2019", 10, "23 June 2029", 33_370, "quarterly in advance on the usual quarter days",
        "The first three months were at half rent.",
        "upwards only, to the open market rent, on 24 June 2024. The review was settled by memorandum of 3 October 2024 at the figure abstracted above; the rent before it was 31,000",
        "a fixed share of 4.8 per cent of the estate expenditure", "is capped at 7,900 a year, the cap rising by 3 per cent each 24 June",
        "the retail sale of paper goods, toys and greetings cards", "07:30 to 20:00 on weekdays and 09:00 to 18:00 on Saturdays",
        "the interior, the shop front and the roller shutter. A schedule of condition of 11 June 2019 limits the obligation",
        "every fifth year and in the last three months of the term", "Internal non-structural alterations are allowed with consent; the opening to Unit 3 shown on plan 2B must be bricked up if either lease ends",
        "of the whole with consent; an authorised guarantee agreement may be required where reasonable", "Underletting of the whole is allowed with consent at no less than the passing rent",
        "The landlord insures against the insured risks and recovers 4.8 per cent of the premium. Loss of rent is covered for two years",
        "The break on 24 June 2024 was not exercised and has lapsed. There is no further break for either party",
        8_343, "held as the landlord's own money and repaid without interest within 42 days after expiry", "At expiry the tenant strips out shelving and the mezzanine and makes good",
        "by hand or recorded post to the premises; e-mail is not good service",
        "The tenant may place two display stands, each no wider than 1.2 metres, under the arcade from April to October.",
    ),
    Lease(
        "Unit 3, Tidewater House", "Oriel and Dunne LLP", "PQ/0125", "firm of solicitors", 268.0,
        "29 September 2022", 15, "28 September 2037", 71_020, "monthly in advance on the first of the month",
        "A rent-free period of nine months ended on 28 June 2023; a further three months were to follow if the 2027 break were not used.",
        "to the index of consumer prices, on 29 September 2027 and 29 September 2032, with a collar of 1 per cent and a cap of 3.5 per cent a year compounded",
        "a fair share by floor area, at present 9.1 per cent", "is not capped, but capital replacement above 250,000 in any year is left out of the account",
        "offices for a legal practice, with one dwelling-free caretaker's room", "unrestricted",
        "the interior only, excluding the air-conditioning plant, which the landlord maintains and charges through the service charge",
        "every sixth year and in the last year of the term", "Structural alterations need consent at the landlord's absolute discretion; the raised floor may be reconfigured freely",
        "of the whole, without consent, to a successor practice regulated by the same body, otherwise with consent", "Underletting of one floor is allowed with consent, outside the security of tenure provisions",
        "The landlord insures against the insured risks, including terrorism, and recovers 9.1 per cent of the premium. Loss of rent is covered for four years",
        "The tenant may end the lease on 29 September 2027 or 29 September 2032 on not less than twelve months' written notice; it must pay a penalty of four months' rent on the first date and none on the second",
        0, "not required. Two members of the partnership, as guarantors, answer for the rent up to 106,530 in all", "At expiry the tenant removes partitions and the strong room door, if the landlord asks for it nine months ahead",
        "by hand, recorded post or e-mail to the managing partner, if confirmed by post on the next working day",
        "The tenant has four parking spaces, numbers 31 to 34, in the north court, at no charge until 2027 and at 600 a space a year thereafter.",
    ),
    Lease(
        "Unit 4, Cooper's Yard", "Harrow Finch Bakers Limited", "PQ/0131", "bakery and cafe", 211.0,
        "1 November 2020", 12, "31 October 2032", 39_035, "monthly in advance on the first of the month",
        "Rent of one peppercorn was payable for the first five months, in return for the extraction flue.",
        "upwards only, to the higher of the open market rent and 8 per cent of certified turnover, on 1 November 2024 and 1 November 2028",
        "a fixed share of 5.5 per cent of the yard expenditure", "is capped at 11,250 a year without increase until the first review and indexed after it",
        "a bakery with ancillary cafe; deep frying is forbidden", "04:00 to 19:00 every day; deliveries not before 05:30",
        "the interior, the flue, the grease trap and the yard door. The tenant has the flue cleaned twice a year and keeps the certificates",
        "every third year and in the last three months of the term", "Non-structural alterations are allowed with consent; a second oven needs the landlord's electrical approval above 63 amperes",
        "of the whole with consent; the assignee must show three years' accounts", "Underletting is prohibited; a concession to a coffee roaster of up to 12 square metres is allowed",
        "The landlord insures the building and the tenant its plate glass. Loss of rent is covered for three years",
        "The tenant may end the lease on 31 October 2026 on not less than nine months' written notice, provided that it gives vacant possession. There is no landlord's break",
        9_759, "in the form of a bank guarantee that must be renewed by each 15 October", "At expiry the ovens, the flue and the grease trap are removed and the roof is made good by a contractor whom the landlord approves",
        "by hand or recorded post to the premises, with a copy by e-mail to the tenant's accountant",
        "If smells are complained of in writing by three occupiers in one quarter, the tenant fits a carbon filter within eight weeks at its own cost.",
    ),
    Lease(
        "Unit 5, Cooper's Yard", "Brackwater Cycles Limited", "PQ/0134", "bicycle workshop", 196.0,
        "1 February 2022", 6, "31 January 2028", 30_380, "monthly in advance on the first of the month",
        "There was no rent-free period.",
        "to the index of retail prices, on 1 February 2025, with a cap of 4 per cent a year compounded",
        "a fixed share of 5.1 per cent of the yard expenditure", "is capped at 9,600 a year without increase",
        "the sale, hire and repair of bicycles; motor vehicles are excluded", "08:00 to 19:00 on weekdays and 09:00 to 17:00 at weekends",
        "the interior and the yard door. A schedule of condition of 20 January 2022 limits the obligation",
        "once, in the last three months of the term", "No alterations save two bicycle racks and a wash-down bay drained to the interceptor",
        "of the whole with consent, not within the first two years", "Underletting is prohibited without exception",
        "The landlord insures the building; the tenant keeps lithium batteries in a cabinet that its insurer certifies. Loss of rent is covered for two years",
        "Either party may end the lease at any time after 1 February 2025 on not less than four months' written notice",
        5_063, "held in a separate designated account and reduced by half after three years without arrears", "At expiry the tenant removes its lifts and fills the anchor holes",
        "by hand or recorded post to the premises; e-mail is good service for rent demands only",
        "The tenant may ride test machines round the yard at walking pace, except on market days.",
    ),
    Lease(
        "Unit 6, Cooper's Yard", "Mortlake Ceramics Cooperative", "PQ/0138", "pottery studio", 233.0,
        "25 December 2018", 10, "24 December 2028", 27_960, "quarterly in advance on the usual quarter days",
        "A rent-free period of six months ended on 24 June 2019.",
        "fixed steps: 24,000 until 24 December 2021, 26,000 until 24 December 2024, and thereafter the figure abstracted above",
        "a fixed share of 6.0 per cent of the yard expenditure", "is capped at 8,400 a year, the cap rising with retail prices",
        "the making, teaching and sale of ceramics, with no more than two kilns", "08:00 to 22:00 every day",
        "the interior and the kiln room floor, in which no point load above 900 kilograms is allowed",
        "every fifth year, the kiln room every second year", "Non-structural alterations are allowed with consent; the kiln hood may not be moved",
        "of the whole, to another cooperative society only", "Sharing of studio benches with members under licence is allowed without consent",
        "The landlord insures the building; the extra premium for kilns, 1,140 in the last year, falls on the tenant. Loss of rent is covered for three years",
        "The landlord may end the lease on or after 25 December 2025 on not less than twelve months' written notice if it intends to redevelop; there is no tenant's break",
        6_990, "held in a separate designated account and returned, without interest, after a dust survey", "At expiry the tenant has settled dust tested for silica and cleans until two tests in a row are clear",
        "by hand or recorded post to the secretary of the cooperative at the premises",
        "The landlord gives first refusal of Unit 5 to the tenant whenever Unit 5 falls vacant, open for 21 days.",
    ),
    Lease(
        "Suite 7, Lantern Wharf", "Corvane Analytics Limited", "PQ/0142", "software company", 512.0,
        "1 July 2023", 10, "30 June 2033", 143_360, "quarterly in advance on the first of July, October, January and April",
        "A rent-free period of fourteen months ended on 31 August 2024.",
        "upwards only, to the open market rent, on 1 July 2028, disregarding the tenant's raised data floor",
        "a fair share by floor area, at present 14.7 per cent", "is capped at 62 a square metre a year, the cap rising with consumer prices",
        "offices with a server room of at most 60 square metres", "unrestricted",
        "the interior, the server room cooling and the tenant's generator on the lower roof, which is tested monthly",
        "every fifth year and in the last year of the term", "Internal alterations are allowed without consent up to 40,000 a project; above that with consent",
        "of the whole, or of one of the two floors, with consent", "Underletting of up to half of the floor area is allowed with consent at the market rent",
        "The landlord insures against the insured risks, including terrorism, and recovers 14.7 per cent of the premium. Loss of rent is covered for four years",
        "The tenant may end the lease on 30 June 2028 on not less than nine months' written notice, on payment of 71,680",
        35_840, "in the form of a bank guarantee, to be released if audited net assets are above 1,500,000 two years running", "At expiry the generator and its fuel tank are removed; the raised data floor stays without compensation",
        "by recorded post to the registered office and by e-mail to the legal department, both being needed",
        "The tenant may lay two fibre ducts through the riser and keep them for six months after expiry.",
    ),
    Lease(
        "Suite 8, Lantern Wharf", "Tamsin Vale Architects", "PQ/0143", "architects' practice", 327.5,
        "1 July 2023", 10, "30 June 2033", 88_425, "quarterly in advance on the first of July, October, January and April",
        "A rent-free period of ten months ended on 30 April 2024.",
        "upwards only, to the open market rent, on 1 July 2028, on the assumption of a fitted-out suite",
        "a fair share by floor area, at present 9.4 per cent", "is capped at 58 a square metre a year without increase until the review",
        "offices and a model workshop without spray booth", "unrestricted",
        "the interior and the spiral stair. The stair is inspected each May by a structural engineer",
        "every fifth year and in the last six months of the term", "Internal alterations are allowed without consent up to 25,000 a project; above that with consent",
        "of the whole with consent; a change of partners is not an assignment", "Sharing with consultants is allowed for up to eight desks",
        "The landlord insures against the insured risks and recovers 9.4 per cent of the premium. Loss of rent is covered for three years",
        "The tenant may end the lease on 30 June 2029 on not less than six months' written notice, provided that rent and service charge are paid up",
        22_106, "held in a separate designated account and returned, with interest, within 14 days after expiry", "At expiry the spiral stair is removed and the slab is made good unless the landlord waives this three months ahead",
        "by hand, recorded post or e-mail to the practice manager",
        "The tenant may show its name on the river front in letters up to 450 millimetres high.",
    ),
    Lease(
        "Ground floor, Lantern Wharf", "The Ropewalk Dining Company Limited", "PQ/0147", "restaurant", 405.0,
        "25 March 2020", 20, "24 March 2040", 97_200, "quarterly in advance on the usual quarter days",
        "A rent-free period of twelve months ended on 24 March 2021; the concession for the closure of spring 2021, four months at one half, is documented by side letter.",
        "upwards only, to the open market rent, on each fifth anniversary, and a turnover rent of 9.5 per cent of net sales above 1,150,000 a year",
        "a fixed share of 12.3 per cent of the wharf expenditure", "is not capped",
        "a licensed restaurant with at most 140 covers, of which 44 on the terrace", "08:00 to 00:30; the terrace closes at 22:30",
        "the interior, the kitchen extraction and the terrace decking, but not the quay wall",
        "every third year, the kitchen each year", "Non-structural alterations are allowed with consent; the bar may be moved once without consent",
        "of the whole with consent; the assignee must hold or obtain the premises licence", "Underletting is prohibited; a kiosk of up to 9 square metres on the terrace is allowed from May to September",
        "The landlord insures the building against flood with an excess of 25,000, of which the tenant bears one half. Loss of rent is covered for three years",
        "The tenant may end the lease on 25 March 2030 or 25 March 2035 on not less than twelve months' written notice; landlord's break: none",
        48_600, "topped up after each review to six months' rent and held in a separate designated account", "At expiry extraction, cold rooms and the bar are removed; the terrace decking stays",
        "by hand or recorded post to the registered office, with a copy to the licensee at the premises",
        "Live music is allowed indoors on 24 evenings a year, of which no more than three in any month.",
    ),
    Lease(
        "Store 10, Gantry Sheds", "Eddystone Film Storage Limited", "PQ/0151", "film archive", 880.0,
        "1 April 2017", 25, "31 March 2042", 52_800, "half-yearly in advance on the first of April and October",
        "There was no rent-free period; the landlord paid a contribution of 85,000 to the climate plant.",
        "to the index of retail prices, each fifth year from 1 April 2022, with a collar of 1.5 per cent and a cap of 4.5 per cent a year compounded",
        "a fixed sum, 9,350 in the year to 31 March 2025, rising by 2.5 per cent each 1 April", "is therefore not subject to an account",
        "the climate-controlled storage of film and magnetic tape; nitrate film is forbidden", "unrestricted, with access by two key holders",
        "the whole of the building, including roof and structure, the gantry rails excepted",
        "every seventh year outside, every tenth year inside", "Alterations are allowed without consent if an engineer certifies floor loads below 12.5 kilonewtons a square metre",
        "of the whole with consent, not to be unreasonably withheld", "Underletting of bays is allowed without consent for terms of up to three years",
        "The tenant insures the building in joint names for at least 3,400,000. Loss of rent is covered for five years",
        "The tenant may end the lease on 31 March 2032 on not less than eighteen months' written notice. There is no landlord's break",
        0, "not required. The parent company gave a guarantee that ends when rent for ten years has been paid without default", "At expiry the climate plant stays and is paid for at written-down value",
        "by hand or recorded post to the archive director at the premises",
        "The gas suppression system is tested only between 06:00 and 08:00, after 48 hours' notice to Store 11.",
    ),
    Lease(
        "Store 11, Gantry Sheds", "Kestrel Marine Spares Limited", "PQ/0153", "parts wholesaler", 640.0,
        "1 October 2021", 8, "30 September 2029", 41_600, "quarterly in advance on the first of October, January, April and July",
        "A rent-free period of two months ended on 30 November 2021.",
        "upwards only, to the open market rent, on 1 October 2025, time being of the essence for the landlord's notice, which must reach the tenant by 31 July 2025",
        "a fixed share of 7.7 per cent of the sheds' expenditure", "is capped at 13,500 a year, the cap rising by 2 per cent each 1 October",
        "wholesale storage and trade counter sales of marine spares; no solvents above 200 litres", "06:00 to 21:00 on weekdays and 07:00 to 13:00 on Saturdays",
        "the interior and the loading doors. Roof and structure are the landlord's; gutters are cleaned by the tenant each November",
        "every fifth year and in the last three months of the term", "Racking up to 6.5 metres is allowed without consent; a mezzanine needs consent",
        "of the whole with consent; a group company may take over without consent if the guarantor stays bound", "Underletting of up to a quarter of the floor area is allowed with consent",
        "The landlord insures against the insured risks and recovers 7.7 per cent of the premium. Loss of rent is covered for two years",
        "The tenant may end the lease on 30 September 2026 on not less than six months' written notice; if it stays, two months' rent is waived from 1 October 2026",
        10_400, "held as the landlord's own money and repaid without interest within 28 days after expiry", "At expiry racking is removed and bolts are cut flush",
        "by hand or recorded post to the registered office; e-mail is good service for notices of access",
        "Two articulated lorries may wait in the gantry lane, for no longer than 45 minutes each.",
    ),
    Lease(
        "Kiosk 12, North Court", "Juniper Flowers (sole trader: A. Molnar)", "PQ/0158", "flower stall", 18.0,
        "1 May 2024", 3, "30 April 2027", 7_560, "monthly in advance on the first of the month",
        "The months of January and February are rent-free in each year.",
        "none during the term",
        "an inclusive sum contained in the rent", "does not arise",
        "the sale of cut flowers and pot plants; hot drinks are excluded", "07:00 to 21:00 every day, with at least five days of trade a week from March to December",
        "the interior and the awning, which is taken in at wind force six",
        "once, in the second year", "No alterations; fairy lights up to 24 volts are allowed",
        "prohibited", "Underletting and sharing are prohibited",
        "The landlord insures the kiosk; the tenant holds public liability cover of at least 2,000,000. Loss of rent is not covered",
        "Either party may end the lease at the end of any month on not less than eight weeks' written notice",
        1_260, "held as the landlord's own money and set off against the last two months' rent", "At expiry the kiosk is left swept and empty",
        "by hand at the kiosk or by text message to the number in the particulars",
        "Water for the flowers is drawn from the standpipe at a charge of 90 a quarter, which is not part of the rent.",
    ),
    Lease(
        "Unit 13, Signal House", "Fernhollow Veterinary Partners LLP", "PQ/0161", "veterinary surgery", 305.0,
        "29 September 2020", 15, "28 September 2035", 67_100, "quarterly in advance on the usual quarter days",
        "A rent-free period of eight months ended on 28 May 2021; the landlord also bore one half of the lead lining of the X-ray room.",
        "upwards only, to the higher of the open market rent and the rent indexed by consumer prices at 2 per cent a year, on 29 September 2025 and 29 September 2030. The landlord's notice must be served by 31 August 2025 for the first date, time not being of the essence",
        "a fixed share of 38 per cent of the Signal House expenditure", "is capped at 14,250 a year, the cap rising by 4 per cent each 29 September",
        "a surgery for small animals with at most 14 kennels; horses and reptiles are excluded", "07:00 to 21:00 every day, with emergency calls at any time by the rear door",
        "the interior, the X-ray room and the drains up to the common manhole. A schedule of condition of 14 September 2020 limits the obligation",
        "every fourth year, the consulting rooms every second year", "Internal non-structural alterations are allowed with consent; the lead lining may be extended upon a certificate of a radiation adviser, notified within 14 days",
        "of the whole with consent; an incoming practice must be registered with the profession for at least three years", "Underletting is prohibited, save that a groomer may share up to 25 square metres",
        "The landlord insures against the insured risks and recovers 38 per cent of the premium of Signal House. Loss of rent is covered for three years and three months",
        "The tenant may end the lease on 28 September 2027 on not less than nine months' written notice, provided that it pays a sum of 33,550 and has removed the lead lining. There is no landlord's break",
        16_775, "held in a separate designated account and returned, with interest, within 35 days after expiry", "At expiry the kennels and the lead lining are removed and the floor is disinfected by a firm whom the landlord approves",
        "by hand or recorded post to the premises; e-mail to the managing partner is good service for access only",
        "If barking is complained of in writing by two occupiers in one month, the tenant closes the outdoor run between 18:00 and 08:00 until the kennel wall has been lined.",
    ),
    Lease(
        "Unit 14, Signal House", "Pentire Dental Care Limited", "PQ/0163", "dental practice", 198.5,
        "24 June 2021", 10, "23 June 2031", 47_640, "quarterly in advance on the usual quarter days",
        "The first four months were at one third of the rent.",
        "upwards only, to the open market rent, on 24 June 2026. The assumed term on review is ten years, and the effect of the tenant's plumbing is disregarded",
        "a fixed share of 24 per cent of the Signal House expenditure", "is capped at 8,950 a year, the cap rising with consumer prices",
        "a dental practice with at most five chairs; the retail sale of spectacles or hearing aids is excluded", "07:30 to 20:30 on weekdays and 08:00 to 14:00 on Saturdays",
        "the interior, the compressor cupboard and the amalgam separator, which is emptied twice a year by a licensed carrier",
        "every fifth year and in the last six months of the term", "Internal non-structural alterations are allowed with consent; a sixth chair needs the consent of the superior landlord as well",
        "of the whole with consent; an authorised guarantee agreement is required unless the buyer is a listed company", "Underletting of the whole is allowed with consent at no less than the market rent; a hygienist may work under licence",
        "The landlord insures against the insured risks and recovers 24 per cent of the premium of Signal House. Loss of rent is covered for two years",
        "The tenant may end the lease on 24 June 2026 on not less than nine months' written notice, provided that no more than one quarter's rent is in arrear. There is no landlord's break",
        11_910, "held in a separate designated account and returned, with interest, within 30 days after expiry", "At expiry the chairs, pipes below the floor and the separator are removed; joinery made after 2021 may stay",
        "by hand or recorded post to the registered office; e-mail is not good service except for service charge accounts",
        "The landlord will not let Unit 13 to a dentist or an orthodontist while Pentire is in occupation of Unit 14.",
    ),
    Lease(
        "Suite 15, Lantern Wharf", "Brightlode Engineers LLP", "PQ/0166", "consulting engineers", 356.0,
        "1 July 2024", 10, "30 June 2034", 99_680, "quarterly in advance on the first of July, October, January and April",
        "A rent-free period of eleven months ends on 31 May 2025, of which the last two months are to be repaid if the break is used; the principal rent is invoiced from the start and credited.",
        "upwards only, to the open market rent, on 1 July 2029, disregarding the tenant's test rig but not its kitchen",
        "a fair share by floor area, at present 10.2 per cent", "is capped at 60 a square metre a year, the cap rising by 2.5 per cent each 1 July",
        "offices and a test rig for wave models of at most 40 square metres, filled with fresh water only", "unrestricted, the test rig from 08:00 to 18:00 on weekdays",
        "the interior, the tank of the test rig and the floor below it, in which no load above 7.5 kilonewtons a square metre is allowed",
        "every fifth year and in the last nine months of the term", "Internal alterations are allowed with consent, which is deemed given for projects up to 15,000 after ten working days of silence",
        "of the whole with consent; a merger with another partnership is not an assignment if it is notified within 21 days", "Underletting of up to a third of the floor area is allowed with consent, outside the security of tenure provisions",
        "The landlord insures against the insured risks, excluding terrorism, and recovers 10.2 per cent of the premium; the tenant insures the tank against escape of water. Loss of rent is covered for two years and six months",
        "The tenant may end the lease on 30 June 2029 on not less than ten months' written notice, on payment of 49,840",
        24_920, "in the form of a bank guarantee, to be reduced by a third on 1 July 2027 if no instalment has been late", "At expiry the tank is drained into the foul sewer only, cut up and removed, and the slab is tested by the landlord's engineer",
        "by recorded post to the registered office and by e-mail to the finance partner, the earlier of the two counting",
        "The tenant may take up to 60 cubic metres of water a quarter from the wharf main at cost; what goes beyond is charged at one and a half times the cost.",
    ),
    Lease(
        "Store 16, Gantry Sheds", "Halyard Film Transfers Limited", "PQ/0169", "film laboratory", 415.0,
        "1 April 2022", 12, "31 March 2034", 31_125, "half-yearly in advance on the first of April and October",
        "A rent-free period of three months ended on 30 June 2022; the landlord paid no contribution to plant.",
        "to the index of retail prices, on 1 April 2027 and 1 April 2032, with a collar of 1 per cent and a cap of 5 per cent a year compounded",
        "a fixed share of 5.0 per cent of the sheds' expenditure", "is capped at 7,150 a year, the cap rising by 3 per cent each 1 April",
        "the scanning and copying of film; nitrate film is allowed up to 8 kilograms, in a cabinet of sheet steel, and for no longer than 72 hours", "06:30 to 22:00 on weekdays; the cabinet may be opened at any time by the fire officer",
        "the interior, the fume extraction and the loading door. Roof and structure are the landlord's. A schedule of condition of 21 March 2022 limits the obligation",
        "every sixth year and in the last four months of the term", "Alterations are allowed with consent; the wall towards Store 10 may not be pierced in any circumstances",
        "of the whole with consent, not to a competitor of the tenant of Store 10", "Underletting is prohibited; film of third parties may be kept for up to six weeks",
        "The landlord insures the building for 1,900,000; the extra premium for film, 865 in the last year, falls on the tenant. Loss of rent is covered for two years",
        "Either party may end the lease on 31 March 2028 on not less than twelve months' written notice; the landlord may do so only in order to enlarge Store 10",
        7_780, "held as the landlord's own money and repaid without interest within 56 days after expiry", "At expiry the cabinet is certified free of film, the extraction is removed and the wall openings are closed with brick",
        "by hand or recorded post to the premises, with a copy to the fire officer if nitrate film is concerned",
        "The tenant bears one fifth of the cost of the yearly test of the gas suppression system of its neighbour, but no more than 700.",
    ),
)  # fmt: skip


def abstract(at: int, lease: Lease) -> str:
    """Return one abstract as Markdown."""
    n = at + 1
    deposit = (
        f"The deposit is {lease.deposit:,}, {lease.deposit_text}"
        if lease.deposit
        else f"A deposit is {lease.deposit_text}"
    )
    parts = [
        ("Premises and parties", f"The premises are {lease.unit}, as edged red on the plan to the lease, with a net internal area of {lease.area:,.1f} square metres. The landlord is Pentreath Quay Estates Limited. The tenant is {lease.tenant}, whose business is entered in the register as {lease.trade}. The lease is registered under deed number {lease.number}; the rights of way over the common parts are those of the estate regulations in the edition in force."),
        ("Term", f"The term is {lease.years} years from and including {lease.start}, so that the contractual expiry date is {lease.expiry}. Holding over after that date is at a daily rate of one and a half times the rent then payable, unless a renewal is under negotiation in good faith."),
        ("Rent and payment", f"The principal rent is {lease.rent:,} a year, exclusive of value added tax, payable {lease.pay}. {lease.free} Interest on late payment is 4 per cent above base rate from the due date, if the payment is more than fourteen days late."),
        ("Rent review", f"The review provision is: {lease.review}. Disputes go to an independent surveyor acting as expert, and the cost follows the award."),
        ("Service charge", f"The tenant pays {lease.service}. The charge {lease.cap}. The accounting year ends on 31 March, the account is sent out by 30 June, and a balance is settled with the next instalment of rent."),
        ("Permitted use and hours", f"The permitted use is {lease.use}. Hours of use: {lease.hours}. Nothing may be done that would make the insurance of the estate void or cause nuisance to other occupiers."),
        ("Repair and decoration", f"The tenant repairs {lease.repair}. It decorates {lease.paint}, in colours that the landlord approves."),
        ("Alterations", f"{lease.alter}. Drawings are lodged with the estate office in two copies, and all work follows the estate's hot work rules."),
        ("Assignment and underletting", f"Assignment: {lease.assign}. {lease.under}. Charging of the lease to a bank needs no consent but must be registered with the estate office within one month."),
        ("Insurance", f"{lease.insure}. If the premises are not fit for use within the period of cover, either party may end the lease by notice."),
        ("Break options", f"{lease.broken}. Time is of the essence of every break notice, and a notice once given cannot be withdrawn."),
        ("Deposit and guarantees", f"{deposit}. Deposits and guarantees may be drawn on for arrears that are older than 21 days, after one reminder."),
        ("Yielding up", f"{lease.reinstate}. A schedule of dilapidations is served no later than 56 days after the expiry, failing which claims are limited to arrears."),
        ("Notices", f"Notices are served {lease.notice}. A notice that arrives on a day that is not a working day counts as received on the next working day."),
        ("Special conditions", f"{lease.special} Special conditions prevail over the body of the lease where the two differ."),
    ]  # fmt: skip
    body = "\n\n".join(f"### {n}.{k} {title}\n\n{text}" for k, (title, text) in enumerate(parts, 1))
    return f"<!-- page -->\n\n## Lease {n}: {lease.unit}, {lease.tenant}\n\n{body}"


def payments() -> list[list[str]]:
    """Return how punctually each tenant paid its last four instalments."""
    random = Random(2025)
    rows = [["Tenant", "First instalment of 2024", "Second", "Third", "Fourth", "Manner"]]
    for one in LEASES:
        late = [random.choice((0, 0, 0, 1, 2, 4, 6, 9, 12)) for _ in range(4)]
        said = ["on the day" if days == 0 else f"{days} days late" if days > 1 else "1 day late" for days in late]
        rows.append([one.tenant, *said, random.choice(("bank order", "transfer", "direct debit", "cheque"))])
    return rows


def values() -> list[list[str]]:
    """Return the declared value, premium and energy class of each lease."""
    random = Random(624)
    rows = [["Premises", "Declared value", "Premium", "Excess for water", "Energy class", "Certificate ends"]]
    for n, one in enumerate(LEASES, 1):
        if "The tenant insures the building" in one.insure:
            rows.append([one.unit, "not declared", "none", "none", "none", "none"])
            continue
        worth = round(one.area * random.uniform(2_350, 3_900), -3)
        if one.unit.startswith("Store 16"):
            worth = 1_900_000
        energy = "E" if n == 6 else random.choice("BCCDD")
        ends = "2026" if n in (4, 5, 6) else str(random.randrange(2027, 2034))
        rows.append(
            [
                one.unit,
                f"{worth:,.0f}",
                f"{worth * random.uniform(0.0011, 0.0019):,.0f}",
                random.choice(("500", "1,000", "2,500")),
                energy,
                ends,
            ]
        )
    return rows


SCHEDULES = runpy.run_path(str(Path(__file__).with_name("schedules.py")))
TEXTS = {
    "leases": "\n\n".join(abstract(at, lease) for at, lease in enumerate(LEASES)),
    **SCHEDULES["TEXTS"],
}
TABLES = {
    "schedule": [["No.", "Premises", "Tenant", "Business", "Deed"]]
    + [[str(n), one.unit, one.tenant, one.trade, one.number] for n, one in enumerate(LEASES, 1)],
    "payments": payments(),
    "values": values(),
    **SCHEDULES["TABLES"],
}

assert sum(one.rent for one in LEASES) == 924_380
assert max(LEASES, key=lambda one: one.rent / one.area).trade == "flower stall"
assert sum(one.deposit for one in LEASES) == 221_277
assert sum("Loss of rent is covered for four years" in one.insure for one in LEASES) == 2
assert sorted(one.unit for one in LEASES if "without consent" in one.under) == [
    "Store 10, Gantry Sheds",
    "Unit 6, Cooper's Yard",
]
