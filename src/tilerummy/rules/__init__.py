"""What is legal: tiles, editions, rows, turns and scores. Pure, standard library only."""
