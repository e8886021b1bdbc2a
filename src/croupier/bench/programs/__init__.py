"""Programs of comparison servers; they run with packages installed by the load test."""
