"""Add the games of the folder that CROUPIER_GAMES names, as `croupier` does."""

import os

from croupier import games

if folder := os.environ.get("CROUPIER_GAMES"):
    games.add_folder(folder)
