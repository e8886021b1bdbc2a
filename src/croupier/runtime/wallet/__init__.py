"""An operator's own wallet: its money pays the stakes of the operator's players."""
