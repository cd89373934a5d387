"""Steps: the few hand movements that lead from one table to another."""
