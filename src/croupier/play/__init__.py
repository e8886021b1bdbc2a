"""What every game is made of: wants, bets, odds, amounts, refusals, the Game record."""
