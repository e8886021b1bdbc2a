"""Every return that a table publishes, beside the exact one: needs `croupier[maths]`."""

import croupier

for name in croupier.table_names():
    for claim in croupier.table(name).published():
        said = "reproduced" if claim.reproduced else "NOT REPRODUCED"
        exact = f"{float(claim.found):.6f}, {said}"
        print(f"{name:12} {claim.bet:22} {claim.percent:>6} % of {claim.of}: {exact}")
