"""Games of a folder beside the house's: CROUPIER_GAMES names it, as for `croupier`."""

import os

from croupier import games

if folder := os.environ.get("CROUPIER_GAMES"):
    games.add_folder(folder)
