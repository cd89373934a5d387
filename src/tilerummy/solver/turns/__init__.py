"""The best turn: covers that the joker rules, openings and final rounds allow."""
