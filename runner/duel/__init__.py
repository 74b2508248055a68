"""Two prompts or models head to head on the same items: judgements, verdicts, and the answers behind them."""
