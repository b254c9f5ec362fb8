"""From labels to a classifier that ships: questions, hard negatives, training, evaluation, export."""
