"""Plans of a whole round, for its distribution: of the best play, and of a chart."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from croupier.games.blackjack.exact.analysis import results, with_offer
from croupier.games.blackjack.exact.by_total import Column
from croupier.games.blackjack.exact.distribution import Plan
from croupier.games.blackjack.exact.kernels import END_COUNT, SPLIT
from croupier.games.blackjack.exact.solution import Actions, DealerSolution, Solution
from croupier.games.blackjack.exact.space import Bools
from croupier.games.blackjack.outcomes import accept_offer, offer_name, unit_box


def best_plans(solution: Solution) -> Iterator[Plan]:
    """Yield the best play, including offers, against each dealer."""
    for against in solution.dealers:
        offers = [with_offer(solution, against, number)[1] for number in range(len(solution.openings))]
        accepted = [offer.name if offer and offer.taken else "" for offer in offers]
        yield _plan(solution, against, against.best == SPLIT, against.actions, accepted)


def chart_plans(solution: Solution, chart: Sequence[Column], takes: Mapping[str, bool]) -> Iterator[Plan]:
    """Yield the play by a chart, with each offer always accepted or always declined."""
    columns = {member.against.cards: column for column in chart for member in column.members}
    for against in solution.dealers:
        if column := columns.get(against.cards):
            splits = np.isin(np.arange(len(solution.openings)), _split_openings(solution, column))
            actions = _actions(column, against)
        else:
            splits, actions = np.zeros(len(solution.openings), dtype=bool), against.actions
        names = (_offered(solution, against, number) for number in range(len(solution.openings)))
        yield _plan(solution, against, splits, actions, [name if takes.get(name) else "" for name in names])


def _split_openings(solution: Solution, column: Column) -> list[int]:
    return [solution.pairs[value] for value in column.splits]


def _actions(column: Column, against: DealerSolution) -> Actions:
    """Return the actions; a member that counts twice represents both hands of a split."""
    return {
        (member.family, part): action
        for member, action in zip(column.members, column.action, strict=True)
        if member.against.cards == against.cards
        for part in range(member.part, member.part + member.times)
    }


def _offered(solution: Solution, against: DealerSolution, number: int) -> str:
    box = unit_box(solution.rules, solution.openings[number].cards)
    return offer_name(solution.rules, against.cards, blackjack=box.hands[0].blackjack)


def _plan(
    solution: Solution,
    against: DealerSolution,
    splits: Bools,
    actions: Actions,
    accepted: Sequence[str],
) -> Plan:
    extra = np.zeros((len(solution.openings), END_COUNT))
    for number, name in enumerate(accepted):
        if name == "insurance":
            box = accept_offer(unit_box(solution.rules, solution.openings[number].cards), name)
            extra[number] = results(solution, box, name)
    return Plan(against, splits, actions, extra, np.array([name == "even_money" for name in accepted]))
