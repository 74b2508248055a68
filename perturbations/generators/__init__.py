"""The generators: one way each to ask the same in another form."""
