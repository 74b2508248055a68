"""Request to Reply: one file a provider."""
