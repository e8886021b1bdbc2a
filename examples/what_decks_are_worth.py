"""What-ifs: the house edge of one table with one deck to eight. Needs `croupier[maths]`."""

import croupier

table = croupier.table("premium")
for decks in range(1, 9):
    best = table.with_rules(decks=decks).exact().best
    print(f"{decks} decks: house edge {100 * best.house_edge:+.4f} %")
