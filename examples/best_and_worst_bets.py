"""Where nobody decides anything: the best and the worst bet of each such table. Needs `croupier[maths]`."""

import croupier

for name in croupier.table_names():
    exact = croupier.table(name).exact()
    if exact.chart is None:
        worst = min(exact.bets, key=lambda odds: odds.returned)
        best = f"{exact.best.strategy} {100 * exact.best.house_edge:.4f} %"
        print(f"{name:20} best {best:17} worst {worst.bet} {100 * float(worst.house_edge):.4f} %")
