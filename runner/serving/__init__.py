"""`prt serve`: reports, comparisons, nights and plans as pages on this machine. No figure is reckoned here."""
