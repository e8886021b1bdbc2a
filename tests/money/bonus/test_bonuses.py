"""Bonuses beside a model: whatever happens, no money appears or is lost, and every stake counts once."""

from hypothesis import settings

from tests.money.bonus.bonus_machine import BonusMachine

TestBonuses = BonusMachine.TestCase
TestBonuses.settings = settings(max_examples=20, stateful_step_count=30, deadline=None)
