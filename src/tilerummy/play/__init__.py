"""What happens: deal, turns, games, matches, records and the fair shuffle. Pure."""
