"""What rule tables that people can read and change say about the blocks of a document."""

from __future__ import annotations

from .features import FEATURES, FeatureDefinition, Features, features_of
from .rule_books import RuleBook, rule_book_of
from .rule_edits import edited
from .rule_files import RuleFile
from .rule_saving import prepared_save
from .rules import Match, Rule, RuleTable
from .tables import load_rules, rules_for, save_rules, table_names
from .weighing import RuleMatches, RuleVoice, StructureWeights, match_rules, weigh

__all__ = [
    "FEATURES",
    "FeatureDefinition",
    "Features",
    "Match",
    "Rule",
    "RuleBook",
    "RuleFile",
    "RuleMatches",
    "RuleTable",
    "RuleVoice",
    "StructureWeights",
    "edited",
    "features_of",
    "load_rules",
    "match_rules",
    "prepared_save",
    "rule_book_of",
    "rules_for",
    "save_rules",
    "table_names",
    "weigh",
]
