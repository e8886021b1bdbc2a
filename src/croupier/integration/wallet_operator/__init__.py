"""The reference operator: a small server that keeps players' money, and misbehaves on command."""
