"""What a report says, in sentences of its language: headline, reasons, decision, rules, gate, profile, answers."""
