"""Exercises on electricity distribution, with solutions that are computed, not typed."""

from __future__ import annotations

# ruff: noqa: E501 (exercises are sentences; each stands on a line)
import runpy
from math import acos, cos, degrees, log, radians, sin, sqrt, tan
from pathlib import Path

RESISTANCE = {25: 1.20, 35: 0.868, 50: 0.641, 70: 0.443, 95: 0.320, 120: 0.253, 150: 0.206, 240: 0.125}
REACTANCE = {25: 0.089, 35: 0.086, 50: 0.083, 70: 0.082, 95: 0.080, 120: 0.079, 150: 0.079, 240: 0.077}
AMPACITY = {25: 115, 35: 138, 50: 164, 70: 202, 95: 242, 120: 276, 150: 308, 240: 401}


def drop(kilowatts: float, kilometres: float, area: int, factor: float = 0.95, volts: float = 400) -> float:
    """Return the voltage drop of a three-phase cable in per cent."""
    phi = acos(factor)
    ohms = RESISTANCE[area] + REACTANCE[area] * tan(phi)
    return 100 * kilowatts * 1000 * kilometres * ohms / volts**2


def currents(kilowatts: float, factor: float, volts: float = 400) -> float:
    """Return the current of a three-phase load in amperes."""
    return kilowatts * 1000 / (sqrt(3) * volts * factor)


def exercise(number: str, place: str, task: str, solution: str) -> str:
    """Return one exercise with its solution."""
    return f"### Exercise {number}: {place}\n\n{task}\n\n**Solution to {number}.** {solution}\n"


def lesson_load() -> str:
    """Return the exercises of the lesson on load."""
    cases = (
        ("2.1", "the estate at Fennel Row", 34, 2.6, 0.38),
        ("2.2", "the farm quarter Applegarth", 21, 4.1, 0.55),
        ("2.3", "the tower at Mill Bridge", 112, 2.2, 0.24),
    )
    said = []
    for number, place, homes, each, share in cases:
        peak = homes * each * share
        factor = 8760 * 0.31
        said.append(
            exercise(
                number,
                place,
                f"There are {homes} dwellings with a single peak of {each} kW each. The coincidence factor is {share}. What is the peak of the feeder, and how much energy flows in a year if the utilisation time is {factor:.0f} hours?",
                f"The peak is {homes} x {each} x {share} = {peak:.1f} kW. The energy is {peak:.1f} kW times {factor:.0f} h, that is {peak * factor / 1000:.1f} MWh.",
            )
        )
    heat = 34 * 2.6 * 0.38 + 34 * 3.2 * 0.62
    said.append(
        exercise(
            "2.4",
            "heat pumps at Fennel Row",
            "Each dwelling of exercise 2.1 receives a heat pump of 3.2 kW, with a coincidence factor of 0.62 for the heat pumps among themselves. The evening peak of cooking and the morning peak of heating coincide in the worst case. What is the new peak?",
            f"The worst case is the sum: {34 * 2.6 * 0.38:.1f} kW and {34 * 3.2 * 0.62:.1f} kW make {heat:.1f} kW, about {heat / (34 * 2.6 * 0.38):.1f} times as much as before.",
        )
    )
    return "\n".join(said)


def lesson_drop() -> str:
    """Return the exercises of the lesson on voltage drop."""
    cases = (
        ("3.1", "the sawmill at Oxley", 62, 0.19, 95),
        ("3.2", "the school at Thornwick", 48, 0.28, 70),
        ("3.3", "the dairy at Kettle End", 85, 0.22, 150),
        ("3.4", "the campsite at Long Strand", 27, 0.25, 35),
    )
    said = []
    for number, place, power, length, area in cases:
        amps, percent = currents(power, 0.95), drop(power, length, area)
        verdict = (
            "The limit of 3 per cent for a service feeder is kept."
            if percent <= 3
            else "The limit of 3 per cent for a service feeder is exceeded."
        )
        said.append(
            exercise(
                number,
                place,
                f"A load of {power} kW with power factor 0.95 lies {int(length * 1000)} m from the transformer. The cable has {area} square millimetres of aluminium. Determine current and voltage drop.",
                f"The current is {amps:.1f} A, which is below the rating of {AMPACITY[area]} A. The drop is {percent:.2f} per cent. {verdict}",
            )
        )
    best = next(area for area in RESISTANCE if drop(48, 0.28, area) <= 3)
    said.append(
        exercise(
            "3.5",
            "a better cable for Thornwick",
            "Which is the smallest cross-section that keeps 3 per cent in exercise 3.2?",
            f"The smallest is {best} square millimetres, with a drop of {drop(48, 0.28, best):.2f} per cent.",
        )
    )
    return "\n".join(said)


def lesson_transformer() -> str:
    """Return the exercises of the lesson on transformers."""
    cases = (
        ("4.1", "station Hollin", 250, 0.425, 3.25, 0.62),
        ("4.2", "station Quay", 400, 0.61, 3.85, 0.48),
        ("4.3", "station Brickfield", 630, 0.86, 7.6, 0.71),
        ("4.4", "station Upper Common", 160, 0.30, 1.9, 0.35),
    )
    said = []
    for number, place, kva, iron, copper, load in cases:
        loss = iron + copper * load**2
        yearly = (iron * 8760 + copper * load**2 * 8760 * 0.52) / 1000
        best = sqrt(iron / copper)
        said.append(
            exercise(
                number,
                place,
                f"A transformer of {kva} kVA has no-load losses of {iron} kW and load losses of {copper} kW. The peak load is {load:.0%} of the rating and the loss factor 0.52. Determine the losses at the peak, the losses of a year, and the load of best efficiency.".replace(
                    "%", " per cent"
                ),
                f"At the peak the losses are {loss:.2f} kW. In a year they are {yearly:.2f} MWh. The efficiency is best at a load of {best:.2f} of the rating, where both kinds of loss are equal.",
            )
        )
    return "\n".join(said)


def lesson_fault() -> str:
    """Return the exercises of the lesson on faults."""
    cases = (
        ("5.1", "the end of feeder Rowan", 400, 4.0, 0.28, 120),
        ("5.2", "the end of feeder Alder", 250, 4.0, 0.45, 70),
        ("5.3", "the end of feeder Spruce", 630, 6.0, 0.19, 150),
    )
    said = []
    for number, place, kva, percent, length, area in cases:
        transformer = percent / 100 * 400**2 / (kva * 1000)
        r, x = 2 * RESISTANCE[area] * length, 2 * REACTANCE[area] * length + transformer
        amps = 0.95 * 230 / sqrt(r**2 + x**2)
        fuse = next(size for size in (400, 315, 250, 200, 160, 125, 100, 80, 63) if amps >= 5.6 * size)
        said.append(
            exercise(
                number,
                place,
                f"The transformer of {kva} kVA has a short-circuit voltage of {percent:.0f} per cent. The cable is {int(length * 1000)} m long and has {area} square millimetres of aluminium. What is the smallest single-phase fault current at the end, and which fuse may protect the feeder if 5.6 times its rating must flow?",
                f"The loop has {r * 1000:.0f} milliohms of resistance and {x * 1000:.0f} milliohms of reactance. The current is {amps:.0f} A. The largest fuse is one of {fuse} A.",
            )
        )
    return "\n".join(said)


def lesson_factor() -> str:
    """Return the exercises of the lesson on reactive power."""
    cases = (
        ("6.1", "the foundry Marl", 180, 0.72, 0.95),
        ("6.2", "the cold store Wharf", 95, 0.78, 0.97),
        ("6.3", "the quarry Old Stone", 240, 0.69, 0.92),
    )
    said = []
    for number, place, power, old, new in cases:
        q = power * (tan(acos(old)) - tan(acos(new)))
        micro = q * 1000 / (3 * 400**2 * 314.159) * 1e6
        said.append(
            exercise(
                number,
                place,
                f"A load of {power} kW has a power factor of {old}. It is to be raised to {new}. How much reactive power must the capacitors deliver, and how large is each of three in delta at 400 V and 50 Hz?",
                f"The angle falls from {degrees(acos(old)):.1f} to {degrees(acos(new)):.1f} degrees. The capacitors deliver {q:.1f} kvar; each has {micro:.0f} microfarads. The current falls from {currents(power, old):.0f} A to {currents(power, new):.0f} A.",
            )
        )
    return "\n".join(said)


def lesson_solar() -> str:
    """Return the exercises of the lesson on feeding in."""
    cases = (
        ("7.1", "the barn at Heron Wood", 60, 0.27, 95),
        ("7.2", "the sports hall at Thornwick", 99, 0.21, 150),
        ("7.3", "the vineyard at Sunny Bank", 45, 0.31, 70),
    )
    said = []
    for number, place, power, length, area in cases:
        rise = drop(power, length, area, 1.0)
        angle = radians(25.84)
        less = 100 * power * 1000 * length * (RESISTANCE[area] - REACTANCE[area] * sin(angle) / cos(angle)) / 400**2
        verdict = (
            "may be connected"
            if rise <= 3
            else "may be connected with reactive power only"
            if less <= 3
            else "may not be connected"
        )
        said.append(
            exercise(
                number,
                place,
                f"A solar plant of {power} kW is connected through {int(length * 1000)} m of cable of {area} square millimetres. The rise of voltage must not exceed 3 per cent. Is it kept at power factor 1, and at 0.90 under-excited?",
                f"At power factor 1 the rise is {rise:.2f} per cent, at 0.90 it is {less:.2f} per cent. The plant {verdict}.",
            )
        )
    return "\n".join(said)


def lesson_reliability() -> str:
    """Return the exercises of the lesson on reliability."""
    events = {
        "8.1": ("the district Westmoor", 12_400, ((1_150, 95), (3_020, 41), (260, 310))),
        "8.2": ("the district Saltings", 8_150, ((940, 62), (410, 188), (2_230, 27), (75, 540))),
    }
    said = []
    for number, (place, served, outages) in events.items():
        saifi = sum(n for n, _ in outages) / served
        saidi = sum(n * minutes for n, minutes in outages) / served
        listed = "; ".join(f"{n:,} customers for {minutes} minutes" for n, minutes in outages)
        said.append(
            exercise(
                number,
                place,
                f"The district serves {served:,} customers. In the year there were these interruptions: {listed}. Determine SAIFI, SAIDI and CAIDI.",
                f"SAIFI is {saifi:.3f} interruptions, SAIDI is {saidi:.1f} minutes, CAIDI is {saidi / saifi:.1f} minutes. The chance of a customer to see none, if interruptions are spread at random, is {100 * 2.718281828**-saifi:.0f} per cent.",
            )
        )
    half = log(2) / 0.19
    said.append(
        exercise(
            "8.3",
            "spare transformers",
            "Transformers fail at a rate of 0.19 a year over the whole fleet of the district. After how many years is the chance of at least one failure one half?",
            f"After ln 2 divided by 0.19, that is {half:.2f} years.",
        )
    )
    return "\n".join(said)


def lesson_tariff() -> str:
    """Return the exercises of the lesson on meters and tariffs."""
    cases = (
        ("10.1", "the bakery in Tallow Lane", 84_000, 31, 3.10, 17.40),
        ("10.2", "the cinema Orion", 146_000, 92, 5.20, 9.60),
        ("10.3", "the printing works Halewood", 905_000, 240, 0.92, 71.80),
        ("10.4", "the cold store at Denby Road", 2_310_000, 395, 0.92, 71.80),
    )
    said = []
    for number, place, energy, power, cents, price in cases:
        hours, total = energy / power, energy * cents / 100 + power * price
        said.append(
            exercise(
                number,
                place,
                f"The energy of the year is {energy:,} kWh and the highest mean of a quarter of an hour {power} kW. Which line of the table applies, and what is the network charge without the price for the year?",
                f"The utilisation is {hours:,.0f} hours, so that energy costs {cents:.2f} cents and power {price:.2f} for each kilowatt. The charge is {total:,.2f}.",
            )
        )
    for number, place, ratio, first, last in (
        ("10.5", "the laundry at Mill Bridge", 30, 911.4, 1_102.9),
        ("10.6", "the water tower", 50, 77.25, 140.75),
    ):
        said.append(
            exercise(
                number,
                place,
                f"The current transformers have a ratio of {5 * ratio} A to 5 A. The meter showed {first:,} and shows {last:,}. How much energy has flowed, and what would have been billed if the factor had been forgotten?",
                f"The difference is {last - first:.2f}. Times {ratio} this is {(last - first) * ratio:,.0f} kWh; without the factor {last - first:,.0f} kWh would have been billed.",
            )
        )
    return "\n".join(said)


def lesson_sag() -> str:
    """Return the exercises of the lesson on overhead lines."""
    cases = (
        ("11.1", "the line to Kettle End", 62, 0.197, 2.6, 6.3),
        ("11.2", "the line over the Marl brook", 118, 0.350, 6.8, 11.4),
        ("11.3", "the line beside Heron Wood", 74, 0.197, 3.1, 8.6),
        ("11.4", "the spur to Old Stone", 95, 0.276, 4.4, 6.6),
        ("11.5", "the crossing of the road at Oxley", 88, 0.350, 5.2, 10.1),
    )
    said = []
    for number, place, span, mass, tension, height in cases:
        plain = mass * 9.81 * span**2 / (8 * tension * 1000)
        iced = (mass + 0.32) * 9.81 * span**2 / (8 * tension * 1000 * 1.7)
        clear = height - max(plain, iced)
        verdict = "This is enough above a road." if clear >= 6 else "This is enough above fields, not above a road."
        said.append(
            exercise(
                number,
                place,
                f"The span is {span} m, the mass {mass:.3f} kg per metre, the tension {tension:.1f} kN, and the clamps are {height:.1f} m above the ground. With ice, 0.32 kg per metre are added and the tension rises to 1.7 times. Determine both sags and the smallest height.",
                f"Without ice the sag is {plain:.2f} m, with ice {iced:.2f} m. The smallest height is {clear:.2f} m. {verdict}",
            )
        )
    return "\n".join(said)


def lesson_planning() -> str:
    """Return the exercises of the lesson on planning."""
    cases = (
        ("12.1", "a second cable for Saltings", 118_000, 14.2, 5.9, 0.24),
        ("12.2", "a larger transformer at station Plover", 6_400, 6.1, 4.4, 0.31),
        ("12.3", "ploughing in the line to Old Stone", 236_000, 21.0, 8.5, 0.22),
        ("12.4", "moving the open point at Tallow Lane", 900, 3.3, 2.9, 0.28),
    )
    said = []
    for number, place, price, before, after, factor in cases:
        saved = (before - after) * 8760 * factor
        value = saved * 0.086 * 18.4
        verdict = (
            "The losses alone pay for it."
            if value >= price
            else "The losses do not pay for it; another reason is needed."
        )
        said.append(
            exercise(
                number,
                place,
                f"The measure costs {price:,} and lowers the losses at the peak from {before} to {after} kW. The loss factor is {factor}. Is it worth it for the losses alone, at 8.6 cents and over 40 years?",
                f"In a year {saved:,.0f} kWh are saved, worth {saved * 0.086:,.0f}. Over 40 years this is {value:,.0f} today. {verdict}",
            )
        )
    return "\n".join(said)


FEEDERS = (
    ("Example A: Feeder Hazel, one cable throughout", 150, ((60, 14), (45, 9), (70, 22), (55, 12), (40, 7))),
    ("Example B: Feeder Linden, thin cable", 70, ((35, 6), (50, 11), (45, 4), (60, 13))),
    ("Example C: Feeder Maple, many small loads", 95, ((25, 5), (30, 8), (30, 6), (35, 9), (25, 5), (40, 11), (30, 4))),
)


def feeders() -> str:
    """Return the worked examples in which the drop is added up along a feeder."""
    said = []
    for name, area, stretches in FEEDERS:
        rows = [
            "| Stretch | Length (m) | Load at its end (kW) | Power through it (kW) | Drop (per cent) | Sum (per cent) |"
        ]
        rows.append("|" + " --- |" * 6)
        total = 0.0
        for at, (length, load) in enumerate(stretches, 1):
            through = sum(one for _, one in stretches[at - 1 :])
            part = drop(through, length / 1000, area)
            total += part
            rows.append(f"| {at} | {length} | {load} | {through} | {part:.3f} | {total:.3f} |")
        whole = sum(load for _, load in stretches)
        lumped = drop(whole, sum(length for length, _ in stretches) / 1000, area)
        said.append(
            f"## {name}\n\nThe cable has {area} square millimetres. The loads are added from the end, the drops from the station.\n\nTable: Stretches of the feeder in this example\n\n"
            + "\n".join(rows)
            + f"\n\nAt the last joint the drop is {total:.2f} per cent. Whoever puts the whole load of {whole} kW at the end finds {lumped:.2f} per cent, which is too much by a factor of {lumped / total:.2f}. The current at the station is {currents(whole, 0.95):.0f} A."
        )
    return "\n\n".join(said) + "\n"


TEXTS = {
    "load": lesson_load(), "drop": lesson_drop(), "transformer": lesson_transformer(), "fault": lesson_fault(),
    "factor": lesson_factor(), "solar": lesson_solar(), "reliability": lesson_reliability(),
    "tariff": lesson_tariff(), "sag": lesson_sag(), "planning": lesson_planning(), "feeders": feeders(),
}  # fmt: skip
TABLES = {
    **runpy.run_path(str(Path(__file__).with_name("registers.py")))["TABLES"],
    "cables": [["Cross-section (mm2)", "R (ohm/km)", "X (ohm/km)", "Rating in ground (A)"]]
    + [[str(area), f"{RESISTANCE[area]:.3f}", f"{REACTANCE[area]:.3f}", str(AMPACITY[area])] for area in RESISTANCE],
    "coincidence": [["Number of dwellings", "Cooking with gas", "Cooking with electricity", "Electric heating"]]
    + [
        [str(n), f"{0.22 + 0.78 / n**0.5:.2f}", f"{0.15 + 0.85 / n**0.5:.2f}", f"{0.62 + 0.38 / n**0.5:.2f}"]
        for n in (1, 2, 5, 10, 20, 50, 100, 200)
    ],
}

assert drop(48, 0.28, 70) > 3 >= drop(48, 0.28, 240)
