"""The checks that an integrator runs against their own wallet."""
