"""Any table of the house for programs: exact figures, simulation, what-ifs.

>>> import croupier
>>> infinite = croupier.table("infinite")
>>> exact = infinite.exact()
>>> f"{exact.best.return_per_initial_stake:.6f}"
'0.994653'
>>> exact.bets[0].bet, exact.bets[0].returned
('any_pair', Fraction(398, 415))

A game in which nobody decides anything has its bets, line by line.

>>> baccarat = croupier.table("live_baccarat").exact()
>>> [(odds.bet, f"{float(odds.house_edge):.6f}") for odds in baccarat.bets[:3]]
[('player', '0.012351'), ('banker', '0.010579'), ('tie', '0.143596')]
>>> baccarat.bets[2].lines[0]
LineOdds(outcome='tie', chance=Fraction(619306544887, 6508331087895), pays=Odds(wins=8, staked=1))

Any rule may be changed; what is wrong is refused with what is allowed.

>>> f"{infinite.with_rules(decks=2, charlie_cards=0).exact().best.return_per_initial_stake:.6f}"
'0.995568'
>>> infinite.with_rules(decks=12)
Traceback (most recent call last):
    ...
croupier.play.variants.WrongTables: decks: Expected `int` <= 8; allowed is: a whole number from 1 to 8

A million rounds take a few milliseconds. The same seed gives the same result, on any number of threads.

>>> found = infinite.simulate(1_000_000, seed=1, fresh_shoe=True).estimate
>>> exact_return = exact.best.return_per_initial_stake
>>> abs(found.return_per_initial_stake - exact_return) < 4 * found.standard_error
True
>>> red = croupier.table("roulette").simulate(1_000_000, seed=1).of("red")
>>> abs(red.return_per_initial_stake - 36 / 37) < 4 * red.standard_error
True

Every published figure stands beside the exact one.

>>> [(claim.bet, claim.percent, claim.reproduced) for claim in infinite.published()][:2]
[('main', '99.47', True), ('any_pair', '95.90', True)]

Needs the extra `croupier[maths]`.
"""

from croupier.maths.study import Study, studies

__all__ = ["Study", "table", "table_names"]


def table_names(game: str = "") -> tuple[str, ...]:
    """Of the published tables, of one game or of all."""
    return tuple(name for name, study in studies().items() if game in {"", study.table.game.name})


def table(name: str) -> Study:
    """A published table. ValueError says which there are."""
    found = studies()
    if name not in found:
        raise ValueError(f"no table {name!r}; there are: {', '.join(found)}")
    return found[name]
