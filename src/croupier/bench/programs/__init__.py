"""Programs of other servers: texts of this package that are run by what the bench installs."""
