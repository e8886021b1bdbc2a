"""The building blocks of games: wants, bets, odds, amounts, and the Game record."""
